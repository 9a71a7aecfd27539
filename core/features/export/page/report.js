"use strict";
(() => {
  const tests = [...document.querySelectorAll(".t")];
  const query = document.getElementById("q");
  const count = document.getElementById("count");
  const buttons = [...document.querySelectorAll(".f")];
  let status = "all", domain = null, level = null, texts = null;

  // Every text reaches the page through textContent: what a model wrote is never markup.
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  // Calls, and texts that look like JSON, by colour; anything else stays one text.
  const TOKENS = /("(?:[^"\\\n]|\\.){0,4000}")|(-?\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b)|(^→ [\w.-]+)/gm;
  const coloured = (text) => {
    const block = make("pre");
    if (text.length > 20000 || !/^\s*[{[]|^→ /m.test(text)) { block.textContent = text; return block; }
    let at = 0;
    for (const found of text.matchAll(TOKENS)) {
      block.append(text.slice(at, found.index), make("span", found[0], found[1] ? "js" : found[2] ? "jn" : "jc"));
      at = found.index + found[0].length;
    }
    block.append(text.slice(at));
    return block;
  };

  // Where the searched words stand in what is open, by the browser's own highlights: no element is made for them.
  const highlight = (words) => {
    if (!window.Highlight) return;
    const ranges = [];
    for (const body of words ? document.querySelectorAll(".t[open]:not([hidden]) .body") : []) {
      const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && ranges.length < 2000; node = walker.nextNode()) {
        const text = node.data.toLowerCase();
        for (let at = text.indexOf(words); at >= 0 && ranges.length < 2000; at = text.indexOf(words, at + words.length)) {
          if (at + words.length > node.length) break;
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + words.length);
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  };

  const marked = (text, part) => {
    const block = make("pre");
    const at = part ? text.lastIndexOf(part) : -1;
    if (at < 0) block.textContent = text;
    else block.append(text.slice(0, at), make("mark", part), text.slice(at + part.length));
    return block;
  };

  const section = (body, title, content) => {
    body.append(make("h3", title), typeof content === "string" ? make("pre", content) : content);
  };

  const folded = (title, text, name) => {
    const fold = make("details", undefined, "msg");
    fold.append(make("summary", title, name), make("pre", text));
    return fold;
  };

  // What stands in a test, drawn or not; in the data a line break is two characters.
  const written = (test) => test.textContent + (test.lastChild.data || "").replaceAll("\\n", "\n");

  const draw = (test) => {
    const source = test.lastChild;
    if (source.nodeType !== Node.COMMENT_NODE) return;
    const data = JSON.parse(source.data);
    const body = make("div", undefined, "body");
    if (data.error) section(body, "error", data.error);
    const pair = make("div", undefined, "pair");
    for (const [title, text] of [["expected", data.expected], ["got", data.got]]) {
      if (!text) continue;
      const half = make("div");
      section(half, title, text);
      pair.append(half);
    }
    if (pair.firstChild) body.append(pair);
    if (data.why) section(body, "why (" + (data.evaluator || "") + ")", data.why);
    if (data.verdict) {
      const list = make("dl", undefined, "verdict");
      for (const [depth, label, text] of data.verdict) {
        list.append(make("dt", label, "d" + Math.min(3, depth)), make("dd", text));
      }
      section(body, "verdict", list);
    }
    if (data.prompt) section(body, "prompt", data.prompt);
    if (data.response) section(body, "answer", marked(data.response, data.got));
    if (data.system) body.append(folded("system prompt", data.system));
    if (data.reasoning) body.append(folded("thinking", data.reasoning));
    if (data.transcript) {
      const fold = make("details", undefined, "msg");
      fold.append(make("summary", "transcript, " + data.transcript.length + " messages"));
      for (const [who, kind, text] of data.transcript) {
        fold.append(make("h3", who + (kind ? " · " + kind : ""), kind === "error" ? "error" : who.split(" ")[0]), coloured(text));
      }
      body.append(fold);
    }
    if (data.numbers) body.append(make("p", data.numbers));
    source.after(body);
    source.remove();
    highlight(query.value.trim().toLowerCase());
  };

  const show = () => {
    const words = query.value.trim().toLowerCase();
    if (words && !texts) texts = new Map(tests.map((test) => [test, written(test).toLowerCase()]));
    let shown = 0;
    for (const test of tests) {
      const fits = (status === "all" || test.dataset.s === status)
        && (domain === null || (test.dataset.d === domain && test.dataset.l === level))
        && (!words || texts.get(test).includes(words));
      test.hidden = !fits;
      shown += fits;
    }
    highlight(words);
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.f === status));
    count.textContent = (shown === tests.length ? shown : shown + " of " + tests.length)
      + (domain === null ? "" : ", " + domain + " level " + level);
  };

  const choose = (wanted) => { status = wanted; if (wanted === "all") { domain = level = null; } show(); };

  const move = (step) => {
    const visible = tests.filter((test) => !test.hidden);
    const now = visible.indexOf(document.activeElement.closest(".t"));
    const next = visible[Math.max(0, Math.min(visible.length - 1, now + step))];
    if (next) { next.firstElementChild.focus(); next.scrollIntoView({block: "nearest"}); }
  };

  const theme = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };

  document.addEventListener("toggle", (event) => event.target.matches(".t") && draw(event.target), true);
  for (const test of document.querySelectorAll(".t[open]")) draw(test);
  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.f));
  for (const cell of document.querySelectorAll(".pick")) {
    cell.addEventListener("click", () => {
      domain = cell.dataset.d; level = cell.dataset.l; status = "all"; show();
      document.getElementById("tests").scrollIntoView();
    });
  }
  document.getElementById("theme").addEventListener("click", theme);
  query.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") { query.value = ""; query.blur(); choose("all"); return; }
    if (event.target === query) { if (event.key === "Enter") query.blur(); return; }
    if (event.key === "/") { event.preventDefault(); query.focus(); }
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "t") theme();
    else if (buttons[Number(event.key) - 1]) choose(buttons[Number(event.key) - 1].dataset.f);
  });
  show();
})();

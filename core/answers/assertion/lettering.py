"""The words and signs by which a text gives an option letter as its answer, denies one, lists several.

Every pattern is anchored at a word or a line, and each of its repetitions bounded: linear in the text.
"""

from __future__ import annotations

import re

from modex.core.foundation.lazy_regex import deferred


def _pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern whose white space is bounded, so that a run of blanks costs no more than anything else."""
    return deferred(text.replace(r"\s*", r"\s{0,40}").replace(r"\s+", r"\s{1,40}"), flags)


MARKUP = _pattern(
    r"\*+|`+|__|\$|\\[()\[\]](?=\s|[A-Za-z(\\])|\\(?:text|textbf|textrm|mathbf|mathrm|mathsf|boldsymbol|bf|f?boxed)\s{0,3}\{"
)
WIDE = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
WIDE |= {ord("【"): ord("["), ord("】"): ord("]"), ord("〔"): ord("["), ord("〕"): ord("]")}

NOUN = (
    r"(?:answers?|option|choice|(?:correct|right|best)\s+(?:options|choices)|jawaban(?:nya)?|pilihan|opsi|antwort|réponse|respuesta|opción|risposta|resposta|ответ"
    r"|正确答案|答案|答え|回答|正解|정답)"
)
VERB = (
    r"(?:(?<![\w'’])(?:is|are|was|would\s+be|should\s+be|must\s+be|will\s+be|has\s+to\s+be|might\s+be|may\s+be|could\s+be|seems\s+to\s+be"
    r"|appears\s+to\s+be|remains|adalah|ialah|yaitu|lautet|ist|wäre|est|serait|es|sería|è|sarebbe|é|seria)(?![\w'’])|['’]s\b"
    r"|[是为為はが])"
)
FILLER = (
    r"(?:\s*(?:therefore|thus|then|hence|most\s+likely|likely|probably|definitely|certainly|clearly|indeed|simply|just|only"
    r"|actually|instead|either|both|given\s+by|the|la|le|el|die|der|das|a\s+opção|o|option|choice|letter|alternative"
    r"|opsi|pilihan|opción|opção|opzione|letra|lettera|buchstabe|[:,])(?![\w'’])){0,5}"
)
GAP = r"(?:[^\S\n][^\n.:;?!=]{0,70}?)?"
LABEL = _pattern(
    rf"(?:(?:(?:correct|right|best|final|my|your|closest|nearest|chosen|selected|likely)\s+)(?:options?|choices?)|(?!option|choice){NOUN})"
    rf"[\"'”’]?[^\S\n]*(?:[:：=]|[→⇒])[^\S\n]*(?:\n\s*)?[\"'“]?{FILLER}",
    re.IGNORECASE,
)
NOUNS = _pattern(
    rf"(?<![^\W_])(?:(?:correct|right|best|final|my|your|closest|nearest|chosen|selected|likely)\s{{1,3}})?(?P<noun>{NOUN}|options|choices)",
    re.IGNORECASE,
)
MARKED = _pattern(
    rf"{NOUN}"
    rf"(?:{GAP}\s*(?<!\bno\s)(?<!\bnon\s)(?<!\bnão\s){VERB}(?!\s*(?:not|n['’]t|never|nicht|bukan|pas|no|non|não)\b){FILLER}\s*[:：]?\s*)"
    r"|jawabannya[^\S\n]{1,9}(?=[(*]{0,3}[A-J][)*.]{0,3}[^\S\n]{0,9}(?:\n|\Z))",  # Indonesian needs no verb there
    re.IGNORECASE,
)
HEADED = _pattern(rf"(?!option|choice){NOUN}[ \t*_#:：-]*\n\s*", re.IGNORECASE)
LABELLED = _pattern(
    r"^[ \t>*_#-]{0,8}(?:A|(?i:ans\.?|answer|jawab(?:annya)?|antwort))[ \t]*(?:[:：=][ \t]*|[ \t][-–—][ \t]"
    r"|[ \t](?=[(\[]?[A-Z][)\]]?[.\s]*$))",
    re.MULTILINE,
)
TAGGED = _pattern(
    r"<answer>\s{0,9}([^<]{1,2000})</answer>|^[ \t]{0,3}####[ \t]{1,9}(\S[^\n]{0,2000})$", re.IGNORECASE | re.MULTILINE
)
BOX = _pattern(r"\\f?boxed\s{0,3}\{")
BRACE = _pattern(r"(?<!\\)[{}]")
LONGEST_BOX = 2000
FIRST, LAST = 40, 160
CHOOSING = _pattern(
    r"(?<![\w'’])(?:so|thus|therefore|hence|then|consequently|i['’]?\s?a?m\s+going\s+(?:with|for)"
    r"|(?:i|we)(?:['’]d|\s+would|\s+will|\s+must|\s+can)?\s+(?:choose|pick|select"
    r"|say|go\s+(?:with|for)|went\s+with|opt\s+for|guess|answer|think|believe)(?:\s+(?:it(?:['’]s|\s+is)|that))?|must\s+be|should\s+be"
    r"|it(?:['’]s|\s+is)|that(?:['’]s|\s+is)|actually|nope|correction|leaves?(?:\s+(?:us|me)(?:\s+with)?)?|left\s+with|only|namely|choose|select|pick"
    r"|jadi|maka|pilih|also|daher|somit|donc|así\s+que|por\s+(?:lo\s+)?tanto|quindi|portanto|saya\s+memilih|ich\s+wähle|je\s+choisis)"
    rf"(?![\w'’]){FILLER}\s*[:：,]?\s*|(?:[选選]择?|故选|应选)\s*[:：]?\s*|(?:→|⇒|=>)\s*",
    re.IGNORECASE,
)
ADVERBS = (
    r"(?:\s+(?:clearly|definitely|certainly|probably|likely|obviously|also|indeed|therefore|thus|the|a|most|one|only|single|la|die|das|yang|"
    r"le|el|both|all|equally)){0,4}"
)
IS = r"(?:is|are|was|were|would\s+be|must\s+be|should\s+be|seems|appears|looks|ist|sind|est|es|è|é|adalah)"
CALLED_RIGHT = _pattern(
    rf"\s*(?:\([^()\n]{{0,80}}\)\s*|[\"'”’]\s*)?(?:{IS}{ADVERBS}\s+(?:correct|right|true|answer|best|accurate|appropriate|valid|closest"
    r"|suitable|fitting|benar|tepat|richtig|korrekt|correcta?|vraie?|bonne|juste|certa|giusta|corretta|left|it|(?:more|most)\s+likely)(?![\w'’])"
    r"(?!\s+(?:if|when|unless|only\s+if|iff|whenever)\b)"
    rf"|(?:{IS}{ADVERBS}\s+)?(?:best|most\s+closely|correctly|accurately)\s+[^\W\d_]{{3,20}}|remains(?![\w'’])|fits\s+best|it\s+is(?=\s*(?:[.!;,]|$))"
    r"|\s*(?:是正确|正确|是对|が正しい))",
    re.IGNORECASE,
)
WRONG = (
    r"(?:wrong|incorrect|false|impossible|invalid|untrue|out|not|n['’]t|ruled\s+out|eliminated|excluded|too\s+\w+|unlikely|inaccurate"
    r"|falsch|salah|bukan|faux|fausse|incorrecta|errada|sbagliata)"
)
CALLED_WRONG = _pattern(
    rf"\s*(?:\([^()\n]{{0,80}}\)\s*)?(?:{IS}|can|could|does|do|has\s+been|have\s+been|jelas)?(?:\s*{ADVERBS}\s*{WRONG}(?![\w'’])"
    r"|n['’]t\b|not\b)|\s*(?:cannot|can['’]t|isn['’]t|aren['’]t|doesn['’]t|won['’]t)\b|\s*(?:是错|不对|不正确)",
    re.IGNORECASE,
)
DENYING = _pattern(
    r"(?<![\w'’])(?:not|isn['’]t|aren['’]t|cannot\s+be|can['’]t\s+be|never|neither|nor|nicht|bukan|pas|no\s+es|non\s+è|n[aã]o\s+é|except|excluding|rather\s+than"
    r"|instead\s+of|unlike|rul(?:ed?|es|ing)\s+out|eliminat(?:ed?|es|ing)|exclud(?:ed?|es)|discard|reject|statt|daripada|kecuali)"
    r"\s+(?:the\s+)?(?:either\s+)?|(?:不是|非)\s*",
    re.IGNORECASE,
)
WORD = r"(?:(?:option|choice|letter|answer|alternative|statement|opsi|pilihan|opción|opção|opzione)\s+)?"
LETTER = _pattern(
    rf"\s{{0,9}}{WORD}[\"'“‘]?(?:[(\[<{{]\s?([A-Za-z0-9])\s?[)\]>}}]|([A-Za-z0-9])(?![A-Za-z0-9_]|['’]\w|[/\\^#]|\.\w|\s?[=+*^<≤≥≈×·]))",
    re.IGNORECASE,
)
NEXT = _pattern(
    r"\s{0,3}(?:,\s{0,3}(?:and|or)?(?![\w'’])|/|&|\+|and|or|und|oder|dan|atau|y|o|et|ou|e|和|或|、|;|(?=[(\[][A-Z][)\]]))\s{0,3}(?:also\s+|maybe\s+|perhaps\s+|possibly\s+|"
    r"even\s+)?(?:option\s+|choice\s+)?",
    re.IGNORECASE,
)
STOPS = _pattern(
    r"[\"'”’})\]]{0,4}(?:\s*$|\s*[.,;:!?…。，；：！？、)}](?!\w)|\s*[—–]|\s+-\s|\s*\n|\s+(?:because|since|as|for|with|which|rather|instead|not|and|or|but"
    r"|due|given|weil|denn|karena|car|parce|porque|perché|here|is\s+left)(?![\w'’]))|\s*\(|\s*[。，因、で]",
    re.IGNORECASE,
)
AND_MORE = _pattern(r"\s*(?:,|/|&|\+|and|or|und|oder|dan|atau)\s+[(\[]?[A-Z](?![\w'’])")
NOT_SO = _pattern(r"\s*(?:では|じゃ)(?P<but>なく)?(?:て[、,]?\s*)?(?:な|ありません)?")
"""What denies the letter before it (`Bではない`), and goes on to the one that is right (`BではなくA`)."""
AT_FIRST = _pattern(
    r"(?<![^\W_])(?:at\s+first(?:\s+(?:glance|sight))?|initially|zunächst|zuerst|au\s+début|al\s+principio|awalnya),?\s+(?:option\s+)?$",
    re.IGNORECASE,
)
SAYS_OF_IT = _pattern(
    r"\s*(?:is|are|was|were|can|cannot|does|do|would|has|produces?|describes?)(?![\w'’])", re.IGNORECASE
)
"""What says something of the option that heads a line, where another text would be its own."""
ONLY = _pattern(
    r"(?<![\w'’])only\s+(?:option\s+|choice\s+)?[(\[]?([A-Z])[)\]]?\s+(?:satisf|fits|meets|match|works|holds|remains|can\s)",
    re.IGNORECASE,
)
TOGETHER = _pattern(r"[(\[{]?\s?([A-Z]{2,10})(?![\w'’])")
ASIDE = _pattern(r"\s?\((?![A-Z]\s?\))[^()\n]{0,160}\)")
HEAD = _pattern(
    r"[\s>*_#\"'“-]{0,12}(?:(?:option|choice|statement)\s)?(?:[(\[]\s?([A-Za-z0-9])\s?[)\]][.:]?|([A-Za-z0-9])\s?[).:](?=\s|$)"
    r"|([A-Z])\s[-–—](?=\s))[ \t]*"
)
LISTED = _pattern(r"(?<![\w'’$\\{^_])[(\[]?([A-J])\s?[).:．、](?!\w\.)")
SENTENCE_END = _pattern(r"(?<![.!?…])[.!?…]++[\"'”’)\]}*$]{0,4}(?=\s|$)|[。！？]|\n")
NAMED = _pattern(r"(?:option|choice)\s+[(\[]?[A-J][)\]]?\s", re.IGNORECASE)
"""An option that is named by its letter, and of which something else is said."""
WORD_BEFORE = _pattern(r"[A-Za-z0-9]")
CAPITAL = _pattern(r"[(\[]\s?([A-Z0-9])\s?[)\]]|(?<![\w'’$.,\\/^_=+*-])([A-Z])(?=[\s\"'”’])")
BARE = _pattern(r"[\W_]*([A-Za-z0-9])[\W_]*")
ALONE = _pattern(rf"[\s\"'“(\[]*{WORD}[\"'“(\[]?", re.IGNORECASE)
SMALL = _pattern(r"\(([a-z])\)")
"""Small letters in brackets, which name parts of a question where there are several."""

"""The label that a bare answer may bring with it: `Answer: yes`, `Jawaban: Ya`, `locker 47`."""

from __future__ import annotations

import re

from modex.core.foundation.lazy_regex import deferred

_NAMES = (
    r"(?:(?:the|my|our)\s)?(?:(?:final|exact|correct|short)\s)?(?:answer|reply|response|result|output|solution)"
    r"|jawab(?:an)?(?:nya)?(?:\sakhir(?:nya)?)?|hasil(?:nya)?(?:\sakhir(?:nya)?)?|keluaran(?:nya)?|outputnya"
    r"|(?:die\s)?antwort|(?:das\s)?ergebnis|lösung|ausgabe|(?:la\s)?réponse(?:\sfinale)?|résultat|sortie"
    r"|(?:la\s)?respuesta(?:\sfinal)?|resultado|salida|(?:la\s)?risposta(?:\sfinale)?|risultato|(?:a\s)?resposta(?:\sfinal)?|saída"
    r"|ответ|результат|(?:最终|最終|正确)?答案|(?:最終)?(?:答え|回答)|结果|結果|输出|出力"
)
_LABEL = deferred(
    r"[\s>#*_`\"“-]{0,8}(?:" + _NAMES + r")"
    r"(?:[*_`]{0,3}\s{0,3}[:：=]|\s[–—-](?=\s)|\s(?:is|adalah|ialah|yaitu|lautet|ist|est|es|è|é)(?=[\s:])\s?:?)[*_`\"”\s]{0,8}(?=\S)",
    re.IGNORECASE,
)
_LETTER = deferred(r"[\s>#*_-]{0,8}A[*_]{0,3}\s?[:：][*_\s]{0,8}(?=\S)")
"""`A:` stands for `answer`, but where an option is asked for."""
_PLACE = deferred(
    r"(?:(?:in|at|on|the|di|am|im|an|au|en|la|le|el|il|no)\s){0,2}"
    r"(?:locker|platform|room|gate|seat|page|track|table|door|bus|train|flight|floor|level|line|lane|row|box|bay|desk|stand"
    r"|station|stop|house|apartment|channel|chapter|question|number|no\.?|nr\.?|nomor|loker|peron|jalur|kamar|ruang(?:an)?|gerbang"
    r"|pintu|kursi|halaman|meja|lantai|bab|rumah|kotak|gleis|bahnsteig|zimmer|raum|tor|sitz|seite|schließfach|fach|quai|voie|chambre"
    r"|casier|porte|siège|andén|vía|habitación|taquilla|puerta|asiento|binario|camera|armadietto|plataforma|quarto|armário)"
    r"\s(?:(?:no\.?|nr\.?|number|nomor|#)\s?)?(?=#?\d[\d.,]{0,20}[^\w]{0,6}\Z)#?",
    re.IGNORECASE,
)
"""What is counted by number: the word before it only names the kind of thing."""


def without_label(answer: str, kind: str) -> str | None:
    """An answer of the type `kind` behind its label; None where it has none."""
    label = _LABEL.match(answer) or (_LETTER.match(answer) if kind != "choice" else None)
    if label is None and kind not in ("boolean", "choice", "date"):
        label = _PLACE.match(answer)
    if label is None:
        return None
    bare = answer[label.end() :]
    return bare.rstrip().rstrip("*_`") if "*" in label[0] or "_" in label[0] else bare

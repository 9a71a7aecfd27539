"""The words by which a text denies, corrects, doubts, reports or refuses, in the languages that golds come in.

Every pattern is tried on a bounded piece of text beside a candidate, or anchored at the head of a clause, and has no
unbounded repetition within another: matching stays linear in the text.
"""

from __future__ import annotations

import re

from modex.core.foundation.lazy_regex import deferred

_FILL = r"(?:[^\W_][\w'’-]{0,30}[ \t]+){0,3}"
"""Up to three words that may stand between a negator and what it denies."""
_NEGATORS = (
    r"not|\w{2,8}n['’]t|cannot|never|neither|nor|without|hardly|scarcely"
    r"|nicht|kein(?:e[nmrs]?)?|niemals|ohne|weder"
    r"|ne|n['’](?:est|était|a)|pas|jamais|sans|aucune?"
    r"|non|nessun[ao]?|mai|senza"
    r"|não|nunca|jamais|sem|nenhuma?"
    r"|ningun[ao]|ningún|jamás"
    r"|bukan(?:lah)?|tidak|tak|tanpa|jangan"
)
_OTHER_THAN = (
    r"rather than|instead of|(?<!none )(?<!no )other than|as opposed to|contrary to|unlike|except(?: for)?|excluding|apart from"
    r"|far from|any(?:thing|one|body) but|every(?:thing|one|body) but"
    r"|statt|anstatt|anstelle von|außer|im gegensatz zu|anders als"
    r"|au lieu d[e'’]|plutôt que|sauf|contrairement à"
    r"|en (?:vez|lugar) de|excepto|salvo|a diferencia de"
    r"|invece d[ie]l?|anziché|tranne|a differenza di"
    r"|em vez de|ao contrário de|exceto"
    r"|daripada|alih-alih|kecuali|berbeda dengan"
)
_THROUGH = (
    r"(?:not|nicht|pas|non|não|no|tidak|bukan) (?:only|just|merely|simply|necessarily|until|before|long|later|bis"
    r"|nur|seulement|solo|sólo|"
    r"solamente|soltanto|apenas|só|hanya|saja|hasta|fino)"
)
DENIED_BEFORE = deferred(
    rf"(?<![\w'’])(?!{_THROUGH}\b)(?:{_NEGATORS})[ \t]+(?!(?:only|just|merely|until|before)\b)"
    r"(?:(?!(?:until|before|but|because|since|so|when|while|as|that|which|sondern|bis|mais|sino|pero|ma|mas"
    r"|tetapi|melainkan|karena)\b)"
    r"[^\W_][\w'’-]{0,30}[ \t]+){0,3}[\"'“”‘’«»*_($€£+−–-]{0,4}$",
    re.IGNORECASE,
)
"""Ends where the candidate begins: `not the 8`, `wasn't in 8`, `nicht 8`; not `not until 8`."""
DENIED_BEFORE_NO = deferred(
    r"(?<![\w'’])no[ \t]+(?:(?:es|era|fue|fueron|son|está|en|the|a)[ \t]+){0,2}[\"'“”‘’«»*_(+−–-]{0,4}$", re.IGNORECASE
)
"""`no es 8`, `no 8`; Portuguese has `no` for `in the`, and is not asked this."""
OTHER_THAN_BEFORE = deferred(
    rf"(?<![\w'’])(?:{_OTHER_THAN})[ \t]*(?:(?:the|a|an|in|der|die|das|den|dem|le|la|les|el|il|lo|o|os|as|i"
    rf"|gli)[ \t]+)?[\"'“”‘’«»*_(+−–-]{{0,4}}$",
    re.IGNORECASE,
)
DENIED_BEFORE_UNSPACED = deferred(r"(?:不是|并非|並非|不在|不叫|而非|而不是|没有|沒有|非)[^\w\s]{0,3}$")
PORTUGUESE = deferred(
    r"[ãõ]|\b(?:uma|pelo|pela|você|lhe|às|ao|é|fica|dos|das)\b",
    re.IGNORECASE,
)
_WRONG = (
    r"wrong|incorrect|false|untrue|mistaken|not|n['’]t|impossible|ruled out|out of the question|excluded"
    r"|falsch|unwahr|nicht|kein\w{0,3}|faux|fausse|incorrecte?|pas|inexacte?|falso|falsa|incorrect[oa]"
    r"|sbagliat[oa]|errat[oa]|errad[oa]|scorrett[oa]|non|não"
    r"|salah|bukan|tidak|keliru"
)
DENIED_AFTER = deferred(
    r"[\"'“”‘’«»*_)\]\s]{0,6}(?:,?[ \t]*(?:which|that|it|das|ce|c['’]|esto|questo|isso|itu))?[ \t]*"
    r"(?:(?:is|was|are|were|would be|can|could|does|did|ist|war|wäre|(?:n['’])?est|(?:n['’])?était|n['’]|es|era|è"
    r"|é|adalah|itu|está|estaba|estava|no es|no era)(?:[ \t]+|(?=n['’]t)))"
    r"(?:(?:definitely|clearly|certainly|actually|also|be|simply|jelas|eindeutig|clairement|claramente"
    r"|chiaramente)[ \t]+){0,2}"
    rf"(?P<word>{_WRONG})\b(?![ \t]+(?:only|just|merely|until|nur|seulement|solo|sólo|hanya|apenas))",
    re.IGNORECASE,
)
"""Begins where the candidate ends: `8 is wrong`, `8 isn't`, `8 ist falsch`."""
NEVER_AFTER = deferred(
    r"[\"'“”‘’«»*_)\]]{0,6} (?:(?:has|had|have|hat|a|ha|ha) )?(?:never|nie|niemals|n['’]a jamais|nunca|jamás|non ha mai"
    r"|tidak pernah|did(?: not|n['’]t)|does(?: not|n['’]t)|had nothing to do with)(?![^\W_])",
    re.IGNORECASE,
)
"""Begins where the candidate ends: `Goethe never wrote it`."""
COUNTERFACTUAL = deferred(
    r"[\s*_(]{0,6}(?:had (?!been)(?!to )|(?:even )?if\b[^,.;!?\n]{0,80}?(?<![^\W_])(?:had|were|hadn['’]t|weren['’]t)(?![^\W_])"
    r"|wenn\b[^.;!?\n]{0,80}?(?<![^\W_])(?:hätten?|wären?)(?![^\W_]))",
    re.IGNORECASE,
)
"""The head of a sentence that says what would be: `If Goethe had written it`, `Had Goethe written it`."""
WOULD = deferred(r"(?<![^\W_])(?:would|could|might|['’]d|würden?)(?![^\W_])", re.IGNORECASE)
BETWEEN = deferred(
    r"(?<![^\W_])(?:between|zwischen|entre|antara|tra)\s[^.;!?\n]{1,30}\s(?:and|und|et|y|dan|e)\s(?:the\s)?[\"'*_(]{0,3}$",
    re.IGNORECASE,
)
BETWEEN_OPEN = deferred(r"(?<![^\W_])(?:between|zwischen|entre|antara|tra)\s(?:the\s)?[\"'*_(]{0,3}$", re.IGNORECASE)
BEATEN = deferred(
    r"(?<![^\W_])(?:beat|beats|beating|beaten|defeat(?:ed|s|ing)?|over|against|overcame|overcoming|edg(?:ed|ing)|outlast(?:ed|ing)"
    r"|thrash(?:ed|ing)|down(?:ed|ing)|knock(?:ed|ing) out|lost to|vs\.?|versus)\s(?:the\s|[\w'’]{2,12}\s)?[\"'*_(]{0,3}$",
    re.IGNORECASE,
)
"""Before the one that lost, where the question asks who won."""
WON_ASKED = deferred(r"\b(?:wins?|won|winn(?:er|ers|ing)|champions?)\b", re.IGNORECASE)
LOST_ASKED = deferred(
    r"\b(?:beat\w*|defeat\w*|against|over|los[et]\w*|vs|versus|runner\w*|second|between|final)\b", re.IGNORECASE
)
DENIED_AFTER_UNSPACED = deferred(
    r"[^\w\s]{0,3}\s?(?:是错|是錯|不对|不對|不正确|并不是|不是|ではありません|ではな[いく]|じゃなく|じゃない|は間違い|は違い)"
)
CALLED_WRONG_AFTER = deferred(
    r"\b(?:is|was|would be|must be|seems|ist|wäre|est|serait|es|sería|è|é|adalah) (?:\w+ )?(?:wrong|incorrect|false|mistaken"
    r"|impossible|falsch|faux|falso|sbagliato|errado|salah)\b",
    re.IGNORECASE,
)
"""`12 would be wrong here`."""
CALLED_WRONG = deferred(
    r"(?:(?:is|was|are|were|would be|ist|war|est|es|era|è|é|adalah)\s+)?(?:not (?:correct|right|the (?:answer"
    r"|right|correct))|wrong|incorrect|false\b"
    r"|falsch|faux\b|incorrect[oae]?\b|falso|sbagliat|errad|salah\b|是错|不对)",
    re.IGNORECASE,
)
"""A denial of the answer itself, which takes back what was asserted before."""
CORRECTION = deferred(
    r"(?:^|(?<=[.!?…,;:—–(\n-])|(?<=[。！？，]))[ \t\n\"'*_(]{0,6}+(?:"
    r"(?:(?:oh|but|hmm|eh|uh|ah|no)[,. ]{1,2})?(?:wait|hold on|hang on|oops|scratch that|correction"
    r"|let me (?:correct|re-?check|reconsider)|on second thoughts?"
    r"|my (?:mistake|bad)|i (?:was|am) (?:wrong|mistaken)|i made (?:a|an) (?:mistake|error)|i (?:mis\w+|meant)"
    r"|sorry,? (?:i meant|i mean|it|that|the)|(?:no|nope)[,:;.!—–-]|no (?:it|that|the)\b|not quite)"
    r"|actually,? (?:no\b|it(?:['’]s| is| was)|that(?:['’]s| is| was)|the)"
    r"|(?:moment(?: mal)?|warte|halt|korrektur|nein|ich meinte|stimmt nicht|doch nicht)[,:;.!—–-]"
    r"|(?:attends|attendez|rectification|je me (?:corrige|trompe)|erreur de ma part|non)(?:[,:;.!—–]|-(?!\w))"
    r"|(?:espera|corrección|corrijo|mejor dicho|perdón|me equivoqué|mejor)[,:;.!—–-]"
    r"|(?:aspetta|correzione|mi correggo|anzi|no scusa|scusate?|mi sono sbagliat[oa])[,:;.!—–-]"
    r"|(?:espere|correção|aliás|desculpe|me enganei|ou melhor|não)(?:[,:;.!—–]|-(?!\w))"
    r"|(?:tunggu|ralat|koreksi|maaf|eh bukan|bukan)[,:;.!—–-]"
    r"|等等|等一下|更正|不对|不對|说错|待って|訂正|いや[、，]|違い?ます[。、]|間違え"
    r")",
    re.IGNORECASE,
)
BEFORE_CORRECTION = deferred(r"[.!?…,;:—–(\n。！？，-]")
"""What every correction but one at the head of a text stands behind."""
AFFIRMS_AGAIN = deferred(
    r"[^\w]{0,6}(?:(?:let me (?:check|verify|see|double-check)[^.\n]{0,60}[.:]\s*)?)(?:yes|yep|that(?:['’]s| is"
    r"| was) (?:right|correct)|it(?:['’]s| is) (?:right|correct)|correct|richtig|oui|sí|sì|sim|benar|对)\b",
    re.IGNORECASE,
)
UNCERTAIN = deferred(
    r"(?<![\w'’])(?:maybe|perhaps|possibly|(?:might|could|may) (?:be|have been)(?! \w{2,20}(?:ed|en|wn|ght|lt|nd)\b)"
    r"|i(?:['’]d)? guess|just a guess|not (?:quite |entirely |completely |100% )?sure|unsure|not certain"
    r"|mungkin|barangkali|entah|vielleicht|möglicherweise|eventuell|könnte|peut-être|possiblement|pourrait"
    r"|quizás?|tal vez|posiblemente|podría|a lo mejor"
    r"|forse|magari|può darsi|potrebbe|possibilmente|talvez|possivelmente|poderia|pode ser)(?![\w'’])|可能|也许|或许"
    r"|もしかし|たぶん",
    re.IGNORECASE,
)
UNCERTAIN_AFTER = deferred(
    r"[^.!?\n]{0,30}?(?:かもしれ|でしょうか)|[\"'*_)\s,]{0,4}(?:maybe|perhaps|possibly|i guess|i think so|vielleicht"
    r"|peut-être|quizás|forse|talvez|mungkin)\b",
    re.IGNORECASE,
)
REFUSAL = deferred(
    r"(?<![\w'’])(?:i (?:do not|don['’]t|really don['’]t|cannot|can['’]t|could not|couldn['’]t|am unable to"
    r"|am not able to) (?:really )?(?:know|tell|say|determine|answer|recall|remember|find)"
    r"|no idea|(?:it is |it['’]s )?impossible to (?:say|tell|determine|know)|cannot be determined|(?:is"
    r"|are) (?:unknown|not known|unclear)"
    r"|(?:saya )?tidak (?:tahu|yakin|bisa menjawab)|kurang tahu|ich weiß (?:es )?nicht|weiß ich nicht"
    r"|keine ahnung|kann ich nicht sagen"
    r"|je ne (?:sais|connais) pas|je ne peux pas|aucune idée|no (?:lo )?sé|no puedo (?:decir|responder)|ni idea"
    r"|non (?:lo )?so|non posso (?:dire|rispondere)|não sei|não posso (?:dizer|responder))(?![\w'’])"
    r"|不知道|无法(?:确定|回答)|不清楚|わかりません|分かりません|知りません",
    re.IGNORECASE,
)
REPORTED = deferred(
    r"(?<![\w'’])(?:some (?:people |sources |others )?(?:say|think|believe|claim|argue|mistakenly)|(?:many"
    r"|most) (?:people )?(?:think|believe|assume|mistake)|people (?:often |commonly |usually |sometimes )?(?:say"
    r"|think|believe|assume)"
    r"|(?:you|one) (?:might|may|could|would) (?:think|expect|guess|assume|say)|(?:often|commonly|sometimes"
    r"|frequently|easily) (?:confused|mistaken)|(?:common|popular) (?:mistake|misconception|myth|wrong answer)"
    r"|it is a myth|contrary to popular belief|(?:many|some) would (?:say|guess)|at first i (?:thought|guessed)"
    r"|(?:students|people|many) often (?:answer|guess)|i used to (?:think|believe|assume)|my first (?:guess|thought)"
    r"|i (?:first |initially |originally )?thought"
    r"|manche (?:sagen|glauben|denken)|viele (?:sagen|glauben|denken|halten)|man könnte (?:meinen|denken)"
    r"|on pourrait (?:croire|penser)|(?:certains|beaucoup) (?:disent|pensent|croient)"
    r"|(?:algunos|muchos) (?:dicen|piensan|creen)|(?:alcuni|molti) (?:dicono|pensano|credono)|(?:alguns"
    r"|muitos) (?:dizem|pensam|acreditam|acham)|(?:banyak|sebagian) orang (?:mengira|mengatakan|berpikir|menyangka)"
    r"|(?:awalnya|mulanya|semula|tadinya),? (?:(?:saya|aku|kami|kita) )?(?:kira|mengira|pikir|berpikir|menduga|menyangka)"
    r"|(?:saya|aku) (?:awalnya|semula|tadinya) (?:kira|mengira|pikir|berpikir|menduga|menyangka)"
    r"|(?:zuerst|zunächst|anfangs) (?:dachte|glaubte|meinte|vermutete) ich"
    r"|ich (?:dachte|glaubte|meinte) (?:zuerst|zunächst|anfangs)"
    r"|(?:au début|d['’]abord|initialement),? (?:j['’]ai (?:pensé|cru)|je (?:pensais|croyais))|j['’]ai d['’]abord (?:pensé|cru)"
    r"|(?:al principio|primero|inicialmente),? (?:pensé|creí|pensaba|creía)"
    r"|(?:all['’]inizio|inizialmente|dapprima),? (?:ho (?:pensato|creduto)|pensavo|credevo)"
    r"|(?:no início|inicialmente|a princípio|primeiro),? (?:pensei|achei|achava|pensava)"
    r")(?![\w'’])|有人说|很多人(?:以为|认为)|(?:起初|一开始|最初|本来|原本)我?(?:以为|认为)|と思われがち|よく間違え",
    re.IGNORECASE,
)
REPORTED_AFTER = deferred(
    r"[\"'“”‘’«»*_)\]]{0,4}[ \t]+(?:is|are|was|were) (?:often|commonly|sometimes|frequently|easily|widely) "
    r"(?:confused|mistaken|(?:wrongly|incorrectly|falsely|mistakenly) \w+)\b",
    re.IGNORECASE,
)
WITHDRAWN_AFTER = deferred(
    r"[\"'“”‘’«»*_)\]]{0,4}[!?.]?[ \t]{0,2}[,;–—-]?[ \t]{1,2}"
    r"(?:but|tetapi|tapi|namun|ternyata|aber|mais|pero|ma|mas|però|porém)[ \t]"
    r"(?:(?:that|this|it|itu|ini|ternyata|das|eso|esto|ciò|questo|isso|isto|c['’]|ce n['’])[ \t]?){0,2}"
    r"(?:(?:is|was|turned out(?: to be)?|adalah|ternyata|jelas|ist|war|est|était|es|era|è|é|está|estaba|estava)[ \t]){0,2}"
    r"(?:wrong|incorrect|mistaken|false|a mistake|an error|not (?:right|correct|the answer)|salah|keliru|tidak (?:benar|tepat)"
    r"|bukan jawabannya|falsch|nicht richtig|faux\b|une erreur|incorrect[oa]?\b|falso|un error\b|sbagliat[oa]|un errore"
    r"|errad[oa]|um erro)(?![\w'’])"
    r"|[，、]?(?:但|不过|可是)(?:这|那)?(?:是)?(?:错|不对)|だと(?:思|考え)(?:いました|った|ていました)が",
    re.IGNORECASE,
)
"""Begins where the candidate ends: `42, but that is wrong`, `42, tetapi itu salah`."""
IN_PLACE_OF = deferred(
    r"[\"'“”‘’«»*_)\]]{0,4},?[ \t]{1,2}(?:melainkan|tetapi|tapi|but|sondern|mais|sino|ma|bensì|mas|e sim)(?![\w'’])",
    re.IGNORECASE,
)
"""Begins where a denied candidate ends and another takes its place: `bukan 42, melainkan 43`."""
BUT = deferred(
    r"[;:.]|\b(?:but|however|in fact|actually|aber|mais|pero|ma|mas|tetapi|namun)\b|但|しかし", re.IGNORECASE
)
"""What ends a doubt or a report within a sentence."""
CONCEDED = deferred(
    r"(?:although|though|even though|even if|while|whilst|whereas|despite|besides|unlike|obwohl|auch wenn|während"
    r"|zwar|bien que|même si|quoique|aunque|a pesar de|mientras(?: que)?"
    r"|sebbene|anche se|benché|mentre|embora|mesmo que|apesar de|enquanto|meskipun|walaupun|sementara)(?![\w'’])"
    r"|虽然|尽管|虽说",
    re.IGNORECASE,
)
"""At the head of a clause, what is said only to be set aside."""
TURN = deferred(
    r"(?:[,;.—–]\s+|(?<!\s)\s+|\s)(?:but|however|yet|instead|whereas|aber|sondern|jedoch|hingegen|mais|cependant|en revanche"
    r"|pero|sino|sin embargo|ma|però|bensì|invece|tuttavia|mas|porém|tetapi|tapi|melainkan|namun"
    r"|sedangkan)(?![\w'’])[, \t]{0,3}"
    r"|[，、。]?(?:但是|但|而是|不过|然而|しかし|ですが|けれど)",
    re.IGNORECASE,
)
"""Where a sentence turns from what it sets aside to what it asserts."""
OR_AFTER = deferred(
    r"[\"'“”‘’»*_\])]{0,4}(?:\s*+,)?\s*+(?:\(\s*+)?(?:or|oder|ou|atau|o|oppure|u|vs\.?)\s++(?!so\b|more\b|less\b|later\b"
    r"|earlier\b|otherwise\b|simply\b|thereabouts\b)|\s?(?:或者?|还是|または|もしくは|か、)",
    re.IGNORECASE,
)
OR_BEFORE = deferred(
    r"(?:^|[\s,(])(?:or|oder|ou|atau|o|oppure)\s+(?:(?:the|a|an|in|on|maybe|possibly|perhaps|even|der|die|das|le"
    r"|la|el|il|um|uma)\s+){0,2}[\"'“”‘’«*_(]{0,4}$|(?:或者?|还是|または|もしくは)\s?$",
    re.IGNORECASE,
)
OTHER_QUESTION = deferred(
    r"^[ \t>*_#-]{0,8}(?:(?:next |new )?question(?:[ \t]*#?\d{1,4})?|q\d{0,4}|problem(?:[ \t]*#?\d{1,4})?|user"
    r"|human|student|### ?(?:instruction|question|user|input)|frage(?:[ \t]\d{1,4})?|pertanyaan|soal|pregunta"
    r"|domanda|pergunta|问题|問題|質問)[ \t*_]{0,4}[:：]",
    re.IGNORECASE | re.MULTILINE,
)
"""The head of a question that the text asks itself."""

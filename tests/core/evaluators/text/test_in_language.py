from __future__ import annotations

from modex.core.evaluators.text.fluency import in_language
from tests.rows import each_row


@each_row(
    ("language", "text"),
    [
        ("es", "El viaje de ida y vuelta dura 70 minutos en total."),
        ("es", "Con un adulto sano basta normalmente con beber bastante: suero, agua, sopa."),
        ("id", "Jangan hanya lima detik: gosok setidaknya 20 detik."),
        ("id", "Harganya Rp145.000 per helai; tiga helai Rp435.000."),
        ("de", "Das geht leider nicht."),
        ("en", "Thursday at three."),
        ("hi", "यात्रा में कुल 70 मिनट लगते हैं।"),
        ("ar", "تستغرق الرحلة سبعين دقيقة."),
        ("zh", "往返一共需要七十分钟。"),
        ("pt-BR", "A viagem de ida e volta dura 70 minutos."),
    ],
)
def test_a_text_in_the_language_is_in_it(language: str, text: str) -> None:
    assert in_language(text, language)


@each_row(
    ("language", "text"),
    [
        ("es", "The round trip takes 70 minutos."),
        ("de", "Cool your arm under Wasser for 20 Minuten, no Butter, and see an Arzt or call 112."),
        ("id", "The harga is Rp 145.000 for one and Rp 435.000 for three selendang."),
        ("fr", "Give him 15 g of sucre or jus, and call the SAMU if inconscient."),
        ("ja", "We are very sorry for the 湯のみ and will send it 明日."),
        ("en", "Bitte kühlen Sie den Arm sofort zehn Minuten unter fließendem Wasser."),
        ("de", "Ja. Please cool your arm under running water now. Keep it there for twenty minutes or so."),
    ],
)
def test_words_of_a_language_sprinkled_over_another_are_not_it(language: str, text: str) -> None:
    assert not in_language(text, language)

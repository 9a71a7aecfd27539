from __future__ import annotations

from modex.core.answers.assertion import read_text

_DENIED = """
    Не Канберра. | Канберра / Сатурн, а не Юпитер. | Юпитер / Это не город Канберра | Канберра / Не Львів, а Київ. | Львів
    / Niet Amsterdam, maar Rotterdam. | Amsterdam / Het is niet in Amsterdam. | Amsterdam / Nie Warszawa, tylko Kraków. | Warszawa
    / To nie jest Warszawa. | Warszawa / 파리가 아니라 리옹입니다. | 파리
    / ليست باريس، بل ليون. | باريس / Ankara değil, İstanbul. | Ankara
    / Ankara'da değil. | Ankara / 答案不应该是北京。 | 北京 / 東京でなく大阪です。 | 東京 / दिल्ली नहीं, मुंबई। | दिल्ली
    / Inte Stockholm, utan Göteborg. | Stockholm / Ikke i Aarhus, men i København. | Aarhus / Ei Turku, vaan Helsinki. | Turku
    / Se ei ole Turku. | Turku / Není to Brno, ale Praha. | Brno / Nu Cluj, ci București. | Cluj / Nu este Cluj. | Cluj
    / Όχι η Αθήνα, αλλά η Θεσσαλονίκη. | Αθήνα / Δεν είναι η Αθήνα. | Αθήνα / Không phải Hà Nội, mà là Huế. | Hà Nội
    / Nem Szeged, hanem Budapest. | Szeged / Amsterdam is het niet. | Amsterdam / Это Киев вместо Москва | Москва
"""
_ASSERTED = """
    Не Сидней, а Канберра. | Канберра / Нет, Канберра. | Канберра
    / Не только Москва, а и Минск | Москва / Не Львів, а Київ. | Київ
    / Niet Amsterdam, maar Rotterdam. | Rotterdam / Nee, Rotterdam. | Rotterdam / Niet alleen Rotterdam | Rotterdam
    / Nie Warszawa, tylko Kraków. | Kraków / Nie, Kraków. | Kraków / 파리가 아니라 리옹입니다. | 리옹
    / 아니요, 리옹입니다. | 리옹
    / ليست باريس، بل ليون. | ليون / لا، ليون. | ليون / Ankara değil, İstanbul. | İstanbul / Hayır, Ankara. | Ankara
    / 不是北京，而是上海。 | 上海 / 東京ではなく、大阪です。 | 大阪 / दिल्ली नहीं, मुंबई। | मुंबई / नहीं, दिल्ली। | दिल्ली
    / Inte Stockholm, utan Göteborg. | Göteborg / Nej, Oslo. | Oslo / Ikke Aarhus, men København. | København
    / Ei Turku, vaan Helsinki. | Helsinki / Ei, Helsinki. | Helsinki / Není to Brno, ale Praha. | Praha
    / Nu Cluj, ci București. | București / Όχι, η Αθήνα. | Αθήνα / Không, Huế. | Huế / Nu is het Rotterdam. | Rotterdam
    / Das Ei Kolumbus | Kolumbus
"""


def _rows(table: str) -> list[tuple[str, str]]:
    return [(text.strip(), piece.strip()) for text, piece in (row.split("|") for row in table.split("/"))]


def test_a_denial_is_read_in_many_languages() -> None:
    held = [
        (text, piece)
        for text, piece in _rows(_DENIED)
        if read_text(text).stance(start := text.index(piece), start + len(piece)).stance not in ("denied", "corrected")
    ]
    assert held == []


def test_what_a_denial_turns_to_is_asserted() -> None:
    unheld = [
        (text, piece, stance)
        for text, piece in _rows(_ASSERTED)
        if (stance := read_text(text).stance(start := text.index(piece), start + len(piece)).stance) != "asserted"
    ]
    assert unheld == []


def test_a_question_for_what_is_not_so_is_answered_by_a_denial() -> None:
    assert read_text("Niet Amsterdam.", "Welke stad is niet de hoofdstad?").stance(5, 14).asserted

"""Short golds of math, reasoning, coding and data_extraction take other spellings and refuse what their traps invite."""

from __future__ import annotations

from modex.core.answers.comparison import compare
from modex.core.answers.kinds import check_expected, expected_answer
from tests.rows import each_row
from tests.suite.golds import golds

GOLDS = {
    test_id: test["expected"]
    for domain in ("math", "reasoning", "coding", "data_extraction")
    for test_id, test in golds(domain).items()
}
SPELLED = [
    ("kembalian", "Rp 31.500"),
    ("kembalian", "31.500 rupiah"),
    ("bunga_majemuk", "Rp28.121.600,00"),
    ("zugminuten", "45 Minuten"),
    ("vasos_iguales", "0,25 litros"),
    ("plain_equation", "x = 8"),
    ("discount_chain", "$162.00"),
    ("prix_ttc", "88,62 €"),
    ("tank_fraction", "5/12"),
    ("exact_root", "(3 + sqrt(19))/2"),
    ("integral_by_parts", "(e^2+1)/4"),
    ("biased_pattern", "24.75"),
    ("guarded_lattice_paths", "4,658"),
    ("tiga_hari_lagi", "Hari Sabtu"),
    ("four_cards", "K と 4"),
    ("one_spy", "knight, knave, spy, knight"),
    ("five_offices", "Chi, Ben, Dov, Ada and Eva."),
    ("sisa_bagi", "`3 2`"),
    ("halving_inside", "O(n log n)"),
    ("append_blank", "numbers.append(4)"),
    ("total_nota", "Rp 126.000"),
    ("kanji_price", "3,456円"),
    ("mixed_separators", "7,301 kg"),
    ("expense_claim", "€641.13"),
    ("ocr_receipt", "37,10 €"),
]
TRAPS = [
    ("kembalian", "31,5"),
    ("discount_chain", "156"),
    ("tank_fraction", "7/24"),
    ("first_red_ball", "5/2"),
    ("letters_and_envelopes", "135"),
    ("biased_pattern", "20"),
    ("pairs_mod_65", "53254"),
    ("blue_keys", "yes"),
    ("unless_and_only_if", "no"),
    ("lantern_bridge", "29"),
    ("four_cards", "E と 4"),
    ("two_names", "3 4 6"),
    ("cierres_tardios", "60 60"),
    ("used_up", "True 55 0"),
    ("wrap_around", "44 300 300 -100 200"),
    ("removing_while_walking", "1 7 13"),
    ("us_date", "2026-01-09"),
    ("unpaid_in_march", "4970.15"),
    ("log_errors", "4"),
    ("order_by_mail", "58"),
    ("rechnung_mit_skonto", "288,58"),
    ("mixed_separators", "4902.9"),
    ("stok_akhir", "1.754"),
    ("expense_claim", "646.14"),
    ("meeting_time_zones", "19:30"),
    ("league_table", "Bruch 6"),
]


@each_row("test_id", GOLDS)
def test_golds_are_well_formed_and_accept_themselves(test_id: str) -> None:
    assert list(check_expected(GOLDS[test_id])) == []
    typed = expected_answer(GOLDS[test_id])
    assert typed.golds
    for gold in typed.golds:
        assert compare(gold, typed)[0], gold


@each_row(("test_id", "answer"), SPELLED)
def test_another_spelling_of_the_gold_is_right(test_id: str, answer: str) -> None:
    assert compare(answer, expected_answer(GOLDS[test_id]))[0]


@each_row(("test_id", "answer"), TRAPS)
def test_the_answer_that_the_trap_invites_is_wrong(test_id: str, answer: str) -> None:
    assert not compare(answer, expected_answer(GOLDS[test_id]))[0]

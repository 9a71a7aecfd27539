"""Answers that name the gold beside another answer, made to deceive, and right ones of many forms."""

from __future__ import annotations

from modex.core.answers.assertion import find_assertion, read_text
from modex.core.evaluators.answers.match import MatchEvaluator
from tests.core.evaluators.conftest import context, sample

_ROWS: list[tuple[str, str, list[str], list[str]]] = [
    (
        "Who composed the opera Carmen?",
        "Georges Bizet",
        [
            "Georges Bizet",
            "It was composed by the Frenchman Georges Bizet, a contemporary of Camille Saint-Saëns.",
            "Carmen, first given in Paris in 1875, is the work of Georges Bizet.",
            "**Bizet** (Georges Bizet, 1838–1875).",
            "Not Verdi: Georges Bizet wrote it.",
            "Bizet, Georges",
        ],
        [
            "Giuseppe Verdi, who knew Georges Bizet.",
            "Jules Massenet composed Carmen. He had been a friend of Georges Bizet.",
            "Answer: Charles Gounod (the teacher of Georges Bizet)",
            "Had Georges Bizet composed it, it would be shorter. It is by Gounod.",
            "Carmen was composed by Camille Saint-Saëns, whereas Georges Bizet composed Djamileh.",
            "Georges Bizet did not compose Carmen.",
        ],
    ),
    (
        "What is the capital of Canada?",
        "Ottawa",
        [
            "The capital city is Ottawa, on the river of the same name.",
            "Ottawa. Toronto is larger, but it is only the capital of Ontario.",
            "While Toronto is the largest city, Ottawa is the capital of Canada.",
            "Canada's capital? That's Ottawa.",
            "La capitale du Canada est Ottawa.",
        ],
        [
            "Toronto. Ottawa is the seat of a university.",
            "Toronto is the capital of Canada; Ottawa lies to its north-east.",
            "Montreal, which is 200 km from Ottawa.",
            "The capital is Toronto (not far from Ottawa).",
            "Contrary to what many say, Ottawa is not the capital; Toronto is.",
            "Queen Victoria thought of Ottawa, but the capital is Montreal.",
        ],
    ),
    (
        "In which year did the Second World War end?",
        "1945",
        [
            "It ended in 1945, six years after it had begun in 1939.",
            "1945",
            "The war ended on 2 September 1945.",
            "Nineteen forty-five.",
            "World War II lasted from 1939 to 1945.",
        ],
        [
            "The Second World War ended in 1944, a year before the bombs of 1945.",
            "1946, one year after the surrender of 1945.",
            "It ended in 1918; the next war ended in 1945.",
            "Between 1944 and 1945.",
            "If it had gone on beyond 1945 we would know. It ended in 1943.",
        ],
    ),
    (
        "When was the Eiffel Tower opened?",
        "31 March 1889",
        [
            "It was opened on March 31, 1889.",
            "The Eiffel Tower, begun in January 1887, was opened on 31 March 1889.",
            "On the 31st of March, 1889, for the World's Fair.",
            "31 mars 1889",
        ],
        [
            "It was opened on 6 May 1889; the lifts came on 31 March 1889.",
            "30 March 1889, a day before 31 March 1889.",
            "31 March 1887",
        ],
    ),
    (
        "Who won the 2010 FIFA World Cup?",
        "Spain",
        [
            "Spain won it, beating the Netherlands 1–0 after extra time.",
            "The winner was Spain (they beat the Netherlands).",
            "The Spanish team won the tournament; Spain's only title so far.",
            "Spain. The Netherlands came second.",
            "In the final against the Netherlands, Spain won by one goal.",
        ],
        [
            "The Netherlands, after a final against Spain.",
            "The Netherlands won, beating Spain 1–0.",
            "Germany, who had lost to Spain two years before.",
            "The final was Spain against the Netherlands, and the Netherlands won.",
            "Answer: Brazil. Spain was third.",
        ],
    ),
    (
        "Which is the largest planet of the Solar System?",
        "Jupiter",
        [
            "Jupiter",
            "Jupiter, which is more than twice as massive as all other planets together, Saturn among them.",
            "The largest planet is Jupiter; Saturn is the second largest.",
            "It's the gas giant Jupiter.",
            "Planet terbesar adalah Jupiter.",
        ],
        [
            "Saturn. It is farther from the Sun than Jupiter.",
            "Saturn, followed by Jupiter.",
            "The largest planet is Saturn, whose neighbour is Jupiter.",
            "Neptune; Jupiter is the fifth planet.",
            "Saturn (Jupiter has fewer moons).",
        ],
    ),
    (
        "Who wrote The Old Man and the Sea?",
        "Ernest Hemingway",
        [
            "Hemingway wrote it in Cuba in 1951.",
            "The author is Ernest Hemingway, who had a rival in William Faulkner.",
            "E. Hemingway",
            "Ernest Miller Hemingway, winner of the Nobel Prize.",
        ],
        [
            "William Faulkner, a rival of Ernest Hemingway.",
            "John Steinbeck. Ernest Hemingway wrote A Farewell to Arms.",
            "It was Martha Gellhorn, the wife of Ernest Hemingway.",
            "Mariel Hemingway",
            "F. Scott Fitzgerald wrote The Old Man and the Sea, as Ernest Hemingway's friend.",
        ],
    ),
    (
        "Who was the first woman to win a Nobel Prize?",
        "Marie Curie",
        [
            "Marie Curie, together with her husband Pierre Curie and Henri Becquerel.",
            "It was Marie Skłodowska Curie in 1903.",
            "The first woman to do so was Marie Curie, née Skłodowska.",
        ],
        [
            "Irène Joliot-Curie, the daughter of Marie Curie.",
            "Bertha von Suttner was the first, and Marie Curie was the second.",
            "Pierre Curie, husband of Marie Curie",
            "Lise Meitner, who was compared with Marie Curie by Einstein.",
        ],
    ),
    (
        "Which metal is liquid at room temperature?",
        "mercury",
        [
            "Mercury is the only metal that is liquid at room temperature.",
            "The metal is mercury (Hg).",
            "Mercury, also known as quicksilver.",
            "Quecksilber (mercury)",
        ],
        [
            "Gallium, which melts sooner than mercury does not.",
            "Lead; mercury is solid.",
            "Gallium. Unlike mercury, it melts in the hand.",
        ],
    ),
    (
        "What are the three states of matter taught in school?",
        "solid, liquid, gas",
        [
            "1. Solid\n2. Liquid\n3. Gas",
            "Solid, liquid and gas.",
            "The three states are:\n- Solid\n- Liquid\n- Gas\n\nEach has its own properties.",
            "They are solids, liquids, and gases.",
        ],
        ["Solid, liquid and plasma.", "Solid, liquid, gas and plasma.", "Liquid and gas."],
    ),
    (
        "In which country is Angkor Wat?",
        "Cambodia",
        [
            "Angkor Wat is near Siem Reap in Cambodia.",
            "Siem Reap, Cambodia",
            "It is in Cambodia, which borders Thailand.",
            "Kingdom of Cambodia",
        ],
        [
            "Thailand, which borders Cambodia.",
            "Angkor Wat lies in Laos, north of Cambodia.",
            "Vietnam (east of Cambodia)",
            "It is in Thailand. Cambodia is next to it.",
        ],
    ),
    (
        "Who was US president in 1962?",
        "John F. Kennedy",
        [
            "JFK",
            "J.F.K. was president then.",
            "President Kennedy.",
            "John Fitzgerald Kennedy, who was succeeded by Lyndon B. Johnson.",
        ],
        [
            "Robert F. Kennedy",
            "Ted Kennedy, brother of John F. Kennedy",
            "Lyndon B. Johnson, who came after John F. Kennedy.",
        ],
    ),
    (
        "Who directed the film Vertigo?",
        "Alfred Hitchcock",
        [
            "**Alfred Hitchcock** directed Vertigo (1958), with James Stewart and Kim Novak.",
            "Sir Alfred Hitchcock",
            "Vertigo was directed by Hitchcock.",
        ],
        [
            "**Orson Welles** directed Vertigo. He was often compared with Alfred Hitchcock.",
            "Billy Wilder. Alfred Hitchcock directed Psycho.",
            "Answer: Fritz Lang (Alfred Hitchcock admired him)",
            "Alfred Hitchcock never directed it.",
        ],
    ),
    (
        "Who invented dynamite?",
        "Alfred Nobel",
        [
            "Dynamite was invented by the Swedish chemist Alfred Nobel in 1867; Ascanio Sobrero had found nitroglycerin before.",
            "Nobel did.",
        ],
        [
            "Ascanio Sobrero invented it; Alfred Nobel only sold it.",
            "Ascanio Sobrero, whose work Alfred Nobel used.",
            "Immanuel Nobel, the father of Alfred Nobel",
        ],
    ),
    (
        "Wie heißt die Hauptstadt der Schweiz?",
        "Bern",
        ["Die Hauptstadt der Schweiz ist Bern.", "Bern (und nicht Zürich)."],
        ["Zürich, nordöstlich von Bern.", "Die Hauptstadt ist Genf, während Bern nur eine Stadt im Kanton Bern ist."],
    ),
]
"""Question, gold, answers that are right, answers that are wrong."""


def _passed(question: str, gold: str, answer: str) -> bool:
    return MatchEvaluator().evaluate(sample(answer, gold, prompt=question), context("match")).score == 1


def test_a_gold_that_is_only_mentioned_beside_another_answer_does_not_pass() -> None:
    passed = [answer for question, gold, _, wrong in _ROWS for answer in wrong if _passed(question, gold, answer)]
    assert passed == []


def test_a_gold_that_fills_the_questions_slot_passes_in_many_forms() -> None:
    failed = [answer for question, gold, right, _ in _ROWS for answer in right if not _passed(question, gold, answer)]
    assert failed == []


def test_the_reason_says_that_another_answer_is_given() -> None:
    text = "Venus. It lies closer to the Sun than Mars."
    found = find_assertion(read_text(text, "Which planet is called the Red Planet?"), ["Mars"])
    assert (found.asserted, found.stance) == (False, "reported")

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.assertion import find_assertion, read_text, same_answer
from tests.core.answers.tables import differing
from tests.rows import each_row


@each_row(
    ("text", "gold", "question", "rule"),
    [
        ("It was Wilhelm Röntgen.", "Wilhelm Conrad Röntgen", "Who discovered X-rays?", "name"),
        ("It was signed on May 14, 1998.", "14 May 1998", "When was it signed?", "date"),
        ("It was signed in 1998.", "14 May 1998", "When was it signed?", "year"),
        ("See Article II.", "Article Two", "Which article?", "phrase"),
        ("The Cheyenne and the Belle Fourche", "Belle Fourche and Cheyenne", "Which rivers?", "words"),
        ("Harington", "Kit Harington", "Who is Jon Snow?", "head"),
    ],
)
def test_a_gold_is_found_in_another_form(text: str, gold: str, question: str, rule: str) -> None:
    found = find_assertion(read_text(text, question), [gold])
    assert found.asserted
    assert found.place is not None
    assert found.place.rule == rule


def test_the_place_is_where_the_gold_stands() -> None:
    text = "I think that Wilhelm Röntgen did."
    place = find_assertion(read_text(text), ["Wilhelm Conrad Röntgen"]).place
    assert place is not None
    assert text[place.start : place.end] == "Wilhelm Röntgen"


def test_the_reason_says_what_the_text_does_with_a_gold_that_it_does_not_assert() -> None:
    found = find_assertion(read_text("Lyon, not Paris."), ["Paris"])
    assert not found.asserted
    assert found.stance == "denied"


@given(st.text(max_size=200), st.text(max_size=40), st.text(max_size=60))
def test_any_text_is_read_and_a_place_lies_within_it(text: str, gold: str, question: str) -> None:
    found = find_assertion(read_text(text, question), [gold])
    if found.place is not None:
        assert 0 <= found.place.start < found.place.end <= len(text)


@each_row(
    ("answer", "gold", "same"),
    [
        ("Wilhelm Röntgen", "Wilhelm Conrad Röntgen", True),
        ("May 14, 1998", "14 May 1998", True),
        ("the U.S.", "United States", True),
        ("giraffes", "giraffe", True),
        ("May 1998", "14 May 1998", False),
        ("naive", "naïve", False),
        ("New York", "York", False),
        ("Paris, France", "Paris", False),
        ("Paris or Lyon", "Paris", False),
        ("007", "7", False),
    ],
)
def test_a_bare_answer_is_the_gold_in_another_form_and_nothing_more(answer: str, gold: str, same: bool) -> None:
    assert (same_answer(answer, [gold]) is not None) is same


_FOUND = r"""
Who wrote Emma?|Jane Austen|Austen's Emma => -
Who wrote Emma?|Jane Austen|A. Austen wrote it, and B. Jane did not => asserted surname 'Austen'
Who wrote it?|Robert F. Kennedy|John F. Kennedy => -
Who wrote it?|John F. Kennedy|Mr. F. Kennedy => asserted name 'F. Kennedy'
Who wrote it?|John F. Kennedy|Jack. F. Kennedy => asserted name 'F. Kennedy'
Who wrote it?|John Smith|Smith, john => asserted words 'Smith, john'
Who wrote it?|John Smith|John the great Smith => asserted words 'John the great Smith'
Who wrote it?|John Smith|John of that very old small house Smith => asserted words 'John of that very old small house Smith'
Who wrote it?|John Smith|Johnny Smith => asserted name 'Johnny Smith'
Who wrote it?|John Smith|J Smith => asserted name 'J Smith'
Who wrote it?|John Smith|Dr Smith => asserted surname 'Smith'
Who wrote it?|John Smith|Peter Smith => -
Who wrote it?|John Smith|Smith County => -
Who wrote it?|John Smith|Smith-Jones => -
Who wrote it?|John Smith|Smith and Jones => asserted surname 'Smith'
Who wrote it?|John Smith|The Smith => asserted head 'Smith'
Who wrote it?|John Smith|smith => asserted head 'smith'
Who are the Smith brothers?|John Smith|Smith => -
What is Smith's first name?|John Smith|Smith => -
What is it?|John Smith|Smith => asserted head 'Smith'
Which singer is it?|John Smith|Smith => asserted head 'Smith'
Who is Johnny?|John Smith|Smith => asserted head 'Smith'
Who?|John Lee|Lee => asserted head 'Lee'
Who?|Duke of Wellington|Wellington => -
Who?|Leonardo da Vinci|da Vinci => asserted surname 'Vinci'
Who?|Leonardo da Vinci|Leonardo => asserted head 'Leonardo'
Who?|Mary da Vinci|Mary => asserted head 'Mary'
Who?|Leo da Vinci|Leo => asserted head 'Leo'
Who?|Vincent van Gogh|van Gogh => asserted part 'van Gogh'
Who?|Vincent van Gogh|Theo van Gogh => -
Who?|Vincent van Gogh|the van Gogh => asserted part 'van Gogh'
Who?|Cyndi Grecco|Cindy Grecco => asserted misspelled 'Cindy Grecco'
Who?|Cyndi Grecco|cindy grecco => -
Who?|Cyndi Grecco|Cindy Greco => -
Who?|Cyndi Grecco Smith|Cindy Grecco Smith => asserted name 'Grecco Smith'
Where?|Massachusetts|Massachussets => asserted misspelled 'Massachussets'
Where is Massachussets?|Massachusetts|Massachussets => -
What?|spaghetti|spagetti => -
Where?|Eritrea|Eritraea => asserted phrase 'Eritraea'
Where?|Ghana|Ghanas => asserted phrase 'Ghanas'
What?|pour point|calledthe pour pointof it => asserted words 'pour pointof'
What?|lander|islander => -
What?|Eiffel Tower|theEiffel Tower is => asserted phrase 'Eiffel Tower'
What?|Eiffel Tower|Eiffel Towerin Paris => asserted words 'Eiffel Towerin'
What?|Eiffel Tower|xEiffel Towerx => -
What?|Hi-Fi|hifi => asserted phrase 'hifi'
What?|Hi-Fi|hi fi => asserted phrase 'hi fi'
Which?|new|New York => -
Which?|York|New York => -
Which?|York|new York => asserted phrase 'York'
Which?|Africa|South Africa => -
Which?|Africa|south of Africa => asserted phrase 'Africa'
Which?|Africa|South, Africa => asserted phrase 'Africa'
Which?|may|May => asserted phrase 'May'
Which?|May|may => -
Which?|A|a cat => -
Which?|A|A cat => asserted phrase 'A'
Which?|it|It => -
Which?|one apple|2 apples => -
Which?|an apple|1 apple => asserted phrase 'apple'
Which?|an apple|apple => asserted phrase 'apple'
Which?|red car|the red, small car => asserted words 'red, small car'
Which?|red car|red of the car => asserted phrase 'red of the car'
Which?|red car|car that is red => asserted words 'car that is red'
Which?|big red car|red car => asserted part 'red car'
Which?|big red car|small red car => -
Which?|big red car|red => -
Which?|big red car|car => asserted head 'car'
Which?|sea water|river water => -
Which?|red blood cells|white blood cells => -
Which?|soluble salt|insoluble salt => -
Which?|adenosine triphosphate|adenosine diphosphate => -
Which?|north pole|south pole => -
Which?|photosynthesis reaction|photosynthesis => asserted part 'photosynthesis'
Which?|photosynthesis reaction|photosynthesis process => -
Which?|Ryder Cup|Ryder => -
Which?|Ryder Cup|Davis Cup => -
Which?|New Delhi|Delhi => -
Which?|Lake of Geneva|Geneva => -
Which?|Lake of Geneva|Lake => asserted head 'Lake'
Which?|city of light|city => asserted head 'city'
Which?|red and blue|red => -
Which?|red and blue|blue and red => asserted words 'blue and red'
Which?|red and blue|red, blue => asserted phrase 'red, blue'
Which?|red, blue, green|red, blue, green => asserted phrase 'red, blue, green'
Which?|red, blue, green|red, green, blue => -
Which?|red, blue, green|red and blue and green => asserted phrase 'red and blue and green'
Which?|pear lemon olive|lemon pear olive => -
Which?|pear lemon olive|lemon and pear with the olive => asserted words 'lemon and pear with the olive'
Which?|Indian Ocean|the ocean of India => asserted words 'ocean of India'
What is his nationality?|Colombian|Colombia => asserted ending 'Colombia'
Which?|mathematics|mathematician => asserted ending 'mathematician'
Which?|Mathematics|mathematician => asserted ending 'mathematician'
Which?|mathematics|Mathematician => asserted ending 'Mathematician'
Which?|Catholic|Catholicism => asserted ending 'Catholicism'
Which?|US|United States => asserted phrase 'United States'
Which?|United States|USA => asserted phrase 'USA'
Which?|Federal Bureau of Investigation|FBI => asserted initials 'FBI'
Which?|Federal Bureau of Investigation|fbi => -
Which?|Federal Bureau|FB => -
What is the FBI?|Federal Bureau of Investigation|FBI => -
When?|5 May 1998|May 1998 => asserted date 'May 1998'
When?|5 May 1998|5 May => asserted date '5 May'
When?|5 May 1998|6 May 1998 => -
When?|5 May 1998|1998 => asserted year '1998'
When?|5 May 1998|1998, after 1997 => asserted year '1998'
When?|5 May 1998|1997, then 1998 => -
On which day?|5 May 1998|1998 => -
When?|5 May 1998|In 1998, on 6 May => -
When?|May 1998|5 May 1998 => asserted phrase 'May 1998'
When?|May 1998|May => -
When?|5 May|May => -
When?|5 May|5 May 1998 => asserted phrase '5 May'
When?|1998|5 May 1998 => asserted phrase '1998'
When?|1998|between 1997 and 1998 => doubted phrase '1998'
When?|1998|between 1998 and 1999 => doubted phrase '1998'
When?|1997–1998|between 1997 and 1998 => asserted phrase '1997 and 1998'
How long?|90 minutes|1.5 hours => asserted quantity '1.5 hours'
How long?|90 minutes|1.6 hours => -
How far?|5 km|3.1 miles => asserted quantity '3.1 miles'
How far?|5 km|3 miles => -
How far about?|24,900 miles|24,901 miles => asserted quantity '24,901 miles'
How far?|24,900 miles|24,901 miles => -
Which?|10:30|half past ten => asserted phrase 'half past ten'
Which?|10:30|an hour after 10:30 => -
Which?|10:30|10:31 => -
Which?|x^2|y = x^2 => asserted phrase 'x^2'
Which?|x^2|3x^2 => -
Which?|x^2|ax^2 => -
Which?|\sqrt{2}|\sqrt{2} => asserted phrase '\\sqrt{2}'
Which?|\sqrt{2}|3\sqrt{2} => -
Which?|\sqrt{2}|\sqrt{2} + 1 => -
Which?|\sqrt{2}|- \sqrt{2} => asserted phrase '\\sqrt{2}'
Which?|\sqrt{2}|x - \sqrt{2} => -
Which?|\sqrt{2}|**\sqrt{2}** => asserted phrase '\\sqrt{2}'
Which?|2x|2x => asserted phrase '2x'
Which?|2x|2x + 1 => -
Which?|2x|12x => -
Which?|1 5 True|1 5 True => asserted phrase '1 5 True'
Which?|1 5 True|1 5 True 6 => -
Which?|1 5 True|0 1 5 True => -
Which?|1 5 True|-1 5 True => -
Which?|a 5|a 5 => asserted phrase 'a 5'
Which?|a 5|a 5, 6 => -
Which?|abc_d|abc_d => asserted phrase 'abc_d'
Which?|abc_d|abc_de => -
Which?|abc_d|ABC_D => asserted phrase 'ABC_D'
Who won?|Graf|Seles beat Graf => reported phrase 'Graf'
Who won?|Graf|Graf beat Seles => asserted phrase 'Graf'
Who lost?|Graf|Seles beat Graf => asserted phrase 'Graf'
Who wrote it?|Goethe|Goethe never wrote it => denied phrase 'Goethe'
Who wrote it?|Goethe|Had Goethe written it, he would have said so => reported phrase 'Goethe'
Who wrote it?|Goethe|Schiller, a friend of Goethe => reported phrase 'Goethe'
Who wrote it?|Goethe|Goethe's friend => reported phrase "Goethe's"
Who was his friend?|Goethe|He was a friend of Goethe => asserted phrase 'Goethe'
Who wrote it?|Goethe|Schiller wrote it before Goethe => reported phrase 'Goethe'
Who wrote it before Goethe did?|Goethe|Schiller wrote it before Goethe => echoed phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller wrote Faust, and Goethe wrote Werther => reported phrase 'Goethe'
Who wrote Faust?|Goethe|Goethe wrote Faust, and Schiller wrote Don Carlos => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller. Goethe wrote Werther. => reported phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller. It was Goethe. => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller. Goethe. => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller.\n- Goethe => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller. But Goethe wrote Faust. => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller, known as Goethe => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller (Goethe) => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller: Goethe => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Yes. Goethe => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Faust. Goethe => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|"Schiller" is a book, Goethe wrote Faust => asserted phrase 'Goethe'
Who wrote Faust?|Goethe|Goethe or Schiller => doubted phrase 'Goethe'
Who wrote Faust?|Goethe|Schiller or Goethe => doubted phrase 'Goethe'
Who wrote Faust?|Goethe|Goethe or so => asserted phrase 'Goethe'
Who wrote Faust, Goethe or Schiller?|Goethe|Goethe or Schiller => doubted phrase 'Goethe'
Who wrote Faust, Goethe or Schiller?|Goethe|Goethe => asserted phrase 'Goethe'
Who wrote Faust, Goethe or Schiller?|Goethe|Schiller, not Goethe => denied phrase 'Goethe'
Is Goethe a poet?|Goethe|Goethe is a poet => echoed phrase 'Goethe'
Is Goethe a poet?|poet|Goethe is a poet => echoed phrase 'poet'
Is Goethe a poet?|poet|poet => asserted phrase 'poet'
Where is the Louvre?|Paris|The Louvre is in Paris => asserted phrase 'Paris'
What is the capital?|Paris|Lyon is big, but Paris is the capital => asserted phrase 'Paris'
What is the capital?|Lyon|Lyon is big, but Paris is the capital => reported phrase 'Lyon'
What is the capital?|Lyon|Although Lyon is big, Paris is the capital => reported phrase 'Lyon'
What is the capital?|Paris|Although Lyon is big, Paris is the capital => asserted phrase 'Paris'
What is the capital?|Lyon|The capital is Paris, whereas Lyon is big => reported phrase 'Lyon'
What is the capital of France?|Paris|I do not know. Paris is big => refused phrase 'Paris'
What is the capital of France?|Paris|I do not know. But Paris is big => asserted phrase 'Paris'
What is the capital of France?|Paris|I do not know. The capital of France is Paris => asserted phrase 'Paris'
Which river is the longest?|Danube|The Volga is the longest, the Danube the second => reported phrase 'Danube'
When did it sink?|1912|It sank in 1913, the ship of 1912 => reported phrase '1912'
When did it sink?|1912|It sank on April 14, 1912 => asserted phrase '1912'
Which?|red, green, blue|red, green, blue and yellow => doubted words 'red, green, blue'
Which?|red, green, blue|red, green, blue and red => asserted phrase 'red, green, blue'
Which?|red, green, blue|red, green, blue and the end => asserted phrase 'red, green, blue'
Who?|John Paul II|John Paul I => -
Who?|John Paul II|John Paul I think => asserted name 'John Paul'
Who?|John Paul II|John Paul the First => -
Who?|John Paul II|John Paul => asserted name 'John Paul'
Who?|Downey Jr.|Downey Sr. => -
Who?|Downey Jr.|Downey, Jr. => asserted phrase 'Downey, Jr'
Which?|World War II|World War => asserted name 'World War'
Which?|World War II|World War 2 => asserted phrase 'World War 2'
Which is heavier, gold or tin?|gold|gold is lighter than tin => reported phrase 'gold'
Which is heavier, gold or tin?|gold|gold is much heavier than tin => asserted phrase 'gold'
Which is heavier, gold or tin?|gold|tin is lighter than gold => asserted phrase 'gold'
Which is more costly?|gold|gold is less costly => reported phrase 'gold'
Which is more costly?|gold|gold is less shiny => asserted phrase 'gold'
Which is less heavy?|gold|gold is heavier => reported phrase 'gold'
Which is less heavy?|gold|gold is more heavy => reported phrase 'gold'
Which is less heavy?|gold|gold is more shiny => asserted phrase 'gold'
Who walked on the moon?|Armstrong|Aldrin walked before Armstrong => reported phrase 'Armstrong'
Who walked on the moon?|Armstrong|It was before Armstrong => asserted phrase 'Armstrong'
Who walked on the moon?|Armstrong|The man walked before Armstrong => asserted phrase 'Armstrong'
Who walked second on the moon?|Armstrong|Aldrin walked before Armstrong => reported phrase 'Armstrong'
Which?|3 2|3 2 => asserted phrase '3 2'
Which?|3 2|1 3 2 => -
Which?|3 2|3 2, 1 => -
Which?|3 2|.3 2 => -
Which?|3 2|-3 2 => -
Who wrote it?|John Cox|Cox wrote it => -
Who wrote it?|John Reed|Reed wrote it => asserted surname 'Reed'
Which?|new car|the New Car => asserted phrase 'New Car'
Which?|east|East Side => -
Which?|east|east side => asserted phrase 'east'
Which?|east|East => asserted phrase 'East'
Who wrote it?|Ann Bell|ann Bell => asserted phrase 'ann Bell'
When?|1000|1000 => asserted phrase '1000'
When?|2100|2100 => asserted phrase '2100'
When?|999|999 => asserted phrase '999'
Which is less heavy?|gold|gold is less shiny => asserted phrase 'gold'
Which is shinier?|gold|gold is less shiny => asserted phrase 'gold'
Which is shinier?|gold|gold is less heavy => asserted phrase 'gold'
Who sang it?|Queen|Quickly Queen => asserted phrase 'Queen'
Who sang it?|Queen|Well, it was Queen => asserted phrase 'Queen'
Who sang it?|Queen|ABBA, then Queen => reported phrase 'Queen'
What is it called?|a fast brown fox|brown fox => asserted part 'brown fox'
What is it called?|the theory of relativity|relativity => asserted part 'relativity'
"""
"""A question, a gold and a text: what the text does with the gold, by which rule it is found, and where."""


def found_in(line: str) -> str:
    question, gold, text = line.split("|", 2)
    found = find_assertion(read_text(text, question), [gold])
    place = found.place
    return "-" if place is None else f"{found.stance} {place.rule} {text[place.start : place.end]!r}"


def test_a_gold_is_found_by_the_plainest_rule_and_held_or_set_aside() -> None:
    assert differing(_FOUND, found_in) == []

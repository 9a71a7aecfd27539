"""What a response says: the gold that it asserts, the answer that it gives by itself, and where that stands."""

from __future__ import annotations

from tests.core.answers.readers import (
    asserted,
    enumerated,
    final,
    holds,
    judged,
    lists,
    located,
    otherwise,
    own,
    truth,
    truth_stated,
    turns,
)
from tests.core.answers.tables import differing

_ASSERTED = r"""
How many were left?|7|7 or 8 => doubted phrase '7'
How many were left?|7|8 or 7 => doubted phrase '7'
How many were left?|7|seven or 7 => asserted phrase 'seven'
Who won the final?|Spain|The Netherlands lost the final to Spain. => asserted phrase 'Spain'
Who sang it?|Nina Simone|Nina Simone never sang it. => denied words 'Nina Simone'
Who sang it?|Nina Simone|If Nina Simone had sung it, it would be famous. => reported words 'Nina Simone'
Who sang it?|Nina Simone|Had it been Nina Simone, we would know. => reported words 'Nina Simone'
Who sang it?|Nina Simone|If it were a blues, then Nina Simone sang it. => asserted phrase 'Nina Simone'
Who lost the final?|Spain|Italy beat Spain in the final. => asserted phrase 'Spain'
When was the war?|1914|The war lasted between 1914 and 1918. => doubted phrase '1914'
When was the war?|1918|The war lasted between 1914 and 1918. => doubted phrase '1918'
When did the war begin?|1914|From 1914 to 1918. => asserted phrase '1914'
When was the war?|between 1914 and 1918|The war lasted between 1914 and 1918. => asserted phrase 'between 1914 and 1918'
Who painted the ceiling?|Pietro Lippi|The brother of Pietro Lippi painted the ceiling. => reported name 'Pietro Lippi'
Who painted the ceiling?|Pietro Lippi|Pietro Lippi's younger brother painted the ceiling. => reported name "Pietro Lippi's"
Who painted the ceiling?|Pietro Lippi|Pietro Lippi's own great pupils painted the ceiling. => reported name "Pietro Lippi's"
Whose brother painted the ceiling?|Pietro Lippi|Pietro Lippi's brother painted the ceiling. => asserted phrase "Pietro Lippi's"
Who painted the ceiling?|the Lippis|The Lippis' pupil painted the ceiling. => reported phrase 'Lippis'
Who walked on the moon?|Armstrong|Gagarin walked there before Armstrong. => reported phrase 'Armstrong'
Who walked on the moon?|Armstrong|Gagarin walked on the moon before Armstrong. => reported phrase 'Armstrong'
Who walked on the moon?|Armstrong|He walked on the moon before Armstrong. => asserted phrase 'Armstrong'
Who walked on the moon second?|Armstrong|Aldrin walked on the moon after Armstrong. => reported phrase 'Armstrong'
Who walked on the moon?|armstrong|Gagarin walked on the moon ahead of the armstrong. => asserted phrase 'armstrong'
Which colours are in it?|red, green, blue|It has red, green, blue and yellow in it. => doubted words 'red, green, blue'
Which colours are in it?|red, green, blue|It has red, green, blue, and yellow. => doubted words 'red, green, blue'
Which colours are in it?|red, green, blue|It has red, green, blue. => asserted phrase 'red, green, blue'
Which colours are in it?|red and green|It has red and green and blue. => asserted phrase 'red and green'
Is a whale a mammal or a fish?|mammal|A whale is a mammal. => asserted phrase 'mammal'
Is a whale a mammal or a fish?|mammal|A whale is no fish but a mammal. => asserted phrase 'mammal'
Is a whale a mammal or a fish?|fish|A whale is a mammal, not a fish. => denied phrase 'fish'
Is a whale a mammal or a fish?|mammal|A fish is not a mammal. => denied phrase 'mammal'
Which is longer, the Nile or the Amazon?|Nile|The Nile is longer than the Amazon. => asserted phrase 'Nile'
Which is longer, the Nile or the Amazon?|Amazon|The Nile is longer than the Amazon. => echoed phrase 'Amazon'
Which is longer, the Nile or the Amazon?|Amazon|The Nile and the Amazon are long. => echoed phrase 'Amazon'
Which is longer, the Nile or the Amazon?|Nile|The Amazon is shorter than the Nile. => asserted phrase 'Nile'
Who wrote the Mary Rose play?|Mary Rose|The Mary Rose play is old. => echoed phrase 'Mary Rose'
Who wrote the Mary Rose play?|Mary|Mary wrote the play. => echoed phrase 'Mary'
Who led the expedition to the pole?|Amundsen|I cannot say who led it. Amundsen was a Norwegian. => refused phrase 'Amundsen'
Who led the expedition to the pole?|Amundsen|I cannot say for sure. But Amundsen is a good guess. => asserted phrase 'Amundsen'
Who led it?|Amundsen|I cannot say. Amundsen, perhaps. => doubted phrase 'Amundsen'
What is the capital of Peru?|Cusco|Cusco is old, but Lima is the capital of Peru. => reported phrase 'Cusco'
What is the capital of Peru?|Lima|Lima is the capital of Peru, but Cusco is older. => asserted phrase 'Lima'
What is the capital of Peru?|Cusco|Although Cusco is old, Lima is the capital of Peru. => reported phrase 'Cusco'
What is the capital of Peru?|Lima|Although it is foggy, Lima is the capital of Peru. => asserted phrase 'Lima'
What is the capital of Peru?|Lima|Lima or Cusco is the capital. => doubted phrase 'Lima'
What is the capital of Peru?|Lima|Cusco or Lima is the capital. => doubted phrase 'Lima'
What is the capital of Peru?|Lima|Lima or the City of the Kings is the capital. => doubted phrase 'Lima'
What is the capital of Peru?|Lima|Lima or so they say. => asserted phrase 'Lima'
What is the capital of Peru?|Lima|Lima or 7. => asserted phrase 'Lima'
Which planet is red?|Mars|The red planet is Mars, whereas Venus is white. => asserted phrase 'Mars'
Which planet is red?|Venus|The red planet is Mars, whereas Venus is white. => reported phrase 'Venus'
Which planet is red?|Venus|Mars is the red planet. Venus is white. => reported phrase 'Venus'
Which planet is red?|Venus|Mars is the red planet. Venus is the red planet too. => asserted phrase 'Venus'
Which planet is red?|Venus|Mars is the red planet. However, Venus is. => asserted phrase 'Venus'
Which planet is red?|Venus|Mars is the red planet.\n- Venus => asserted phrase 'Venus'
Which planet is red?|Venus|Mars is the red planet (Venus is white). => reported phrase 'Venus'
Who discovered radium?|Marie Curie|Pierre Curie discovered radium. Marie Curie was his wife. => reported name 'Marie Curie'
Who discovered radium?|Marie Curie|Pierre discovered radium, known to all as Marie Curie. => reported name 'Marie Curie'
Who discovered radium?|Marie Curie|Becquerel discovered radium. Marie Curie discovered polonium. => reported name 'Marie Curie'
When did the Titanic sink?|1912|The Titanic sank on April 14, 1912. => asserted phrase '1912'
When did the Titanic sink?|15 April 1912|The Titanic sank on April 14, 1912. => -
When did the Titanic sink?|April 1912|It sank in April 1912. It was built in 1909. => asserted phrase 'April 1912'
When did the Titanic sink?|1909|It sank in 1912. It was built in 1909. => reported phrase '1909'
When did the Titanic sink?|1909|It sank in 1912, and was built in 1909. => reported phrase '1909'
When did the Titanic sink?|1912|It was built in 1909 and sank in 1912. => asserted phrase '1912'
Where is the Prado?|Madrid|The Prado is a museum in Madrid. => asserted phrase 'Madrid'
Where is the Prado?|Spain|The Prado is in Madrid, Spain. => asserted phrase 'Spain'
Where is the Prado?|Spain|The Prado is in Madrid, the capital of Spain. => asserted phrase 'Spain'
Where is the Prado?|Seville|The Prado is in Madrid. Seville is further south. => reported phrase 'Seville'
Where did Goya live?|Bordeaux|Goya, the painter, went to Bordeaux. => asserted phrase 'Bordeaux'
What element has atomic number 11?|sodium|Sodium has atomic number 11. => asserted phrase 'Sodium'
What is the longest river?|Danube|The Volga is the longest river, the Danube the second longest. => reported phrase 'Danube'
What is the longest river?|Volga|The Volga is the longest river, the Danube the second longest. => asserted phrase 'Volga'
What is "Dune" about?|a desert planet|"Dune" is about a desert planet. => asserted phrase 'desert planet'
Who plays Neo in the Matrix?|Keanu Reeves|Neo: Keanu Reeves => asserted phrase 'Keanu Reeves'
Who plays Neo in the Matrix?|Keanu Reeves|The Matrix (1999): Keanu Reeves plays Neo. => asserted phrase 'Keanu Reeves'
How many moons has Mars?|2|Mars has two moons, Phobos and Deimos. => asserted phrase 'two'
How many moons has Mars?|2|Mars has 12 moons. => -
How many moons has Mars?|2|Earth has 1 moon and Mars has 2. => asserted phrase '2'
How old is she?|12 years|She is 12. => asserted words '12'
How far is it?|5 km|It is 5000 m away. => asserted quantity '5000 m'
How far is it?|5 km|It is 3.1 miles away. => asserted quantity '3.1 miles'
How far is it?|5 km|It is 3 miles away. => -
How tall is he?|1.83 m|He is 6 ft tall. => -
What was the score?|3-1|They won 3-1. => asserted phrase '3-1'
Who was the second president?|John Adams|Washington was first, Adams second. => asserted surname 'Adams'
Who was the second president?|John Adams|J. Adams => asserted name 'J. Adams' =
Which city is the seat of the UN?|New York City|New York is the seat of the UN. => asserted words 'New York'
Which city is the seat of the UN?|New York City|NYC is the seat. => asserted phrase 'NYC'
Which city is the seat of the UN?|New York City|Geneva, not New York City, is the seat. => denied words 'New York'
Who is the author?|Gabriel García Márquez|Garcia Marquez is the author. => asserted name 'Garcia Marquez'
Who is the author?|Gabriel García Márquez|Gabriel Marquez is. => asserted name 'Gabriel Marquez' =
Who is the author?|Gabriel García Márquez|Gabo García is. => -
What do bees make?|honey|Bees make wax. They also make honey. => asserted phrase 'honey'
What do bees make?|honey|Bees do not make honey. => denied phrase 'honey'
What do bees make?|honey|Bees make honeycomb. => -
What do bees make?|honey|They make the best honeys. => asserted phrase 'honeys'
Which volume is it?|Volume IV|It is volume 4. => asserted phrase 'volume 4' =
Which volume is it?|Volume IV|It is volume V. => -
Which king was it?|Henry VIII|It was Henry the Eighth. => asserted phrase 'Henry the Eighth' =
Which king was it?|Henry VIII|It was Henry VII. => -
Which king was it?|Henry VIII|It was King Henry. => -
Which code is it?|X-15|It is the X-15. => asserted phrase 'X-15' =
Which code is it?|X-15|It is the X-150. => -
Which code is it?|+49|It is +49 30. => asserted phrase '+49'
Which sign is it?|%|It is the % sign. => asserted phrase '%'
Which word is it?|its|It is "its". => asserted phrase 'its' =
Who is the actress?|Scarlett Johansson|Scarlett Johanson is the actress. => asserted misspelled 'Scarlett Johanson'
Who is the actress?|Scarlett Johansson|Scarlet Johansson is the actress. => asserted name 'Scarlet Johansson'
Which band?|The Who|It was The Who. => asserted phrase 'The Who' =
Which band?|The Who|Who knows. => -
When was she born?|3 March 1950|She was born in March 1950. => asserted date 'March 1950'
When was she born?|3 March 1950|She was born on 4 March 1950. => -
When was she born?|3 March 1950|She was born on 3 March. => asserted date '3 March'
When was she born?|March 1950|She was born on 3 March 1950. => asserted phrase 'March 1950'
When was she born?|1950|She was born on 3 March 1950. => asserted phrase '1950'
When was she born?|the 1950s|She was born in the 50s. => asserted phrase '50s'
When was she born?|the 1950s|She was born in 1953. => -
When did it air?|October 12, 2014|It aired on October 12th. => asserted date 'October 12th'
How much did it cost?|$5 million|It cost five million dollars. => asserted words 'five million dollars'
How much did it cost?|$5 million|It cost $5,000,000. => asserted phrase '$5,000,000'
How much did it cost?|$5 million|It cost 5 million euros. => -
What share is it?|25%|It is 25 percent. => asserted phrase '25 percent'
How many are there?|twelve|There are 12. => asserted phrase '12'
How many are there?|12|There are a dozen. => asserted phrase 'dozen'
How many are there?|12|There are about 12. => asserted phrase '12'
How many are there?|12|There are not 12 but 13. => denied phrase '12'
How many are there?|1,200|There are 1200. => asserted phrase '1200'
Who were the founders?|Larry Page and Sergey Brin|Larry Page founded it. => -
Who were the founders?|Larry Page, Sergey Brin|Sergey Brin with Larry Page. => asserted words 'Sergey Brin with Larry Page'
Who is the president?|Ulysses S. Grant|President Grant. => asserted head 'President Grant'
Who is the president?|Ulysses S. Grant|U. S. Grant => asserted name 'S. Grant'
Who is the president?|Ulysses S. Grant|Hugh Grant => -
Who is the president?|Franklin D. Roosevelt|Theodore Roosevelt => -
Which school?|University of California, Berkeley|University of California => asserted part 'University of California'
Which school?|Massachusetts Institute of Technology|MIT => asserted initials 'MIT'
Which river?|the Mississippi River|The Mississippi. => asserted words 'Mississippi'
Which river?|the Mississippi River|The Missouri River. => -
Which language?|Portuguese|They speak Portugese. => asserted misspelled 'Portugese'
Which language?|Portuguese|They speak Portuguese, not Spanish. => asserted phrase 'Portuguese'
What caused it?|an earthquake|Earthquakes caused it. => asserted phrase 'Earthquakes'
What does she do?|painting|She paints. => asserted phrase 'paints' =
What is the opposite?|hot|It is not hot. => denied phrase 'hot'
What is the opposite?|non-fiction|It is nonfiction. => asserted phrase 'nonfiction' =
Where is it?|Bilbao, Spain|It is in Bilbao. => asserted head 'Bilbao'
Where is it?|north|It is in the northeast. => -
Who wrote it?|Tolstoy|Many believe Tolstoy wrote it. => reported phrase 'Tolstoy'
Who wrote it?|Tolstoy|Did Tolstoy write it? => asked phrase 'Tolstoy'
Who wrote it?|Tolstoy|I am not sure, but Tolstoy. => asserted phrase 'Tolstoy'
Who wrote it?|Tolstoy|Neither Tolstoy nor Gogol wrote it. => denied phrase 'Tolstoy'
Who wrote it?|Gogol|Neither Tolstoy nor Gogol wrote it. => denied phrase 'Gogol'
Who wrote it?|Tolstoy|Tolstoy did not write it. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|It was not Gogol who wrote it but Tolstoy. => asserted phrase 'Tolstoy'
Who wrote it?|Gogol|It was not Gogol who wrote it but Tolstoy. => denied phrase 'Gogol'
Who wrote it?|Tolstoy|Contrary to Tolstoy, Gogol wrote it. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|Unlike Tolstoy, Gogol wrote it. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|Gogol wrote it instead of Tolstoy. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|Tolstoy ... no, wait, Gogol wrote it. => corrected phrase 'Tolstoy'
Who wrote it?|Tolstoy|Tolstoy? No. => corrected phrase 'Tolstoy'
Who wrote it?|Tolstoy|Hardly Tolstoy. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|Tolstoy is wrong. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|Everyone except Tolstoy wrote it. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|No one but Tolstoy wrote it. => asserted phrase 'Tolstoy'
Who wrote it?|Tolstoy|Tolstoy hat es geschrieben. => asserted phrase 'Tolstoy'
Who wrote it?|Tolstoy|Nicht Tolstoy. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|Ce n'est pas Tolstoy. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|Bukan Tolstoy. => denied phrase 'Tolstoy'
Who wrote it?|Tolstoy|Tolstoy, of course! He also wrote more. => asserted phrase 'Tolstoy'
How many are there?|7|\bo5xed{8} Hmm, I forgot one. \boxed{7} => reported phrase '7'
How old was he when he died?|67 years|66 or 67 => doubted words '67'
Qual é a capital de Portugal?|Lisboa|Lisboa está errado. É o Porto. => denied phrase 'Lisboa'
What is|38.5|38.5 درجة مئوية => asserted phrase '38.5'
What is it?|1234|1 234 => -
What is it?|21|twenty one => asserted phrase 'twenty one'
What is it?|April 26, 1986|1986-04-26 => asserted year '1986'
What is it?|b|<b> => asserted phrase 'b'
When did the Titanic sink?|15 April 1912|April 15th 1912 => asserted date 'April 15th 1912' =
When did the single come out?|October 4, 1987|The album (1987) had a single that came out on May 2. => -
When is Bastille Day?|July 14|14 July is false => denied date '14 July'
When is the festival?|usually in May|The festival takes place in May. => asserted phrase 'May'
When?|5 May 1998|May 1998 => asserted date 'May 1998'
Where?|Massachusetts|Answer: Massachussets => asserted misspelled 'Massachussets'
Which metal is more expensive, gold or silver?|gold|Silver is less expensive than gold. => asserted phrase 'gold'
Which planet is the largest?\nA) Mars\nB) Jupiter\nC) Venus\nD) Earth|B|A, B and C => echoed phrase 'B'
Which war ended in 1945?|World War II|It was World War One. => -
Which?|A|a\ncat => -
Which?|a 5|a 5 => asserted phrase 'a 5' =
Who invented the radio?|Guglielmo Marconi|Tesla, Marconi only used it,... => reported surname 'Marconi'
Who?|Leonardo da Vinci|Leonardo => asserted head 'Leonardo'
Who won the match?|Steffi Graf|Seles, who defeated Graf, won the match. => reported surname 'Graf'
Which agency landed there?|National Aeronautics and Space Administration (NASA)|N.A.S.A. => asserted initials 'N.A.S.A'
Who was the mother of Elizabeth I?|Anne Boleyn|Anne Boley. => asserted words 'Anne Boley'
Who wrote Faust?|Goethe|Schiller wrote Faust, and Goethe read it. => asserted phrase 'Goethe'
"""


def test_a_gold_is_asserted_denied_or_only_mentioned_as_the_sentence_says() -> None:
    assert differing(_ASSERTED, lambda line: asserted(*line.split("|"))) == []


_JUDGED = r"""
What is the capital?|Lima|Answer: Lima => right 'Lima' found label
What is the capital?|Lima|Answer: Cusco, formerly Lima => right 'Lima' found asserted
What is the capital?|Lima|I do not know. => wrong 'I do not know' found last_line
What is the capital?|Lima|It may be Lima. => wrong 'Lima' found doubted
What is the capital?|Lima| => wrong '' no_answer
What is the capital?|Lima|\boxed{Lima} => right 'Lima' found boxed
What is the capital?|Lima|Not Cusco: Lima. => right 'Lima' found asserted
What is the capital?|Lima|Lima. No, Cusco. => wrong 'Lima' found corrected
What is the capital?|Lima|As the city that was asked for I name Lima. => right 'Lima' found asserted
What is the capital?|Lima|Which city? Lima? => wrong 'Lima' found asked
How long is the bridge?|5 km|bridge is about 3.1 miles long. => right '3.1 miles' found asserted
What is it?|6.02e+23|6.02 × 10^23 => right '6.02 × 10^23' found asserted
What is it?|Chi, Ben, Dov|1. Chi\n2. Ben\n3. Dov => right 'Chi\n2. Ben\n3. Dov' found asserted
Which is larger, Brazil or India?|Brazil|Brazil or India => wrong 'Brazil' found doubted
Which planet is the largest?\nA) Mars\nB) Jupiter\nC) Venus\nD) Earth|B|Bではありません => wrong 'B' found denied
Which two colours does the flag of Poland have?|white and red|red and white => right 'red and white' found asserted
Who invented the radio?|Guglielmo Marconi|G. Marconi => right 'G. Marconi' found last_line
Who painted The Sower?|Vincent van Gogh|Van Gogh's brother painted it. => wrong "Van Gogh's" found reported
"""


def test_a_response_is_right_where_it_gives_the_gold_as_its_answer() -> None:
    assert differing(_JUDGED, lambda line: judged(*line.split("|"))) == []


_OWN_NUMERIC = r"""
How many are left?|She had 20, gave 8, and so 12 are left. => last_line@27 '12'
How many are left?|Step 1: 20 - 8 = 12. Step 2: 12 / 2 = 6. => last_line@38 '6'
How many are left?|There are between 10 and 12 left. => -
How many are left?|12 or 13 are left. => -
How many are left?|Answer: 12. Actually, it should be 13. => label@35 '13'
How many are left?|Answer: 12. Wait, no, 14 it is. => label@22 '14'
How many are left?|It is not 12 but 14. => last_line@17 '14'
How many are left?|12 (twelve) are left. => last_line@0 '12'
How many are left?|20 - 8 = 12, leaving 12. => last_line@9 '12'
How many are left?|Total: $12.50 => last_line@0 'Total: $12.50'
How many are left?|= 12 => last_line@0 '= 12'
How many are left?|12\nNote: 8 were eaten. => last_line@0 '12'
How many are left?|Exactly 12, which is 3 dozen fewer than 48. => last_line@8 '12'
How many percent are left?|60% (12 of 20) => first_line@0 '60%'
How many are left?|The final result is $\frac{3}{4}$. => last_line@20 '$\\frac{3}{4}'
How many are left?|12 apples + 3 pears = 15 fruits => last_line@22 '15'
How many are left?|So the answer is 1,200 - not 1,300. => sentence@17 '1,200'
How many are left?|The number left is: twelve => last_line@0 'The number left is: twelve'
How many are left?|x = 12 => last_line@0 'x = 12'
How many are left?|2 * 6 = 12.0 => last_line@0 '2 * 6 = 12.0'
How much does she earn?|She earns 9 * 2 = $<<9*2=18>>18. => last_line@25 '18'
How much does she earn?|She earns $18 per day. => last_line@10 '$18'
How much does she earn?|Therefore, she earns **$18**. => last_line@23 '$18'
How much does she earn?|Answer: $18 (that is 9 times 2) => label@8 '$18 (that is 9 times 2)'
How much does she earn?|Answer: about 18 => label@8 'about 18'
How much does she earn?|Answer: 18-20 => label@8 '18-20'
How much does she earn?|Answer: between 18 and 20 => -
How much does she earn?|Answer: 18 dollars and 50 cents => label@8 '18 dollars and 50 cents'
How much does she earn?|Answer: 9 * 2 = 18 => label@8 '9 * 2 = 18'
How much does she earn?|Answer: x = 18 => label@8 'x = 18'
How much does she earn?|Answer: 18\nCheck: 9 * 2 = 18 => label@8 '18'
How much does she earn?|18 dollars\n\nExplanation: 9 times 2. => last_line@0 '18 dollars'
How much does she earn?|18. She sells 9 eggs at 2 dollars. => first_line@0 '18'
How much does she earn?|She sells 9 eggs. At 2 dollars each that makes 18. => last_line@47 '18'
How much does she earn?|The total is 9 x 2 = 18, so 18. => last_line@21 '18'
How much does she earn?|First I thought 16, but it is 18. => last_line@30 '18'
How much does she earn?|16? No, wait, 18. => last_line@14 '18'
How much does she earn?|I think it is 18, not 16. => last_line@14 '18'
How much does she earn?|None. => -
How much does she earn?|It cannot be determined. => -
How much does she earn?|Sie verdient 18 Dollar. => last_line@13 '18'
How much does she earn?|Jadi, dia mendapat 18 dolar. => last_line@19 '18'
How much does she earn?|It is 18.\nLet me know if you have 2 more questions. => statement@6 '18'
How much does she earn?|The ratio is 9:2. => -
How much does she earn?|On May 5, she earns 18. => last_line@20 '18'
How much does she earn?|In 1998 she earned 18. => last_line@19 '18'
How much does she earn?|18%\n => last_line@0 '18%'
How much does she earn?|\boxed{18} dollars => boxed@7 '18'
How much does she earn?|\boxed{\$18} => boxed@7 '\\$18'
How much does she earn?|\(18\) => last_line@0 '\\(18\\)'
How much does she earn?|$$18$$ => last_line@0 '$$18$$'
How much does she earn?|minus eighteen => last_line@0 'minus eighteen'
How many are left?|The number is 5.\n(9 less 4) => last_line@14 '5'
Tom has 12 apples and gives 5 to Ann. How many apples are left?|The answer is 8. Wait, no, it is 7. => last_line@33 '7'
What is it?|5 a => last_line@0 '5 a'
How many planets are there?|There are 8 planets. The 9th, Pluto, is a dwarf planet since 2006. => statement@10 '8'
"""


def test_the_number_that_a_response_gives_is_read_beside_others() -> None:
    assert differing(_OWN_NUMERIC, lambda line: own("numeric", *line.split("|"))) == []


_OWN_BOOLEAN = r"""
Is the lake deep?|The lake is deep. => statement@0 'The lake is deep.' means yes
Is the lake deep?|The lake is not deep. => statement@0 'The lake is not deep.' means no
Is the lake deep?|The lake is shallow. => -
Is the lake deep?|It is. => statement@0 'It is.' means yes
Is the lake deep?|It isn't. => statement@0 "It isn't." means no
Is the lake deep?|Some say that the lake is deep. => -
Is the lake deep?|The lake is deep in winter. => statement@0 'The lake is deep in winter.' means yes
Is the lake not deep?|The lake is deep. => -
Is the lake deep?|Not really, no. => last_line@0 'Not really, no.'
Is the lake deep?|Yes and no. => -
Is the lake deep?|That is false. => last_line@0 'That is false.'
Is the lake deep?|The claim that the lake is deep is false. => last_line@0 'The claim that the lake is deep is false.'
Are cats bigger than dogs?|Dogs are bigger than cats. => statement@0 'Dogs are bigger than cats.' means no
Are cats bigger than dogs?|Cats are smaller than dogs. => statement@0 'Cats are smaller than dogs.' means no
Are there more cats than dogs?|There are fewer cats than dogs. => statement@0 'There are fewer cats than dogs.' means no
Are there more cats than dogs?|There are more dogs than cats. => statement@0 'There are more dogs than cats.' means no
Can it be possible?|It is impossible. => statement@0 'It is impossible.' means no
Did she win?|She did not. => statement@0 'She did not.' means no
Did she win?|She never won. => statement@0 'She never won.' means no
Did she win?|She won. => statement@0 'She won.' means yes
Did she win?|She almost won. => -
Did Rome fall in 476?|Rome fell in 476. => statement@0 'Rome fell in 476.' means yes
Did Rome fall in 476?|Rome fell in 410. => -
Is it true that Rome fell in 476?|Rome fell in 476. => statement@0 'Rome fell in 476.' means yes
Was Goya a Spanish painter?|Goya was a Spanish painter. => statement@0 'Goya was a Spanish painter.' means yes
Was Goya a Spanish painter?|Goya was a painter. => -
Was Goya a Spanish painter?|Goya was a French painter. => -
Is Pluto a planet?|Pluto is not considered a planet. => statement@0 'Pluto is not considered a planet.' means no
Does water boil at 100?|Water boils at 100. => statement@0 'Water boils at 100.' means yes
Does water boil at 100?|Water does not boil at 100. => statement@0 'Water does not boil at 100.' means no
Does water boil at 100?|It does. => statement@0 'It does.' means yes
Does water boil at 100?|It does not. => statement@0 'It does not.' means no
Do all birds fly?|Not all birds fly. => statement@0 'Not all birds fly.' means no
Do all birds fly?|All birds fly. => statement@0 'All birds fly.' means yes
Can penguins fly?|Penguins cannot fly. => statement@0 'Penguins cannot fly.' means no
Can penguins fly?|Penguins can fly. => statement@0 'Penguins can fly.' means yes
Can penguins fly?|They can't. => statement@0 "They can't." means no
Was she older than him?|She was younger than him. => statement@0 'She was younger than him.' means no
Has he won?|He has won. => statement@0 'He has won.' means yes
Is it true that cats bark?|Cats do not bark. => statement@0 'Cats do not bark.' means no
Is it true that cats bark?|That is true. => last_line@0 'That is true.'
Is it legal?|It is illegal. => statement@0 'It is illegal.' means no
Is it legal?|Unfortunately, yes. => last_line@0 'Unfortunately, yes.'
Is it legal?|Answer: No => label@8 'No'
Is it legal?|The answer is yes. => sentence@14 'yes'
Is it legal?|Maybe. => -
Is Brazil larger than India?|Brazil is smaller than India. => statement@0 'Brazil is smaller than India.' means no
Is it true that the wall was built in 1961?|It\nis not true. => last_line@3 'is not true.'
Is the lake|Hardly. => -
Is the lake deep?|Is the lake deep? => -
"""


def test_a_yes_or_no_is_read_from_a_statement_of_what_is_asked() -> None:
    assert differing(_OWN_BOOLEAN, lambda line: own("boolean", *line.split("|"))) == []


_OWN = r"""
math|What is x?|So x = 5. => last_line@0 'So x = 5'
math|What is x?|The answer is $x^2+1$. => sentence@14 '$x^2+1$'
math|What is x?|Therefore the value is \(\frac{3}{4}\). => last_line@23 '\\(\\frac{3}{4}\\)'
math|What is x?|We get\n\[x = \frac{1}{2}\] => last_line@7 '\\[x = \\frac{1}{2}\\]'
math|What is x?|We get $x = 2$ or $x = 3$. => last_line@0 'We get $x = 2$ or $x = 3$'
math|What is x?|Thus $x=2$ and $y=3$. => last_line@0 'Thus $x=2$ and $y=3$'
math|What is x?|\boxed{5} => boxed@7 '5'
math|What is x?|\boxed{2} and \boxed{3} => boxed@0 '\\boxed{2} and \\boxed{3}' means 2, 3
math|What is x?|Answer: 2x+1 => label@8 '2x+1'
math|What is x?|The final answer is 12 cm. => sentence@20 '12 cm'
math|What is x?|Hence 12 distinct ways. => last_line@6 '12'
math|What is x?|$$x = 7.$$ => last_line@0 '$$x = 7.$$'
math|What is x?|x = 5 (rounded) => last_line@0 'x = 5 (rounded)'
math|What is x?|I do not know. => last_line@0 'I do not know'
date|When?|On April 26, 1986. => last_line@3 'April 26, 1986'
"""


def test_an_answer_of_another_type_is_read_from_the_response() -> None:
    assert differing(_OWN, lambda line: own(*line.split("|"))) == []


_LOCATED = r"""
numeric|12|There are 12 apples, not 13. => found '12'@10
numeric|12|There are not 12 apples. => found '12'@14 unasserted denied
numeric|1200|It costs $1,200. => found '$1,200'@9
numeric|50%|It is fifty percent. => found 'fifty'@6
numeric|0.5|It is 1/2 of it. => found '1/2'@6
numeric|12|twelve or thirteen => found 'twelve'@0
date|5 May 1998|It was on May 5th, 1998. => found 'May 5th, 1998'@10
date|5 May 1998|It was not on May 5th, 1998. => found 'May 5th, 1998'@14 unasserted denied
boolean|yes|No. => absent
choice|B|The answer is (B). => found 'B'@15
choice|B|Not B but C. => found 'B'@4 unasserted denied
math|x^2+1|So $y = x^2 + 1$. => found 'x^2 + 1'@8
math|\frac{1}{2}|which is 0.5 => found '0.5'@9
exact_match|Paris|It is Paris, I think. => found 'Paris'@6
exact_match|Paris|It is not Paris. => found 'Paris'@10 unasserted denied
exact_match|Paris|It is Parisian. => absent
exact_match|New York|In new york, USA => found 'new york'@3
choice|A|A man walks => absent
exact_match|40,000 km|forty thousand kilometres => found
exact_match|John Paul II|John Paul I => absent
"""


def test_an_answer_is_found_where_the_response_has_it() -> None:
    assert differing(_LOCATED, lambda line: located(*line.split("|"))) == []


_FINAL = r"""
The answer is 5. => sentence@14 '5'
Answer: 5\nNote: it is so. => label@8 '5'
**Answer:** 5 => label@12 '5'
Final answer: **12** => label@16 '12'
#### 18 => hash@5 '18'
\boxed{5} => boxed@7 '5'
so \boxed{5} and \boxed{6} => boxed@24 '6', several '\\boxed{5} and \\boxed{6}'
<answer>5</answer> => tag@8 '5'
The final answer is 5. I hope it helps. => sentence@20 '5'
Hence, the answer is Paris, not Lyon. => sentence@21 'Paris, not Lyon'
Die Antwort lautet 5. => sentence@19 '5'
La réponse est 5. => sentence@15 '5'
Jawaban: 5 => label@9 '5'
答案：5 => label@3 '5'
ANSWER: B => label@8 'B'
So we get 5. => last_line@0 'So we get 5'
Thus x = 5 => last_line@0 'Thus x = 5'
Answer:\n5 => label@8 '5'
The correct answer is:\n\n**Paris** => sentence@24 'Paris'
My answer: I do not know => last_line@0 'My answer: I do not know'
What is the answer? The answer is 5. => sentence@34 '5'
"""


def test_a_final_answer_is_marked_or_stands_last() -> None:
    assert differing(_FINAL, final) == []


_TURNS = r"""
What is 2+2?|4\nQ: What is 3+3?\nA: 6 => '4\n' / 'Q: What is 3+3?\nA: 6'
What is 2+2?|What is 2+2?\n4 => 'What is 2+2?\n4'
What is 2+2?|Question: What is 2+2?\nAnswer: 4 => 'Question: What is 2+2?\nAnswer: 4'?
What is 2+2?|4\n\nUser: thanks => '4\n\n' / 'User: thanks'
What is 2+2?|4\nHuman: And 3+3?\nAssistant: 6 => '4\n' / 'Human: And 3+3?\nAssistant: 6'
"""


def test_a_response_is_cut_where_another_turn_begins() -> None:
    assert differing(_TURNS, lambda line: turns(*line.split("|"))) == []


_ENUMERATED = r"""
Name the three rivers.|Rhine, Elbe, Oder|The rivers are Elbe, Oder and Rhine. => right 'Elbe, Oder and Rhine'
Name the three rivers.|Rhine, Elbe, Oder|1. Rhine\n2. Elbe\n3. Oder => right 'Rhine\n2. Elbe\n3. Oder'
Name the three rivers.|Rhine, Elbe, Oder|Rhine, Elbe and Danube => -
Name the three rivers.|Rhine, Elbe, Oder|Rhine, Elbe, Oder and Danube => -
Name the three rivers.|Rhine, Elbe, Oder|- Rhine\n- Elbe => -
Name the three rivers in order.|Rhine, Elbe, Oder|Elbe, Rhine, Oder => -
Name the three rivers.|Rhine, Elbe|Rhine and Elbe => -
Name the three rivers.|Rhine, Elbe, Oder|They are Rhine, Elbe, Oder (in the west). => -
Name the colours.|red, white and blue|red, white, blue => right 'red, white, blue'
Name the colours.|red, white and blue|blue, white, red => right 'blue, white, red'
"""


def test_an_enumeration_is_the_gold_s_list_and_nothing_more() -> None:
    assert differing(_ENUMERATED, lambda line: enumerated(*line.split("|"))) == []


_HOLDS = r"""
How tall is the tower?|330 m|330 feet => yes
What is it?|April 26, 1986|April 27, 1986 => no
Which planet is the largest?\nA) Mars\nB) Jupiter\nC) Venus\nD) Earth|B|A: B => yes
"""


def test_a_gold_is_held_by_value_or_by_its_words() -> None:
    assert differing(_HOLDS, lambda line: holds(*line.split("|"))) == []


_LISTS = r"""
a, b, c|a; b; c => yes no
a, b, c|c, b, a => no no
a and b|a, b => no no
a-b|a, b => no no
1, 2, 3|1 2 3 => no no
1,2|[1, 2] => yes no
a → b|a, b => no no
a, b|a, b, c => no no
["a", "b"]|a, b => no no
1,000|1000 => no no
1,000, 2,000|1,000; 2,000 => yes no
a;b|a, b => yes no
"""


def test_lists_are_the_same_item_by_item() -> None:
    assert differing(_LISTS, lambda line: lists(*line.split("|"))) == []


_TRUTH = r"""
Yes. => yes!
Nope => no!
Definitely not. => no!
It is not true that it is so. => no
I do not think so. => -
True or false? True. => yes!
Correct. => yes!
That's incorrect. => no
Not correct => no
Yes and no => -
Ja, natürlich. => yes!
Non. => no!
Sí, claro => yes!
It depends. => -
I cannot say yes or no. => -
Of course it is. => yes!
Hardly. => -
Absolutely not! => no!
Right. => yes!
not at all => no!
Yes. No, wait: no. => no!
no one => -
y => yes!
"""


def test_a_short_answer_is_a_truth_value() -> None:
    assert differing(_TRUTH, truth) == []


_TRUTH_STATED = r"""
Are there more cats than dogs?|There are not more cats than dogs each => no 'There are not more cats than dogs each'
"""


def test_a_statement_answers_what_is_asked() -> None:
    assert differing(_TRUTH_STATED, lambda line: truth_stated(*line.split("|"))) == []


_OTHERWISE = r"""
more cats than dogs|There are fewer cats than dogs. => (True, 'more')
more cats than dogs|There are more dogs than cats. => (True, 'more')
more cats than dogs|There are fewer dogs than cats. => (False, 'more')
Iron is heavier than wood.|Wood is lighter than iron. => (False, 'heavier')
Iron is heavier than wood.|Wood is heavier than iron. => (True, 'heavier')
Iron is heavier than wood.|Iron is lighter than wood. => (True, 'heavier')
Iron is heavier than wood.|Iron is older than wood. => None
Iron is lighter than gold.|Brazil is less populous than India. => None
"""


def test_a_comparison_turned_round_says_the_opposite() -> None:
    assert differing(_OTHERWISE, lambda line: otherwise(*line.split("|"))) == []

"""Words for the same relation: lets `father` in a question meet `parent_of` in a predicate or `son of` in a sentence.

General English, by the relation and by the end of it that is meant; nothing here knows a bundle. Words that share
their stem, or a beginning of five letters (direct, director, directed), need no entry.
"""

from __future__ import annotations

_SETS = """
parent father mother dad mum mom stepfather stepmother grandfather grandmother grandparent
child son daughter kid offspring stepson stepdaughter grandson granddaughter grandchild
spouse wife husband married marry marriage wed wedded partner widow widower bride
sibling brother sister twin
born birth birthplace birthday native
die died death dead deathplace killed buried
write wrote written author writer novelist screenplay
sing sang sung singer vocalist performed performer
star starred stars starring actor actress cast role played
compose composer music score soundtrack
found founder founded establish established start started create created creator
work worked works employ employer employed employee job
study studied graduate graduated educated education attended alumnus alma school university college
win won winner award awarded prize medal
own owned owner owns bought acquired acquire purchase purchased
lead leader led head chief president chair director ceo
invest invested investor backed backer funded fund
play plays team club
located location lies situated based capital
publish published publisher released release
succeed succeeded successor replaced replacement followed
precede preceded predecessor
employ employer hired
"""

SETS: dict[str, frozenset[int]] = {}
"""Word → numbers of the sets it belongs to."""
for _number, _line in enumerate(_SETS.split("\n")):
    for _word in _line.split():
        SETS[_word] = SETS.get(_word, frozenset()) | {_number}

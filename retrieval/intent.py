"""Tells what kind of answer a question wants, from words that give it away."""

from __future__ import annotations

import re

from retrieval.dates import asked_period
from retrieval.names import fold

HISTORICAL, WHY, WHEN, ENTITY, GENERAL = "HISTORICAL", "WHY", "WHEN", "ENTITY", "GENERAL"

CUES = {
    HISTORICAL: "before|former|formerly|previous|previously|until|predecessor|predecessors|prior to|used to|back then"
                "|vorher|fruher|fruherer|ehemals|ehemalige|ehemaliger|vorganger|avant|ancien|ancienne|antes|anterior",
    WHY: "why|because|reason|reasons|cause|caused|causes|how come|led to|lead to|purpose|motivation|motivated|rationale"
         "|warum|wieso|weshalb|pourquoi|por que",
    WHEN: "when|what year|which year|what date|which date|what day|what month|what time|since|how long|how old|date of"
          "|year of|wann|seit|quand|cuando|older|younger|oldest|youngest|earlier|later|earliest|latest",
    ENTITY: "who|whom|whose|which|where|what is|what are|what was|what were|wer|wen|wem|welche|welcher|welches|wo"
            "|qui|quel|quelle|ou|quien|quienes|cual|donde",
}
"""Words and phrases, folded, that mark an intent. The first intent with a cue wins: a question about the past stays one
whatever else it asks."""

_PATTERNS = {intent: re.compile(rf"\b(?:{cues})\b") for intent, cues in CUES.items()}


def detect_intent(question: str) -> str:
    """HISTORICAL, WHY, WHEN, ENTITY or GENERAL; a date makes a question that is no WHY a WHEN."""
    folded = fold(question)
    for intent, pattern in _PATTERNS.items():
        if intent == ENTITY and asked_period(question):
            return WHEN
        if pattern.search(folded):
            return intent
    return GENERAL

"""English words that carry grammar, not a topic: they neither search nor count as covered.

Only words that are grammar in every sense are listed; frequent words of other languages fall out by their
frequency in the bundle (see `retrieval.query`).
"""

STOPWORDS = frozenset("""
a about above after again against all also although always am among an and another any anyone anything are aren't
around as at away back be became because become becomes been before being below between both but by came can can't
cannot come comes could couldn't current currently did didn't do does doesn't doing don't done down during each either else ever every
everyone everything few for from further get gets getting give given gives go goes going gone got had hadn't has hasn't
have haven't having he he'd he'll he's hello her here here's hers herself hi him himself his how how's however i i'd
i'll i'm i've if in instead into is isn't it it's its itself just least less let let's like likely made make makes
many may maybe me might mine more most much must my myself near need neither never no nor not now of off often on once
one only onto or other others otherwise ought our ours ourselves out over own per perhaps please put quite rather
really said same say says shall shan't she she'd she'll she's should shouldn't since so some someone something
sometimes somewhere still such take tell than that that's the their theirs them themselves then there there's therefore
these they they'd they'll they're they've thing things this those though through thus to today together too toward towards
under until up upon us use used uses using very via was wasn't way we we'd we'll we're we've well went were weren't
what what's when when's where where's whether which while who who's whom whose why why's will with within without won't
would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves
""".replace("'", "").split())
"""Folded as `retrieval.names.fold` does: apostrophes are gone."""

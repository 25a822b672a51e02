"""Exact counting over half-suits: compiled loops on flat arrays.

Everything an event says is about one half-suit, so what seat ``s`` may have been dealt of half-suit
``h`` is a *family*: a set of subsets of six cards, 64 bits, bit ``i`` for the subset of the cards
in ``i``. Half-suits touch only through hand sizes. The number of deals is therefore a coefficient
of a product of polynomials, one for each half-suit, whose exponents count the cards of each seat.
The steps are

1. `families.fold`: cards with one possible seat leave the problem, and so do seats with full hands;
2. `reduction.build`: each half-suit that is left becomes a *leaf*, the list of its layouts, grouped
   by their *count vector* (how many cards each seat gets). Seats about which nothing is known merge
   into one place, half-suits about which nothing is known are dealt last, as one pool of cards, and
   one layout stands for all that differ from it by cards which nothing tells apart;
3. `passes.forward`: the ways (or weight) to deal the first leaves, for every state, that is, for
   every vector of cards dealt so far; `passes.backward`: for every count vector of a leaf, the
   weight of all that is outside it. Together they give every probability.

A state is held in two forms: as an index in mixed radix, so that adding a count vector is one
addition; and packed, seven bits a place, biased so that one mask shows whether a hand overflows.

`solver.counting` calls the functions of `posterior`, `claims`, `deals`, `samples` and
`distributions`, each of which takes all these steps. All integers are int64: a family's highest bit
is the sign.
"""

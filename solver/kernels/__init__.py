"""Exact counting over half-suits: compiled loops on flat arrays.

Every fact is about one half-suit, so what seat ``s`` may have been dealt of half-suit ``h`` is a
*family*: a set of subsets of six cards, stored in 64 bits, where bit ``i`` stands for the subset
whose cards are the bits of ``i``. Half-suits interact only through hand sizes. The number of deals
is therefore a coefficient of a product of generating polynomials, one for each half-suit, whose
exponents are the numbers of cards of each seat. The steps are

1. `families.fold` (constraint propagation): remove cards with one possible seat, and full hands;
2. `reduction.build`: turn each remaining half-suit into a *leaf*, the list of its layouts, grouped
   by *count vector* (the number of cards that each seat gets). Three symmetries make lists short:
   seats without information merge into one place, half-suits without information form one pool of
   cards that is dealt last, and one layout represents all that differ only in cards that are
   interchangeable;
3. `passes.forward`: the number (or weight) of the ways to deal the first leaves, for every state,
   that is, for every vector of cards dealt so far; `passes.backward`: for every count vector of a
   leaf, the weight of the rest of the deal. Their products give every probability (the
   forward-backward algorithm).

A state is stored in two forms: as an index in mixed radix, so that adding a count vector is one
addition; and packed, seven bits for each place, biased so that one mask detects an overfull hand.

`solver.counting` calls the functions of `posterior`, `claims`, `deals`, `samples` and
`distributions`, each of which performs all these steps, and of `enumeration`, which searches in the
place of step 3. All integers are int64, so the highest bit
of a family is the sign.
"""

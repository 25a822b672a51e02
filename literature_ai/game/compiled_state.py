"""The rules of `literature_ai.game.state`, compiled: what batches of games and rollouts call.

The functions are the same, under the same names; they take int64 arrays where those take lists.
"""

from __future__ import annotations

from literature_ai.game import state
from literature_ai.game.state import apply_ask as apply_ask
from literature_ai.game.state import apply_claim as apply_claim
from literature_ai.game.state import apply_pass as apply_pass
from literature_ai.game.state import apply_time_out as apply_time_out
from literature_ai.game.state import askable as askable
from literature_ai.game.state import check_ask as check_ask
from literature_ai.game.state import check_asker as check_asker
from literature_ai.game.state import check_claim as check_claim
from literature_ai.game.state import check_claimant as check_claimant
from literature_ai.game.state import check_lost as check_lost
from literature_ai.game.state import check_pass as check_pass
from literature_ai.game.state import check_time_out as check_time_out
from literature_ai.game.state import lay_open as lay_open
from literature_ai.game.state import may_claim as may_claim
from literature_ai.game.state import may_pass as may_pass
from literature_ai.game.state import next_with_cards as next_with_cards
from solver.compilation import compiled_twins

# The imports above are for type checkers: their names are bound to the compiled functions here.
globals().update(compiled_twins(state))

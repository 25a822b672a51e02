"""What `literature_ai` offers, for type checkers: the same names as ``_HOME`` in its module."""

from literature_ai.agents.base import Agent as Agent
from literature_ai.analysis.engine import Analysis as Analysis
from literature_ai.analysis.engine import Candidate as Candidate
from literature_ai.analysis.engine import Value as Value
from literature_ai.analysis.engine import analyze as analyze
from literature_ai.bots.conformance import ConformanceTests as ConformanceTests
from literature_ai.bots.parameters import Between as Between
from literature_ai.bots.registry import Spec as Spec
from literature_ai.bots.registry import parse_spec as parse_spec
from literature_ai.cards import Card as Card
from literature_ai.cards import HalfSuit as HalfSuit
from literature_ai.cards import Seat as Seat
from literature_ai.cards import Team as Team
from literature_ai.cards import cards_of as cards_of
from literature_ai.cards import half_suit_name as half_suit_name
from literature_ai.cards import half_suit_of as half_suit_of
from literature_ai.cards import name as _card_name
from literature_ai.cards import parse as _parse_card
from literature_ai.cards import parse_half_suit as parse_half_suit
from literature_ai.cards import parse_seat as parse_seat
from literature_ai.cards import seat_name as seat_name
from literature_ai.cards import team_of as team_of
from literature_ai.errors import BotError as BotError
from literature_ai.errors import DealError as DealError
from literature_ai.errors import FileError as FileError
from literature_ai.errors import IllegalActionError as IllegalActionError
from literature_ai.errors import LiteratureError as LiteratureError
from literature_ai.errors import NotationError as NotationError
from literature_ai.errors import RecordError as RecordError
from literature_ai.errors import RulesError as RulesError
from literature_ai.errors import SpecError as SpecError
from literature_ai.errors import UnknownNameError as UnknownNameError
from literature_ai.events import Action as Action
from literature_ai.events import Ask as Ask
from literature_ai.events import Asked as Asked
from literature_ai.events import Claim as Claim
from literature_ai.events import Claimed as Claimed
from literature_ai.events import Event as Event
from literature_ai.events import Pass as Pass
from literature_ai.events import Passed as Passed
from literature_ai.events import TimedOut as TimedOut
from literature_ai.game.asks import LegalAsks as LegalAsks
from literature_ai.game.game import Game as Game
from literature_ai.game.match import Match as Match
from literature_ai.game.position import Outcome as Outcome
from literature_ai.game.position import Position as Position
from literature_ai.game.position import Termination as Termination
from literature_ai.game.turns import Answer as Answer
from literature_ai.game.turns import Decision as Decision
from literature_ai.game.turns import Turns as Turns
from literature_ai.game.turns import play as play
from literature_ai.game.turns import steps as steps
from literature_ai.game.view import View as View
from literature_ai.inference.knowledge import BestClaim as BestClaim
from literature_ai.inference.knowledge import Knowledge as Knowledge
from literature_ai.records.lit import read_games as read_games
from literature_ai.records.lit import write_games as write_games
from literature_ai.records.notation import format_event as format_event
from literature_ai.records.notation import parse_event as parse_event
from literature_ai.records.record import Record as Record
from literature_ai.rules import RuleSet as RuleSet
from solver.errors import ContradictionError as ContradictionError
from solver.errors import NotForcedError as NotForcedError

__version__: str

card_name = _card_name
parse_card = _parse_card

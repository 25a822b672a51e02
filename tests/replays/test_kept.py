"""Records that a server keeps, and values that are found in the background."""

from __future__ import annotations

import os
import re

import pytest
from helpers import SUIT_EACH

from literature_ai.analysis.game_values import moments_of
from literature_ai.analysis.value_text import game_as_json
from literature_ai.errors import FileError, LiteratureError, RecordError
from literature_ai.records.lit import read
from literature_ai.replays.kept import KeptRecords
from literature_ai.replays.valuing import Valuing
from literature_ai.sessions.private import PrivateFolder, UnknownIdError

GAME = f"""{SUIT_EACH}claim B1 LH B1 right
claim B1 HH B1 right
"""


def test_kept_under_an_id_that_it_makes(tmp_path):
    """A record is found again, by a new object too, under its id, and under nothing else."""
    kept = KeptRecords(tmp_path)
    id = kept.add(GAME)
    assert re.fullmatch(r"[\w-]{22}", id)
    assert id != kept.add(GAME)
    assert read(GAME) == KeptRecords(tmp_path).games(id)
    for wrong in ("", "x" * 22, f"../{id}", f"{id}.lit", id[:-1]):
        with pytest.raises(UnknownIdError):
            kept.games(wrong)
    with pytest.raises(LiteratureError, match="1 to 1"):
        kept.game(id, 2)


def test_errors_name_the_line(tmp_path):
    """A wrong record is refused in one line with the number of its line, and nothing is kept."""
    kept = KeptRecords(tmp_path)
    with pytest.raises(RecordError, match=r"^record:8: "):
        kept.add(GAME.replace("LH B1 right", "LH A1 right"))
    with pytest.raises(FileError, match="holds no game"):
        kept.add("\n")
    assert [] == list(tmp_path.glob("*"))


def test_oldest_is_forgotten(tmp_path):
    """Where there is no room, what was not used for longest goes, with all that belongs to it; a
    folder that must not forget says so instead."""
    folder = PrivateFolder(tmp_path, "record", 2, forgets=True)
    old, new = folder.add("a"), folder.add("b")
    folder.path(old, ".1.values").write_text("x")
    for age, id in enumerate((new, old)):
        os.utime(folder.path(id), (1000 + age, 1000 + age))
    assert "a" == folder.text(old)
    os.utime(folder.path(new), (2000, 2000))
    third = folder.add("c")
    assert {old, third} == {path.stem for path in tmp_path.glob("*.lit")}
    with pytest.raises(FileError, match="all it may"):
        PrivateFolder(tmp_path, "board", 2).add("d")


def test_values_are_found_once(tmp_path):
    """The values are those of `moments_of`; a new object reads them from the file."""
    (record,) = read(GAME)
    valuing = Valuing(budget=3)
    path = tmp_path / "g.values"
    valuing.found(record, path)
    valuing._thread.submit(lambda: None).result()
    found = valuing.found(record, path)
    valuing.close()
    assert (3, 3, None) == (found["done"], found["of"], found["failed"])
    expected = game_as_json(list(moments_of(record, None, 3)), 4)
    assert expected == {key: found[key] for key in expected}
    assert "<svg" in found["graph"]
    kept = path.read_text()
    again = Valuing(budget=3)
    again.found(record, path)
    again._thread.submit(lambda: None).result()
    assert expected["moments"] == again.found(record, path)["moments"]
    again.close()
    assert kept == path.read_text()


def test_failure_is_said_once(tmp_path):
    """Work that fails says why, once; asked again it is tried again."""
    (record,) = read(GAME)
    path = tmp_path / "g.values"
    path.write_text("something else\n")
    valuing = Valuing(budget=3)
    valuing.found(record, path)
    valuing._thread.submit(lambda: None).result()
    assert "is no store" in valuing.found(record, path)["failed"]
    path.unlink()
    valuing.found(record, path)
    valuing._thread.submit(lambda: None).result()
    assert 3 == valuing.found(record, path)["done"]
    valuing.close()

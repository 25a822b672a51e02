"""The file of a session: two sessions on it, editors that change or delete it, links, devices."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from literature_ai.errors import FileError, StreamError
from literature_ai.sessions import storage as module
from literature_ai.sessions.storage import Storage


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of a session that somebody could go on with."""
    file = tmp_path / "kitchen.lit"
    file.write_text("one\n")
    return file


def drafts(folder: Path) -> list[str]:
    """What should not be left behind."""
    return [name for name in os.listdir(folder) if name.startswith(".")]


def test_a_second_session_on_a_file_is_refused(file: Path) -> None:
    """Two sessions on one file: the second is told, also after the first has written."""
    first = Storage(file)
    for text in ("two\n", "three\n"):
        with pytest.raises(FileError, match=r"kitchen\.lit is open in another session; end that"):
            Storage(file)
        assert first.save(text) == ""
    first.release()
    assert Storage(file).text == "three\n"


@pytest.mark.parametrize("in_place", [True, False], ids=["in-place", "renamed"])
@pytest.mark.parametrize("text", ["two\n", "one\n"], ids=["new-line", "nothing-new"])
def test_a_file_changed_under_a_session_is_left_as_it_is(
    file: Path, text: str, in_place: bool
) -> None:
    """A file changed by an editor is noticed before the next write, said, and both versions are
    kept; so it is when nothing is left to be written."""
    storage = Storage(file)
    if in_place:
        file.write_text("theirs\n")
    else:
        file.with_name("draft").write_text("theirs\n")
        file.with_name("draft").rename(file)
    said = storage.save(text)
    other = file.with_name("kitchen-2.lit")
    assert said == (
        f"{file} was changed by another program and is left as it is;"
        f" the session goes on in {other}."
    )
    assert storage.path == other
    assert storage.save(text + "more\n") == ""
    assert (file.read_text(), other.read_text()) == ("theirs\n", text + "more\n")
    assert drafts(file.parent) == []
    with pytest.raises(FileError, match="open in another session"):
        Storage(other)


@pytest.mark.parametrize("text", ["two\n", "one\n"], ids=["new-line", "nothing-new"])
def test_a_file_deleted_under_a_session_is_written_again(file: Path, text: str) -> None:
    """A file deleted under a session is noticed before the next write, said, and written anew."""
    storage = Storage(file)
    file.unlink()
    assert storage.save(text) == f"{file} was deleted; it is written again."
    assert file.read_text() == text


def test_two_sessions_that_make_the_same_file(tmp_path: Path) -> None:
    """Of two sessions that begin a new file of one name, the later to write takes another name."""
    first, second = (Storage(tmp_path / "new.lit") for _ in range(2))
    assert first.save("first\n") == ""
    assert "new.lit was changed by another program" in second.save("second\n")
    assert (tmp_path / "new.lit").read_text() == "first\n"
    assert (tmp_path / "new-2.lit").read_text() == "second\n"


def test_a_file_that_comes_into_being_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file made by another program between the last look and the write is not replaced."""
    storage = Storage(tmp_path / "new.lit")
    finish = module.finish_draft

    def late(file, real):
        if not (tmp_path / "new.lit").exists():
            (tmp_path / "new.lit").write_text("theirs\n")
        finish(file, real)

    monkeypatch.setattr(module, "finish_draft", late)
    assert "the session goes on in" in storage.save("ours\n")
    assert (tmp_path / "new.lit").read_text() == "theirs\n"
    assert (tmp_path / "new-2.lit").read_text() == "ours\n"


def test_a_file_that_no_session_has_written_is_kept(file: Path) -> None:
    """It is kept under a name that nothing has, and that is said."""
    file.with_name("kitchen.lit~").write_text("older\n")
    storage = Storage(file)
    storage.foreign = True
    assert storage.save("two\n") == f"{file} as it was is kept in {file}~1."
    assert storage.save("three\n") == ""
    assert file.with_name("kitchen.lit~").read_text() == "older\n"
    assert file.with_name("kitchen.lit~1").read_text() == "one\n"


@pytest.mark.parametrize("target", ["kitchen.lit", "missing.lit"])
def test_a_link_is_written_through(file: Path, target: str) -> None:
    """A symbolic link stays one, and what it points to has the text; also when it was missing."""
    link = file.with_name("link.lit")
    link.symlink_to(target)
    Storage(link).save("two\n")
    assert os.readlink(link) == target
    assert file.with_name(target).read_text() == "two\n"


def test_a_fifo_gets_the_record_when_the_session_ends(tmp_path: Path) -> None:
    """A FIFO is written to, once and whole, and never replaced."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    storage = Storage(fifo)
    assert storage.save("one\n") == storage.save("two\n") == ""
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()))
    reader.start()
    storage.finish("two\n")
    reader.join()
    assert read == ["two\n"]
    assert fifo.is_fifo()


def test_a_full_device_is_an_error() -> None:
    """A device is written to, and that it is full is said."""
    storage = Storage(Path("/dev/full"))
    with pytest.raises(StreamError, match="cannot write /dev/full: no space left on device"):
        storage.finish("one\n")


def test_what_cannot_be_replaced_is_said(tmp_path: Path) -> None:
    """A folder that is gone is an error, and a later attempt where it is back succeeds."""
    storage = Storage(tmp_path / "gone" / "kitchen.lit")
    with pytest.raises(FileError, match="no such file or directory"):
        storage.save("one\n")
    (tmp_path / "gone").mkdir()
    assert storage.save("one\n") == ""


@pytest.mark.parametrize("seed", range(20))
def test_nothing_that_was_saved_is_ever_lost(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions and editors that write, rename and delete one file in any order, on a system without
    locks: whatever a session has saved last, and an editor has written, is in some file."""
    monkeypatch.setattr(module, "_locked", lambda path: None)
    rng = np.random.default_rng(seed)
    file = tmp_path / "kitchen.lit"
    file.write_text("start\n")
    sessions = [Storage(file) for _ in range(3)]
    saved: dict[object, str] = {}
    for step in range(40):
        who = int(rng.integers(5))
        text = f"{step}\n"
        if who < 3:
            sessions[who].save(text)
            saved[who] = text
        elif who == 3:
            (path,) = rng.choice([s.path for s in sessions], 1)
            gone = path.read_text() if path.exists() else None
            path.write_text(text)
            saved = {key: kept for key, kept in saved.items() if kept != gone}
            saved["editor"] = text
        else:
            (path,) = rng.choice([s.path for s in sessions], 1)
            gone = path.read_text() if path.exists() else None
            path.unlink(missing_ok=True)
            saved = {key: kept for key, kept in saved.items() if kept != gone}
        found = {path.read_text() for path in tmp_path.iterdir()}
        assert found >= set(saved.values())
    for number, session in enumerate(sessions):
        session.save(f"end {number}\n")
    assert {path.read_text() for path in tmp_path.iterdir()} >= {f"end {n}\n" for n in range(3)}
    assert drafts(tmp_path) == []

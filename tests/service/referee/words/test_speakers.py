"""Who plays which side, by the seats and by who did anything."""

from __future__ import annotations

from types import SimpleNamespace

from hexmarshal.referee.chat.speakers import Speakers


def test_who_only_sits_there_plays_nobody() -> None:
    seats = {n: SimpleNamespace(name=n, side=s) for n, s in (("Anna", "Red"), ("Boris", "Blue"))}
    game = SimpleNamespace(sides=[SimpleNamespace(key="red"), SimpleNamespace(key="blue")])
    speakers = Speakers(
        SimpleNamespace(sides={"Red": "red", "Blue": "blue"}),  # type: ignore[arg-type]
        SimpleNamespace(game=game),  # type: ignore[arg-type]
        lambda: SimpleNamespace(seats=seats),  # type: ignore[arg-type,return-value]
    )
    assert speakers.names() == {"": "", "red": "Anna", "blue": "Boris"}
    assert speakers.names({"Anna", "Boris"}) == {"": "", "red": "Anna", "blue": "Boris"}
    assert speakers.names({"Anna"}) == {"": "Anna", "red": "Anna", "blue": "Anna"}
    assert speakers.names({"Anna", "Carl"}) == {"": "", "red": "Anna", "blue": ""}

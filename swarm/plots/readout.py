"""Numbers on a page of moving pictures: words are part of the still picture, only the values are drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.text import Text

from swarm.plots.numbers import Number

_LETTER = 0.602 / 72.0  # inches a letter of 1 point of the fixed-width font is wide
_LINE = 1.7 / 72.0  # inches from line to line, of 1 point
_VALUE = 8  # letters; fewer in a row


class Readout:
    """Words and values, one under the other or in a row.

    Args:
        page: Where.
        corner: Inches from the left and from the top.
        stacked: Whether they stand one under the other.
        size: Points.
    """

    def __init__(self, page: Figure, corner: tuple[float, float], stacked: bool, size: float) -> None:
        self._page, self._corner, self._stacked = page, corner, stacked
        self._letter, self._line = size * _LETTER, size * _LINE
        self._look: dict[str, Any] = {"va": "top", "fontsize": size, "family": "DejaVu Sans Mono"}
        self._words: tuple[Any, ...] = ()
        self._still: list[Text] = []
        self._values: list[Text] = []

    def tell(self, numbers: Sequence[Number], said: Sequence[str]) -> bool:
        """Set the values; whether the words have changed, and with them the still picture."""
        words = (*((n.word, n.unit) for n in numbers), *said)
        changed = words != self._words
        if changed:
            self._words = words
            self._lay_out(numbers, said)
        for text, number in zip(self._values, numbers):
            text.set_text(number.text)
        return changed

    def draw(self) -> None:
        """Draw the values."""
        for text in self._values:
            self._page.draw_artist(text)

    def _lay_out(self, numbers: Sequence[Number], said: Sequence[str]) -> None:
        for text in (*self._still, *self._values):
            text.remove()
        self._still, self._values = [], []
        wide = max((len(n.word) for n in numbers), default=0)
        column, line = 0, 0
        for number in numbers:
            begin = column + (
                wide + 1 + _VALUE if self._stacked else len(number.word) + max(_VALUE - 1, len(number.text))
            )
            self._still.append(self._text(column, line, number.word))
            self._values.append(self._text(begin, line, "", ha="right", animated=True))
            self._still.append(self._text(begin + 1, line, number.unit))
            if self._stacked:
                line += 1
            else:
                column = begin + 1 + (len(number.unit) + 3 if number.unit else 2)
        for words in said:
            self._still.append(self._text(column, line, words))
            column, line = (0, line + 1) if self._stacked else (column + len(words) + 3, 0)

    def _text(self, column: int, line: int, text: str, **more: Any) -> Text:
        width, height = self._page.get_size_inches()
        across = (self._corner[0] + column * self._letter) / width
        return self._page.text(across, 1.0 - (self._corner[1] + line * self._line) / height, text, **self._look, **more)

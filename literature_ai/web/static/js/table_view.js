// The table: who sits where, how many cards they have, whose turn it is, and the score.

import { el } from "./dom.js";
import { halfSuitInWords, halfSuitSign, suitClass } from "./cards.js";

/** The name of whoever sits there: "expert", "Ada", "nobody". */
export function occupantName(occupant) {
  if (!occupant) return "nobody";
  return occupant.person ?? occupant.bot;
}

/** The team of a seat, as a class: "a" or "b". */
export function teamClass(seat) {
  return seat[0].toLowerCase();
}

/** The seats from one on, clockwise. */
export function seatsFrom(seats, first) {
  const names = Object.keys(seats);
  const start = Math.max(names.indexOf(first), 0);
  return [...names.slice(start), ...names.slice(0, start)];
}

/** The score and what is still in play, from a state as `seen_by` gives it and the deck. */
export function scoreLine(seen, deck) {
  return [
    el("p.score", {}, el("span.a", {}, `A ${seen.score.A}`), " – ", el("span.b", {}, `B ${seen.score.B}`)),
    el(
      "ul.half-suits",
      { "aria-label": "Half-suits" },
      Object.keys(deck).map((name) => {
        const open = seen.in_play.includes(name);
        const said = `${halfSuitInWords(name)}${open ? "" : ", claimed"}`;
        return el(`li.${suitClass(name)}${open ? "" : ".claimed"}`, {}, el("span", { "aria-hidden": true }, halfSuitSign(name)), el("span.spoken", {}, said));
      }),
    ),
  ];
}

// The heat map of cards × seats: how likely it is that a seat holds a card.

import { card, cardInWords, halfSuitInWords, halfSuitOf } from "./cards.js";
import { el, spoken } from "./dom.js";

/** In percent; only what is certain is 0 or 100. */
export function percent(chance) {
  if (chance === 0 || chance === 1) return String(100 * chance);
  return String(Math.min(Math.max(Math.round(100 * chance), 1), 99));
}

/**
 * A table of cards × seats. locations: {"2S": {"A1": 0.5, …}, …} as a hint gives them; seats: their
 * names in order. Options: deck, to head each half-suit with its name; onCell(card, seat), which
 * makes cells buttons; was, earlier locations, against which changes are marked; own, the seat that
 * looks.
 */
export function heatMap(locations, seats, caption, options = {}) {
  const { deck, onCell, was, own } = options;
  const rows = [];
  let last = null;
  for (const [name, chances] of Object.entries(locations)) {
    const halfSuit = deck ? halfSuitOf(name, deck) : null;
    if (halfSuit !== last) {
      const head = el("th", { scope: "rowgroup", colspan: seats.length + 1 }, halfSuitInWords(halfSuit));
      rows.push(el("tr.half", {}, head));
      last = halfSuit;
    }
    const cells = seats.map((seat) => cell(name, seat, chances[seat] ?? 0, was?.[name]?.[seat] ?? (was ? 0 : null), onCell));
    rows.push(el("tr", {}, el("th", { scope: "row" }, card(name, "small")), cells));
  }
  const heads = seats.map((seat) => el(`th.${seat[0].toLowerCase()}`, { scope: "col" }, seat, seat === own ? spoken(" (you)") : null));
  return el(
    "table.heat",
    {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "card"), heads)),
    el("tbody", {}, rows),
  );
}

function cell(name, seat, chance, before, onCell) {
  const step = chance === 0 ? 0 : Math.max(1, Math.round(chance * 10));
  const changed = before !== null && percent(before) !== percent(chance);
  const said = `${cardInWords(name)} at ${seat}: ${percent(chance)} %${changed ? `, was ${percent(before)} %` : ""}`;
  const arrow = changed ? el("span.arrow", { "aria-hidden": true }, chance > before ? "▲" : "▼") : null;
  const shown = chance ? percent(chance) : changed ? "0" : "·";
  const what = `td.heat-${step}${changed ? ".changed" : ""}${chance === 0 ? ".none" : ""}`;
  if (onCell) {
    const press = () => onCell(name, seat);
    const key = `${name} ${seat}`;
    const inside = [el("span", { "aria-hidden": true }, shown), arrow];
    return el(what, {}, el("button.cell", { type: "button", "data-key": key, "aria-label": `${said}. Why?`, onclick: press }, inside));
  }
  const inside = [el("span", { "aria-hidden": true }, shown), arrow, spoken(said)];
  return el(what, { title: said }, inside);
}

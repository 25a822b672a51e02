// Forms made of things to tap: an ask, a claim, and one choice out of several.

import { card, cardButton, halfSuitInWords, halfSuitSign, suitClass } from "./cards.js";
import { el, spoken } from "./dom.js";
import { teamClass } from "./table_view.js";

/**
 * One choice out of several, as buttons that stay pressed: choices are [value, shown, spoken or
 * null]; chosen is the value pressed; onChoose gets the value.
 */
export function choices(label, values, chosen, onChoose, extra = "") {
  return el(
    `div.choices${extra && `.${extra}`}`,
    { role: "group", "aria-label": label },
    values.map(([value, shown, said, looks]) =>
      el(
        `button${looks ? `.${looks}` : ""}`,
        { type: "button", "data-key": `${label} ${value}`, "aria-pressed": value === chosen, onclick: () => onChoose(value) },
        said ? el("span", { "aria-hidden": true }, shown) : shown,
        said ? spoken(said) : null,
      ),
    ),
  );
}

/** Seats as choices. sizes, {seat: cards}, are shown beside them if given. */
export function seatChoices(label, seats, chosen, onChoose, sizes = null) {
  const values = seats.map((seat) => [seat, seat, sizes ? `${seat}, ${sizes[seat]} cards` : null, teamClass(seat)]);
  const group = choices(label, values, chosen, onChoose, "seats");
  if (sizes) {
    seats.forEach((seat, i) => group.children[i].append(el("span.count", { "aria-hidden": true }, String(sizes[seat]))));
  }
  return group;
}

/** The opponents of a seat, all seats given in order. */
export function opponentsOf(seat, seats) {
  return seats.filter((other) => other[0] !== seat[0]);
}

/** Cards to choose one of, a row for each half-suit. */
export function cardChoices(label, halfSuits, deck, chosen, onChoose, allowed = null) {
  return el(
    "div.card-rows",
    { role: "group", "aria-label": label },
    halfSuits.map((halfSuit) =>
      el(
        "div.card-row",
        { role: "group", "aria-label": halfSuitInWords(halfSuit) },
        deck[halfSuit].map((name) =>
          cardButton(name, {
            "data-key": `${label} ${name}`,
            "aria-pressed": name === chosen,
            disabled: allowed !== null && !allowed.has(name),
            onclick: () => onChoose(name),
          }),
        ),
      ),
    ),
  );
}

/** Half-suits as choices. */
export function halfSuitChoices(label, halfSuits, chosen, onChoose) {
  const values = halfSuits.map((name) => [name, halfSuitSign(name), halfSuitInWords(name), suitClass(name)]);
  return choices(label, values, chosen, onChoose);
}

/**
 * Who holds each of the six cards: a row of seats for each. holders: {card: seat}, which changes as
 * seats are tapped; onChange is called after each.
 */
export function holderRows(label, cards, seats, holders, onChange) {
  return el(
    "div.holders",
    { role: "group", "aria-label": label },
    cards.map((name) =>
      el(
        "div.holder",
        {},
        card(name),
        seatChoices(`${label}: ${name}`, seats, holders[name], (seat) => {
          holders[name] = seat;
          onChange();
        }),
      ),
    ),
  );
}

/** A dialog with a heading; it closes by its button, by Escape, and is gone then. */
export function dialog(heading, ...children) {
  const close = el("button", { type: "button", onclick: () => box.close() }, "Close");
  const box = el("dialog", { "aria-labelledby": "dialog-heading" }, el("h2", { id: "dialog-heading" }, heading), children, el("p.row", {}, close));
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

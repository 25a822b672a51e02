// The heat map of cards × seats: how likely it is that a seat holds a card.

import { card, cardInWords } from "./cards.js";
import { el } from "./dom.js";

/** In percent; only what is certain is 0 or 100. */
export function percent(chance) {
  if (chance === 0 || chance === 1) return String(100 * chance);
  return String(Math.min(Math.max(Math.round(100 * chance), 1), 99));
}

/**
 * A table of cards × seats. locations: {"2S": {"A1": 0.5, …}, …} as a hint gives them; seats: their
 * names in order.
 */
export function heatMap(locations, seats, caption) {
  return el(
    "table.heat",
    {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "card"), seats.map((seat) => el("th", { scope: "col" }, seat)))),
    el(
      "tbody",
      {},
      Object.entries(locations).map(([name, chances]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, card(name, "small")),
          seats.map((seat) => {
            const chance = chances[seat] ?? 0;
            const step = chance === 0 ? 0 : Math.max(1, Math.round(chance * 10));
            return el(`td.heat-${step}`, { title: `${cardInWords(name)} at ${seat}: ${percent(chance)} %` }, chance ? percent(chance) : "");
          }),
        ),
      ),
    ),
  );
}

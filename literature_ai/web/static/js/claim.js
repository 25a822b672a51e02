// The dialog of a claim: which half-suit, and who holds each of its six cards.

import { card, cardInWords, halfSuitInWords } from "./cards.js";
import { halfSuitChoices } from "./choosing.js";
import { el, fill } from "./dom.js";

/**
 * Open the dialog for the state. onClaim(halfSuit, holders) is called with the six seats in card
 * order. Returns certain(locations), which fills in what is certain and not yet given.
 */
export function claimDialog(dialog, state, me, onClaim) {
  const { seen, deck } = state;
  const split = seen.rules.split(" ").includes("split-claims");
  const seats = Object.keys(seen.seats).filter((seat) => split || seat[0] === me[0]);
  let half = null;
  let known = {};
  const given = {};

  function choose(name) {
    half = name;
    show();
  }

  function give(name, seat) {
    given[name] = seat;
    show();
  }

  function fillIn() {
    for (const name of Object.values(deck).flat()) {
      if (given[name]) continue;
      if (seen.hand.includes(name)) given[name] = me;
      else if (known[name]) given[name] = known[name];
    }
  }

  function row(name) {
    return el(
      "fieldset.holder",
      {},
      el("legend", {}, card(name, "small")),
      el(
        "div.row.tight",
        {},
        seats.map((seat) => {
          const empty = seen.hand_sizes[seat] === 0;
          return el(
            `button.${seat[0].toLowerCase()}`,
            { type: "button", "data-key": `${name} ${seat}`, "aria-pressed": given[name] === seat, disabled: empty, title: empty ? `${seat} has no cards` : null, "aria-label": `${cardInWords(name)}: ${seat}${seat === me ? ", you" : ""}`, onclick: () => give(name, seat) },
            seat === me ? `${seat} (you)` : seat,
          );
        }),
      ),
    );
  }

  function show() {
    fillIn();
    const cards = half ? deck[half] : [];
    const missing = cards.filter((name) => !given[name]);
    const ready = half && missing.length === 0;
    const claim = () => {
      dialog.close();
      onClaim(half, cards.map((name) => given[name]));
    };
    fill(
      dialog,
      el("h2", { id: "claim-title" }, half ? `Claim ${halfSuitInWords(half)}: who holds what?` : "Claim which half-suit?"),
      halfSuitChoices("Half-suit", seen.in_play, half, choose),
      half ? cards.map(row) : null,
      el(
        "div.row.foot",
        {},
        el("button.first", { type: "button", "data-key": "do", disabled: !ready, onclick: claim }, half ? `Claim ${halfSuitInWords(half)}` : "Claim"),
        el("button", { type: "button", "data-key": "cancel", onclick: () => dialog.close() }, "Cancel"),
        half && missing.length ? el("span.quiet", { role: "status" }, `${missing.length} to go`) : null,
      ),
    );
  }

  show();
  dialog.showModal();
  return {
    certain(locations) {
      for (const [name, chances] of Object.entries(locations)) {
        const [seat] = Object.entries(chances).find(([, chance]) => chance === 1) ?? [];
        if (seat && seats.includes(seat)) known[name] = seat;
      }
      if (dialog.open) show();
    },
  };
}

// A table as the person at one seat has it: the state comes by a stream, actions go by POST.

import { listen, notice, post, send } from "../api.js";
import { card, cardButton, cardInWords, cardSign, halfSuitInWords, halfSuitSign, inSigns, suitClass } from "../cards.js";
import { claimDialog } from "../claim.js";
import { byId, el, fill, renew } from "../dom.js";
import { percent } from "../heat_map.js";
import { Log } from "../log.js";
import { remember } from "../mine.js";
import { occupantName, scoreLine, seatsFrom, teamClass } from "../table_view.js";

const { base, seat: me } = byId("game").dataset;
const log = new Log(byId("log"));
let state = null;
let chosen = null;
let sending = false;
let deadline = null;
let advice = null;
let told = false;

// What is true of the state.

const events = () => state.seen.events.length;
const mine = () => state.seen.decision?.seat === me && !sending;
const onTurn = () => state.seen.turn === me;
const mayAsk = () => mine() && onTurn();
const asksFor = (name) => state.seen.legal_asks.filter((ask) => ask.card === name).map((ask) => ask.target);
const isOpponent = (seat) => teamClass(seat) !== teamClass(me);

/** Who decides, and what is to be done. */
function situation() {
  const { decision, result, turn } = state.seen;
  if (result) return "The game is over.";
  if (state.trouble) return state.trouble;
  if (!decision) return "";
  if (sending) return "…";
  if (!mine()) {
    const who = `${decision.seat} (${occupantName(state.seen.seats[decision.seat])})`;
    if (decision.off_turn && decision.seat !== turn) return `${who} may claim before ${turn === me ? "your turn goes" : `${turn} goes`} on.`;
    return state.seen.seats[decision.seat]?.bot ? `${who} thinks …` : `${who} is on turn.`;
  }
  if (!onTurn()) return "Do you claim now, before the turn goes on?";
  if (chosen) return `Ask whom for the ${cardInWords(chosen)}?`;
  if (state.seen.legal_asks.length) return "Your turn: tap a card to ask for, or claim.";
  if (state.seen.legal_passes.length) return "You have nobody to ask: pass the turn.";
  return "You have nobody to ask: claim a half-suit.";
}

/** Why a seat cannot be asked now; empty if it can. */
function whyNot(seat) {
  if (!mayAsk()) return state.seen.result ? "The game is over." : `It is the turn of ${state.seen.turn}.`;
  if (!chosen) return "Tap a card first.";
  if (state.seen.hand_sizes[seat] === 0) return `${seat} has no cards.`;
  return asksFor(chosen).includes(seat) ? "" : `${seat} cannot be asked for the ${cardInWords(chosen)}.`;
}

/** Why a card cannot be asked for now; empty if it can. */
function whyNotCard(name) {
  if (!mayAsk()) return state.seen.result ? "The game is over." : `It is the turn of ${state.seen.turn}.`;
  if (asksFor(name).length) return "";
  if (state.seen.hand.includes(name)) return `You hold the ${cardInWords(name)}.`;
  return "No opponent has cards to ask for.";
}

// What the person does.

/** Send what was decided, once; the new state comes by the stream. */
async function act(action) {
  if (sending) return;
  const before = state;
  sending = true;
  show();
  const done = await send(`${base}/act`, { events: events(), action });
  // What was done is over when the state that comes of it is there; that may be before the answer.
  if (done || state !== before) return;
  sending = false;
  show();
}

function choose(name) {
  const why = whyNotCard(name);
  notice(why);
  if (why) return;
  chosen = chosen === name ? null : name;
  show();
}

function ask(seat) {
  const why = whyNot(seat);
  notice(why);
  if (!why) act(`${seat} ${chosen}`);
}

async function openClaim() {
  const dialog = claimDialog(byId("claim"), state, me, (half, holders) => act(`claim ${half} ${holders.join(" ")}`));
  if (!state.seen.coach) return;
  const found = await hint();
  if (found) dialog.certain(found.locations);
}

/** The exact hint for the state, once for each. */
async function hint() {
  if (advice?.events !== events()) advice = { events: events() };
  const now = advice;
  if (!now.hint) {
    try {
      now.hint = await post(`${base}/hint`);
    } catch (error) {
      notice(error.message);
      return null;
    }
  }
  return now.hint;
}

async function askCoach() {
  const place = byId("hints");
  place.hidden = false;
  fill(place, el("p", { role: "status" }, "Counting every deal that fits …"));
  const found = await hint();
  if (!found || found.events !== events()) return;
  advice.open = true;
  showHints();
  if (!advice.engine && mine()) {
    const now = advice;
    try {
      now.engine = await post(`${base}/engine`);
    } catch (error) {
      now.engine = { reason: error.message, candidates: [], choice: null };
    }
    if (now === advice) showHints();
  }
}

/** Let the page of replays have the record, and go there. */
async function replay() {
  const text = await fetch(`${base}/record`).then((response) => (response.ok ? response.text() : null), () => null);
  if (text === null) {
    notice("The record cannot be had.");
    return;
  }
  const kept = await send("/replay/records", { text });
  if (kept) location.assign(`/replay/${kept.id}`);
}

// What is shown.

function seatTile(seat, place, count) {
  const { seats, hand_sizes: sizes, turn } = state.seen;
  const cards = sizes[seat];
  const classes = `${teamClass(seat)}${seat === turn ? ".turn" : ""}`;
  const inside = [
    el("b", {}, seat),
    seat === turn ? el("span.marker", {}, el("span", { "aria-hidden": true }, "▶ "), "on turn") : null,
    el("span.who", {}, seat === me ? "you" : occupantName(seats[seat])),
    el("span.count", {}, `${cards} ${cards === 1 ? "card" : "cards"}`),
  ];
  const spot = `place-${count}-${place}`;
  if (!isOpponent(seat)) return el(`li.${spot}`, {}, el(`div.seat.${classes}`, {}, inside));
  const why = whyNot(seat);
  return el(`li.${spot}`, {}, el(`button.seat.${classes}`, { type: "button", "data-key": seat, "aria-disabled": Boolean(why), title: why || null, onclick: () => ask(seat) }, inside));
}

function handRows() {
  const { hand, in_play: inPlay, result } = state.seen;
  if (result) return [];
  const rows = Object.entries(state.deck)
    .filter(([name, cards]) => inPlay.includes(name) && cards.some((each) => hand.includes(each)))
    .map(([name, cards]) =>
      el(
        "div.half-suit",
        { role: "group", "aria-label": halfSuitInWords(name) },
        el(`span.name.${suitClass(name)}`, { "aria-hidden": true }, ...halfSuitSign(name).split(" ").map((word, place) => el(place ? "b" : "span", {}, word))),
        el("div.six", {}, cards.map((each) => handCard(each, hand.includes(each)))),
      ),
    );
  return rows.length ? rows : [el("p.quiet", {}, "You have no cards left.")];
}

/** A card of the hand, or the place of one to ask for. */
function handCard(name, held) {
  if (held && !asksFor(name).length) return card(name, "held");
  const why = whyNotCard(name);
  const label = `${held ? "your own " : ""}${cardInWords(name)}`;
  return cardButton(name, { "aria-pressed": chosen === name, "aria-disabled": Boolean(why), "aria-label": `ask for the ${label}`, title: why || null, onclick: () => choose(name) }, held ? "held" : "missing");
}

function actionButtons() {
  const { decision, result, may_claim: mayClaim, legal_passes: passes, coach } = state.seen;
  const shown = [];
  if (result) return shown;
  if (mine() && decision.off_turn && !onTurn()) {
    shown.push(el("button.first", { type: "button", "data-key": "decline", disabled: sending, onclick: () => act(null) }, "No claim"));
  }
  if (mine() && mayClaim) shown.push(el("button", { type: "button", "data-key": "claim", disabled: sending, onclick: openClaim }, "Claim …"));
  if (mine() && onTurn()) {
    for (const to of passes) shown.push(el("button", { type: "button", "data-key": `pass ${to}`, disabled: sending, onclick: () => act(`pass ${to}`) }, `Pass to ${to}`));
  }
  if (coach) {
    shown.push(el("button", { type: "button", "data-key": "hint", onclick: askCoach }, "Hint"));
    shown.push(el("button", { type: "button", "data-key": "undo", disabled: sending, onclick: () => send(`${base}/undo`) }, "Undo"));
  }
  if (chosen) shown.push(el("button", { type: "button", "data-key": "other", onclick: () => choose(chosen) }, "Another card"));
  return shown;
}

/** An ask of a hint; on turn it can be made at once. */
function hintedAsk({ target, card: name, probability }) {
  const said = `${target} for ${cardSign(name)}: ${percent(probability)} %`;
  if (!mayAsk()) return said;
  return el("button", { type: "button", "data-key": `hint ${target} ${name}`, "aria-label": `ask ${target} for the ${cardInWords(name)}: ${percent(probability)} %`, onclick: () => act(`${target} ${name}`) }, said);
}

function showHints() {
  const place = byId("hints");
  const open = advice?.open && advice.events === events() && !state.seen.result;
  place.hidden = !open;
  if (!open) return;
  const found = advice.hint;
  const likely = found.claims.filter((claim) => claim.probability >= 0.01);
  const engine = advice.engine;
  fill(
    place,
    el("h2", {}, "Hint"),
    el("h3", {}, "Claims"),
    likely.length
      ? el("ul", {}, likely.slice(0, 4).map((claim) => el("li", {}, el("b", {}, `${halfSuitInWords(claim.half_suit)}: ${claim.certain ? "certain" : `${percent(claim.probability)} %`}`), " ", Object.entries(claim.holders).map(([name, seat]) => `${cardSign(name)} ${seat}`).join(", "))))
      : el("p", {}, found.claims.length ? "Each is less likely than 1 %." : "Your team cannot hold a whole half-suit."),
    el("h3", {}, "Likeliest asks"),
    found.asks.length
      ? el("ul", {}, found.asks.slice(0, 5).map((each) => el("li", {}, hintedAsk(each))))
      : el("p", {}, "There is nobody to ask."),
    mine() ? el("h3", {}, "The engine's choice") : null,
    mine() ? el("p", { role: "status" }, engine ? (engine.choice ? `${inSigns(engine.choice)}: ${engine.reason}` : engine.reason || "No claim now.") : "The engine plays the game on …") : null,
  );
}

function showEnd() {
  const place = byId("end");
  const { result, score } = state.seen;
  place.hidden = !result;
  if (!result || !state.open) return;
  const who = result.winner === null ? "A draw" : result.winner === me[0] ? "Your team wins" : "The other team wins";
  const how = { majority: "with a majority of the half-suits", "all claimed": "with all half-suits claimed", "max events": "by the limit of events", resigned: `as ${result.resigned} resigned` }[result.by];
  fill(
    place,
    el("h2", { id: "end-title" }, `${who}: A ${score.A} – B ${score.B}`),
    el("p", {}, `The game ended ${how}, after ${events()} events.`),
    el("p.row", {}, el("button.first", { type: "button", "data-key": "replay", onclick: replay }, "Replay this game"), el("a.button", { href: "/" }, "Another game")),
    el("h3", {}, "Where everything was at first"),
    el(
      "ul.dealt",
      {},
      Object.entries(state.open.dealt).map(([seat, cards]) =>
        el("li", {}, el(`b.${teamClass(seat)}`, {}, `${seat} `), el("span.quiet", {}, occupantName(state.seen.seats[seat])), el("div.row.tight", {}, cards.map((name) => card(name, "small")))),
      ),
    ),
  );
}

function showClock() {
  const left = deadline === null ? null : Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
  const text = situation();
  byId("now").classList.toggle("yours", mine());
  const clock = left === null ? null : el("span.clock", { "aria-hidden": true }, ` ${left} s`);
  const last = state.told.length ? el("span.last", { "aria-hidden": true }, inSigns(state.told[state.told.length - 1])) : null;
  if (byId("now").dataset.said !== text || left !== null || last?.textContent !== byId("now").dataset.last) {
    byId("now").dataset.said = text;
    byId("now").dataset.last = last?.textContent ?? "";
    fill(byId("now"), last, el("span.what", {}, text), clock);
  }
  document.title = `${mine() ? "Your turn – " : ""}${me} – Literature`;
}

function show() {
  if (!state) return;
  const { seats } = state.seen;
  if (chosen && !asksFor(chosen).length) chosen = null;
  if (!mayAsk()) chosen = null;
  showClock();
  renew(byId("score"), scoreLine(state.seen, state.deck));
  const order = seatsFrom(seats, me);
  renew(byId("seats"), order.map((seat, place) => seatTile(seat, place, order.length)));
  renew(byId("hand"), handRows());
  renew(byId("actions"), actionButtons());
  showHints();
  showEnd();
  byId("offers").hidden = !state.seen.rules.includes("claim-any-time") || Boolean(state.seen.result);
  byId("offers").querySelector("input").checked = state.waiting;
  byId("resign").hidden = Boolean(state.seen.result);
  const pace = byId("pace");
  if (document.activeElement !== pace) {
    if (![...pace.options].some((option) => Number(option.value) === state.pace)) pace.append(el("option", { value: state.pace }, `${state.pace} seconds`));
    pace.value = [...pace.options].find((option) => Number(option.value) === state.pace).value;
  }
}

function onState(next) {
  const began = state === null;
  if (state && next.seen.events.length !== events()) notice("");
  state = next;
  sending = false;
  const left = state.seen.decision?.seconds_left ?? null;
  deadline = left === null ? null : performance.now() + 1000 * left;
  if (!state.saved) notice("The server cannot save this table at the moment; the game goes on.");
  for (const each of state.seen.replaced) if (!told) notice(`${each.seat}: ${each.was} ${each.why}; ${each.by} plays on.`);
  told = state.seen.replaced.length > 0;
  show();
  log.show(state.told); // Last, for it scrolls, and so has everything laid out.
  if (began) remember(base.split("/")[2], { [me]: base });
}

byId("pace").addEventListener("change", (event) => send(`${base}/pace`, { pace: Number(event.target.value) }));
byId("offers").addEventListener("change", (event) => send(`${base}/wait`, { on: event.target.checked }));
byId("resign").addEventListener("click", () => byId("resigning").showModal());
byId("resigning").addEventListener("close", (event) => {
  if (event.target.returnValue === "yes") send(`${base}/resign`);
  event.target.returnValue = "";
});
setInterval(() => {
  if (state && deadline !== null) showClock();
}, 500);
listen(`${base}/events`, onState, (heard) => {
  if (!heard) notice("The server cannot be heard; trying again …");
  else if (byId("notice").textContent.startsWith("The server cannot be heard")) notice("");
});

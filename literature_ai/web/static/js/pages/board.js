// The page Board: what happens at a real table is entered by taps; each becomes a line of
// `literature assist`, and the server answers with the state.

import { get, notice, post, send } from "../api.js";
import { cardInWords, cardSign, halfSuitInWords, holdersInWords, inSigns } from "../cards.js";
import { cardChoices, choices, dialog, halfSuitChoices, holderRows, opponentsOf, seatChoices } from "../choosing.js";
import { byId, el, fill, spoken } from "../dom.js";
import { heatMap, percent } from "../heat_map.js";
import { scoreLine } from "../table_view.js";

const REMEMBERED = "literature-boards";
const id = location.pathname.split("/")[2] ?? null;
const place = byId("board");

let state = null; // as the server gives it
let advice = null; // the full advice, when it is there
let draft = {}; // what has been tapped of the next entry
let refused = null; // the last reply, when it was a refusal
let busy = false;

/* Which boards this browser has opened. */

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? "[]");
  } catch {
    return [];
  }
}

function remember() {
  const said = state.question === null ? `${state.seat}, ${state.log.length} events, A ${state.score.A} – B ${state.score.B}` : "being set up";
  const others = remembered().filter((each) => each.id !== id);
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify([{ id, said, when: Date.now() }, ...others].slice(0, 20)));
  } catch {
    // Without storage the address is the way back.
  }
}

/* The first page: a new board, a saved one, or one of before. */

function start() {
  const seat = el("select", { id: "own-seat" }, ["", "A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4"].map((name) => el("option", { value: name }, name || "the only one it has")));
  const file = el("input", { type: "file", id: "saved", accept: ".lit,text/plain" });
  file.addEventListener("change", async () => {
    const chosen = file.files[0];
    if (chosen) await open(await chosen.text(), seat.value);
    file.value = "";
  });
  const boards = remembered();
  fill(
    place,
    el("p", {}, "Helps one player at a real table: you enter what happens, and see what is certain, what is likely, and what to ask. It is for you alone: everyone else at the table should agree."),
    el("p.row", {}, el("button.first", { type: "button", onclick: () => open("", "") }, "New board")),
    boards.length ? el("section", {}, el("h2", {}, "Go on with"), el("ul.plain", {}, boards.map((each) => el("li", {}, el("a.button", { href: `/board/${each.id}` }, `${new Date(each.when).toLocaleString()}: ${each.said}`))))) : null,
    el(
      "details",
      {},
      el("summary", {}, "Open a saved game (.lit)"),
      el("p", {}, "A file that literature assist or this page has saved, or any record with your hand."),
      el("p.row", {}, el("label", { for: "own-seat" }, "Your hand in it"), seat),
      el("p.row", {}, el("label", { for: "saved" }, "File"), file),
    ),
  );
}

async function open(text, seat) {
  const made = await send("/board/boards", { text, seat });
  if (made) location.href = `/board/${made.id}`;
}

/* Talking to the server. */

async function enter(...lines) {
  if (busy) return false;
  busy = true;
  let ok = false;
  try {
    const said = await post(`/board/${id}/lines`, { lines, version: state.version });
    refused = said.reply.ok ? null : said.reply;
    ok = said.reply.ok;
    notice(said.reply.saved);
    if (ok) {
      draft = {};
      announce(said);
    }
    take(said);
  } catch (error) {
    notice(error.message);
    await reload();
  } finally {
    busy = false;
  }
  return ok;
}

async function reload() {
  try {
    take(await get(`/board/${id}/state`));
  } catch (error) {
    notice(error.message);
  }
}

function take(said) {
  const another = state === null || said.version !== state.version;
  state = said;
  if (another) advice = null;
  remember();
  show();
  if (state.question === null && advice === null && !state.ended && !state.change) askAdvice();
}

async function askAdvice() {
  const { version } = state;
  try {
    const said = await get(`/board/${id}/advice`);
    if (said.version !== version || state.version !== version) return;
    advice = said;
    // Nothing else is drawn anew: a tap on it may be under way.
    if (state.hint) fill(byId("advice"), whatFollows());
  } catch (error) {
    notice(error.message);
  }
}

/** Read aloud, and shown for a moment, what was entered. */
function announce(said) {
  const events = said.log?.length ?? 0;
  byId("said").textContent = said.change ? "" : events ? `${events}. ${inSigns(said.log[events - 1])}` : "";
}

async function why(what, heading) {
  try {
    const said = await post(`/board/${id}/lines`, { lines: [`why ${what}`], version: state.version });
    dialog(heading, el("p.said", {}, inSigns(said.reply.text)));
  } catch (error) {
    notice(error.message);
  }
}

function show() {
  document.body.classList.toggle("in-game", state.question === null);
  if (state.question !== null) fill(place, setUp());
  else fill(place, game());
}

/* The set-up: one question after another. */

const QUESTIONS = {
  players: ["How many players?", players],
  rules: ["Which house rules?", rules],
  seat: ["Where do you sit?", ownSeat],
  hand: ["Which cards were you dealt?", hand],
  start: ["Who has the first turn?", firstTurn],
};

function setUp() {
  const [heading, form] = QUESTIONS[state.question];
  const first = state.question === "players";
  return [
    el("h2", { "data-key": "question" }, heading),
    refusal(),
    form(),
    first ? null : el("p.row", {}, el("button", { type: "button", onclick: () => enter("back") }, "Back")),
  ];
}

function players() {
  const values = ["4", "6", "8"].map((count) => [count, count, `${count} players`]);
  return [el("p", {}, "Teams A and B sit alternately."), choices("players", values, null, (count) => enter(count), "large")];
}

function rules() {
  draft.rules ??= new Set();
  draft.seconds ??= "";
  return [ruleBoxes(draft), el("p.row", {}, el("button.first", { type: "button", onclick: () => enter(ruleWords(draft) || "none") }, "Go on"))];
}

/** The rules as boxes to tick, with their meaning. */
function ruleBoxes(chosen) {
  const left = { russian: state.players === 8, canadian: false, timed: false, "deck-54": state.players === 6, us54: state.players === 6 };
  const words = Object.entries(state.rule_words).filter(([word, meaning]) => left[word] ?? !meaning.startsWith("=N"));
  return el(
    "fieldset.rules",
    {},
    el("legend", {}, "House rules"),
    el("p.quiet", {}, "For the usual game leave all open."),
    words.map(([word, meaning]) =>
      el(
        "label.rule",
        {},
        el("input", { type: "checkbox", checked: chosen.rules.has(word), onchange: (event) => (event.target.checked ? chosen.rules.add(word) : chosen.rules.delete(word)) }),
        el("span", {}, el("strong", {}, word), ` ${meaning}`),
      ),
    ),
    el(
      "label.rule",
      {},
      el("input", { type: "number", min: 1, max: 86400, value: chosen.seconds, oninput: (event) => (chosen.seconds = event.target.value) }),
      el("span", {}, el("strong", {}, "turn-seconds"), ` ${state.rule_words["turn-seconds"]}`),
    ),
  );
}

function ruleWords(chosen) {
  const seconds = chosen.seconds ? [`turn-seconds=${chosen.seconds}`] : [];
  return [...chosen.rules, ...seconds].join(" ");
}

function ownSeat() {
  return [el("p", {}, "Clockwise from any player of your choice: A1, B1, A2 and so on. Your partners have the same letter."), seatChoices("your seat", state.seats, null, (seat) => enter(seat))];
}

function firstTurn() {
  return seatChoices("first turn", state.seats, null, (seat) => enter(seat));
}

function hand() {
  draft.hand ??= new Set();
  return handForm(state.hand, draft.hand, (cards) => enter(cards.join(" ")));
}

/** Cards to tap until a hand is complete; given ones are there already. */
function handForm(given, chosen, onDone) {
  const missing = state.hand_size - given.length - chosen.size;
  const rows = el(
    "div.card-rows",
    {},
    cardChoices("hand", Object.keys(state.half_suits), state.half_suits, null, (name) => {
      if (chosen.has(name)) chosen.delete(name);
      else if (state.hand_size - given.length > chosen.size) chosen.add(name);
      show();
    }),
  );
  for (const button of rows.querySelectorAll("button")) {
    const name = button.dataset.key.split(" ")[1];
    button.setAttribute("aria-pressed", String(chosen.has(name) || given.includes(name)));
    button.disabled = given.includes(name);
  }
  const done = () => onDone([...chosen]);
  const said = missing ? `${missing} more` : "That is all";
  return [rows, el("p.row.bar", {}, el("span", { role: "status" }, said), el("button.first", { type: "button", disabled: missing !== 0, "data-key": "hand done", onclick: done }, "Go on"))];
}

/* The game. */

function seats() {
  return Object.keys(state.hand_sizes);
}

function nameOf(seat) {
  return seat === state.seat ? `${seat} (you)` : seat;
}

function game() {
  const happened = el("section", { "aria-labelledby": "log-heading" }, el("h2", { id: "log-heading" }, "What happened"), log());
  return [
    el("section.status", { "aria-label": "Score" }, scoreLine(state, state.half_suits)),
    refusal(),
    state.change ? changing() : null,
    el(
      "div.two",
      {},
      el(
        "div",
        {},
        state.ended
          ? el("section.panel", {}, el("h2", {}, state.ended), el("p.row", {}, el("button.first", { type: "button", onclick: replay }, "Replay it")))
          : el("section.entry", { "aria-labelledby": "entry-heading" }, entry()),
        state.hint && !state.ended ? el("section", { id: "advice", "aria-labelledby": "advice-heading" }, whatFollows()) : null,
      ),
      el("div", {}, state.hint ? details("map", "Where the cards are", map()) : null, happened, details("more", "Correct the set-up, save, replay", more())),
    ),
  ];
}

/** A part that can be closed; it stays as it was left. */
const isOpen = { map: matchMedia("(min-width: 60rem)").matches, more: false };
function details(key, heading, ...children) {
  const box = el("details", { open: isOpen[key] }, el("summary", { "data-key": `summary ${key}` }, el("h2", {}, heading)), children);
  box.addEventListener("toggle", () => (isOpen[key] = box.open));
  return box;
}

function refusal() {
  if (!refused) return null;
  return el(
    "section.refusal",
    { role: "alert" },
    el("p.said", {}, inSigns(refused.text)),
    el(
      "p.row",
      {},
      refused.doubted.map((number) =>
        number
          ? el("button", { type: "button", onclick: () => enter(`edit ${number}`) }, `Correct event ${number}`)
          : el("button", { type: "button", onclick: correctHand }, "Correct my cards"),
      ),
      el("button", { type: "button", onclick: () => ((refused = null), show()) }, "Enter it again"),
    ),
  );
}

function changing() {
  const { number, rest, said } = state.change;
  return el(
    "section.refusal",
    { "aria-label": "Correction" },
    el("h2", {}, `Event ${number} as it was`),
    el("p.said", {}, inSigns(state.reply?.ok ? state.reply.text : said)),
    el(
      "p.row",
      {},
      el("button", { type: "button", onclick: () => enter("drop") }, "Leave it out"),
      rest ? el("button", { type: "button", onclick: () => enter("drop all") }, "Leave out all that follows") : null,
      el("button", { type: "button", onclick: () => enter("cancel") }, "Cancel"),
    ),
  );
}

/* Entering the next event. */

function entry() {
  const { turn } = state;
  const kinds = [["ask", "Ask"], ["claim", "Claim"]];
  if (state.legal_passes.length) kinds.push(["pass", "Pass"]);
  if (state.rules.includes("turn-seconds")) kinds.push(["timeout", "Out of time"]);
  const mustPass = state.hand_sizes[turn] === 0 && state.legal_passes.length > 0;
  const kind = draft.kind ?? (mustPass ? "pass" : "ask");
  const choose = (value) => {
    draft = { kind: value };
    show();
  };
  const form = { ask: askForm, claim: claimForm, pass: passForm, timeout: timeoutForm }[kind];
  return [
    el("h2", { id: "entry-heading" }, `${nameOf(turn)} is on turn`),
    choices("what happens", kinds.map(([value, shown]) => [value, shown, null]), kind, choose, "tabs"),
    form(),
  ];
}

function pick(name, value) {
  draft[name] = draft[name] === value ? undefined : value;
  show();
}

function askForm() {
  const { turn } = state;
  const targets = opponentsOf(turn, seats()).filter((seat) => state.hand_sizes[seat] > 0);
  if (targets.length === 1) draft.target ??= targets[0];
  const { target, card: name } = draft;
  const mine = turn === state.seat && state.hint ? new Set(state.hint.asks.map((ask) => ask.card)) : null;
  const halfSuits = state.in_play.filter((half) => mine === null || state.half_suits[half].some((each) => mine.has(each)));
  const ready = target && name;
  const said = ready ? `${turn} asks ${target} for ${cardSign(name)}` : target ? `${turn} asks ${target} for …` : name ? `${turn} asks … for ${cardSign(name)}` : "Who is asked, and for which card?";
  const answer = (word) => enter(`${turn} ${target} ${name} ${word}`.toLowerCase());
  return [
    seatChoices("who is asked", targets, target, (seat) => pick("target", seat), state.hand_sizes),
    cardChoices("which card", halfSuits, state.half_suits, name, (each) => pick("card", each), mine),
    el(
      "div.bar",
      {},
      el("p", {}, said),
      el(
        "div.row",
        {},
        el("button.hit", { type: "button", "data-key": "hit", disabled: !ready, onclick: () => answer("y") }, "Hit"),
        el("button.miss", { type: "button", "data-key": "miss", disabled: !ready, onclick: () => answer("n") }, "Miss"),
      ),
    ),
  ];
}

function passForm() {
  return [el("p", {}, `${state.turn} passes the turn to`), seatChoices("to whom", state.legal_passes, null, (seat) => enter(`p ${seat}`.toLowerCase()), state.hand_sizes)];
}

function timeoutForm() {
  return el("p.row", {}, el("button.first", { type: "button", onclick: () => enter("timeout") }, `${state.turn} ran out of time`));
}

function claimForm() {
  const { claimants } = state;
  draft.claimant ??= claimants.length === 1 || claimants.includes(state.turn) ? state.turn : undefined;
  const { claimant, halfSuit } = draft;
  const split = state.rules.split(" ").includes("split-claims");
  const named = seats().filter((seat) => split || (claimant && seat[0] === claimant[0]));
  const cards = halfSuit ? state.half_suits[halfSuit] : [];
  draft.holders ??= {};
  const ready = claimant && halfSuit && cards.every((name) => draft.holders[name]);
  const line = (verdict) => `c ${claimant} ${halfSuit} ${cards.map((name) => draft.holders[name]).join(" ")} ${verdict}`.toLowerCase();
  if (draft.wrong) return wrongForm(line("n"), cards);
  return [
    claimants.length > 1 ? seatChoices("who claims", claimants, claimant, (seat) => ((draft.claimant = seat), (draft.holders = {}), show())) : null,
    halfSuitChoices("which half-suit", state.in_play, halfSuit, (name) => chooseHalfSuit(name)),
    halfSuit && claimant
      ? [el("h3", {}, `Who holds them, as ${nameOf(claimant)} says`), holderRows("said to hold", cards, named, draft.holders, show)]
      : null,
    el(
      "div.bar.still",
      {},
      el("p", {}, ready ? `${claimant} claims ${halfSuitInWords(halfSuit)}` : "Which half-suit, and who holds each card?"),
      el(
        "div.row",
        {},
        el("button.hit", { type: "button", "data-key": "right", disabled: !ready, onclick: () => enter(line("y")) }, "Right"),
        el("button.miss", { type: "button", "data-key": "wrong", disabled: !ready, onclick: () => ((draft.wrong = {}), (draft.lost = {}), show()) }, "Wrong"),
      ),
    ),
  ];
}

/** Choose a half-suit to claim; for the own team what is likeliest is filled in. */
function chooseHalfSuit(name) {
  draft.halfSuit = name;
  draft.holders = {};
  const known = state.hint?.claims.find((claim) => claim.half_suit === name);
  if (known && draft.claimant?.[0] === state.seat[0]) {
    for (const [card, seat] of Object.entries(known.holders)) {
      if (known.certain || state.hint.locations[card]?.[seat] === 1) draft.holders[card] = seat;
    }
  }
  show();
}

/** Who really held the cards of a wrong claim, or how many each hand lost. */
function wrongForm(line, cards) {
  const hides = state.rules.split(" ").includes("wrong-hides");
  const back = el("button", { type: "button", onclick: () => ((draft.wrong = undefined), show()) }, "Back");
  if (!hides) {
    const ready = cards.every((name) => draft.wrong[name]);
    const shown = cards.map((name) => draft.wrong[name]).join(" ").toLowerCase();
    return [
      el("h3", {}, "Who really held them?"),
      holderRows("really held", cards, seats(), draft.wrong, show),
      el("div.bar.still.row", {}, back, el("button.first", { type: "button", "data-key": "wrong done", disabled: !ready, onclick: () => enter(`${line} ${shown}`) }, "Enter the wrong claim")),
    ];
  }
  const sum = seats().reduce((total, seat) => total + Number(draft.lost[seat] ?? 0), 0);
  const counts = seats().filter((seat) => Number(draft.lost[seat])).map((seat) => `${seat}:${draft.lost[seat]}`).join(" ").toLowerCase();
  return [
    el("h3", {}, "How many cards did each hand lose?"),
    seats().map((seat) => {
      const values = Array.from({ length: 1 + Math.min(6, state.hand_sizes[seat]) }, (_, count) => [String(count), String(count), null]);
      return el("div.holder", {}, el("strong", {}, seat), choices(`cards lost by ${seat}`, values, draft.lost[seat] ?? "0", (count) => ((draft.lost[seat] = count), show())));
    }),
    el("div.bar.still.row", {}, back, el("span", { role: "status" }, `${sum} of 6`), el("button.first", { type: "button", "data-key": "wrong done", disabled: sum !== 6, onclick: () => enter(`${line} ${counts}`) }, "Enter the wrong claim")),
  ];
}

/* Advice. */

function whatFollows() {
  return [el("h2", { id: "advice-heading" }, "What follows"), advised()];
}

function advised() {
  const { hint } = state;
  const certain = hint.claims.filter((claim) => claim.certain);
  const likely = hint.claims.filter((claim) => !claim.certain && claim.probability >= 0.01);
  const onTurn = state.turn === state.seat;
  const dead = new Set((advice?.hint?.asks ?? []).filter((ask) => ask.dead).map((ask) => `${ask.target} ${ask.card}`));
  const near = onTurn || state.turn[0] !== state.seat[0];
  const canHit = hint.asks.filter((ask) => ask.probability > 0);
  return [
    certain.map((claim) =>
      el(
        "div.certain",
        {},
        el("p", {}, el("strong", {}, `Certain: ${halfSuitInWords(claim.half_suit)}. `), holdersInWords(claim.holders)),
        el(
          "p.row",
          {},
          el("button", { type: "button", onclick: () => why(claim.half_suit, `Why ${halfSuitInWords(claim.half_suit)}?`) }, "Why?"),
          state.claimants.includes(state.seat) ? el("button.first", { type: "button", onclick: () => startClaim(claim) }, "I claim it") : null,
        ),
      ),
    ),
    state.proven_against.map((claim) => el("p.bad", {}, el("strong", {}, `Everyone can prove ${halfSuitInWords(claim.half_suit)} of the other team: `), holdersInWords(claim.holders))),
    onTurn ? el("p.engine", {}, el("strong", {}, "Engine: "), advice === null ? "thinking …" : advice.engine_said ? inSigns(advice.engine_said) : "no choice") : null,
    near && canHit.length
      ? [
          el("h3", {}, onTurn ? "Your best asks" : "If the turn comes to you"),
          el(
            "ul.asks",
            {},
            canHit.slice(0, 5).map((ask) => {
              const said = `${cardSign(ask.card)} of ${ask.target}`;
              const chance = `${percent(ask.probability)} %`;
              return el(
                "li",
                {},
                onTurn && !state.change
                  ? el("button", { type: "button", "data-key": `best ${said}`, onclick: () => ((draft = { kind: "ask", target: ask.target, card: ask.card }), show(), byId("entry-heading").scrollIntoView()) }, el("span", {}, said), el("strong", {}, chance))
                  : el("span.line", {}, el("span", {}, said), el("strong", {}, chance)),
                dead.has(`${ask.target} ${ask.card}`) ? " everyone knows that it must miss" : null,
              );
            }),
          ),
        ]
      : null,
    likely.length
      ? [
          el("h3", {}, "Likely claims"),
          el("ul.asks", {}, likely.slice(0, 4).map((claim) => el("li", {}, el("button", { type: "button", "data-key": `likely ${claim.half_suit}`, onclick: () => why(claim.half_suit, halfSuitInWords(claim.half_suit)) }, el("span", {}, halfSuitInWords(claim.half_suit), spoken(":"), " ", holdersInWords(claim.holders)), el("strong", {}, `${percent(claim.probability)} %`))))),
        ]
      : null,
    dangers(),
  ];
}

function dangers() {
  const found = (advice?.hint?.dangers ?? []).filter((danger) => !danger.proven && danger.provers.length);
  if (!found.length) return null;
  return [
    el("h3", {}, "Dangers"),
    el("ul.asks", {}, found.map((danger) => el("li", {}, `${halfSuitInWords(danger.half_suit)}, ${percent(danger.probability)} %: ${holdersInWords(danger.holders)}. If so, ${danger.provers.join(" and ")} can prove it.`))),
  ];
}

function startClaim(claim) {
  draft = { kind: "claim", claimant: state.seat, halfSuit: claim.half_suit, holders: { ...claim.holders } };
  show();
  byId("entry-heading").scrollIntoView();
}

function map() {
  const { hint } = state;
  const press = (name, seat) => {
    const chance = hint.locations[name]?.[seat] ?? 0;
    why(chance === 0 ? `${name} ${seat}` : name, `${cardInWords(name)}`);
  };
  return el("div.wide", { tabindex: 0, role: "region", "aria-label": "Where the cards are" }, heatMap(hint.locations, seats(), "In percent; tap a cell to see why", { deck: state.half_suits, onCell: press, own: state.seat }));
}

/* The log, and corrections. */

function log() {
  if (!state.log.length) return el("p.quiet", {}, "Nothing yet.");
  return [
    el("p.quiet", {}, "Tap a line to correct it."),
    el("p.row", {}, el("button", { type: "button", "data-key": "undo", disabled: state.change !== null, onclick: () => enter("undo") }, "Take back the last")),
    el(
      "ol.steps",
      { tabindex: 0, "aria-label": "Events, the last one first" },
      state.log
        .map((sentence, i) => el("li", {}, el("button", { type: "button", "data-key": `event ${i + 1}`, disabled: state.change !== null, onclick: () => correct(i + 1, sentence) }, el("span.number", {}, `${i + 1}. `), inSigns(sentence))))
        .reverse(),
    ),
  ];
}

function correct(number, sentence) {
  const run = (line) => () => {
    box.close();
    enter(line);
  };
  const box = dialog(
    `Event ${number}`,
    el("p", {}, inSigns(sentence)),
    el(
      "p.row",
      {},
      el("button", { type: "button", onclick: run(`edit ${number}`) }, "Enter it again"),
      el("button", { type: "button", onclick: run(`insert ${number}`) }, "One was forgotten before it"),
      el("button", { type: "button", onclick: run(`delete ${number}`) }, "Leave it out"),
    ),
  );
}

/* The rest. */

let correction = null; // which part of the set-up is open for correction

function correctHand() {
  correction = { hand: new Set(state.dealt) };
  isOpen.more = true;
  show();
  byId("correct-hand").scrollIntoView();
}

function more() {
  const set = async (line) => {
    if (await enter(line)) {
      correction = null;
      show();
    }
  };
  const open = (value) => () => {
    correction = value;
    show();
  };
  const chosen = { rules: new Set(state.rules.split(" ").filter((word) => word && !word.includes("="))), seconds: /turn-seconds=(\d+)/.exec(state.rules)?.[1] ?? "" };
  return [
    el("p", {}, `You are ${state.seat}; ${state.start} had the first turn; rules: ${state.rules || "the usual ones"}.`),
    el(
      "p.row",
      {},
      el("button", { type: "button", "data-key": "cards", onclick: correctHand }, "My cards"),
      el("button", { type: "button", onclick: open({ seat: true }) }, "My seat"),
      el("button", { type: "button", onclick: open({ start: true }) }, "First turn"),
      el("button", { type: "button", onclick: open({ rules: chosen }) }, "Rules"),
      state.ended ? null : el("button", { type: "button", onclick: () => enter(`result ${state.score.A}-${state.score.B} unfinished`) }, "The game is broken off"),
    ),
    correction?.hand ? el("div", { id: "correct-hand" }, el("h3", {}, "Your cards as dealt"), handForm([], correction.hand, (cards) => set(`hand ${cards.join(" ")}`))) : null,
    correction?.seat ? seatChoices("your seat", seats(), state.seat, (seat) => set(`seat ${seat}`)) : null,
    correction?.start ? seatChoices("first turn", seats(), state.start, (seat) => set(`start ${seat}`)) : null,
    correction?.rules ? [ruleBoxes(correction.rules), el("button.first", { type: "button", onclick: () => set(`rules ${ruleWords(correction.rules) || "none"}`) }, "Change the rules")] : null,
    el("p.row", {}, el("a.button", { href: `/board/${id}/board.lit`, download: "board.lit" }, "Save a copy"), el("button", { type: "button", onclick: replay }, "Replay it"), el("a.button", { href: "/board" }, "Other boards")),
    el("p.quiet", {}, "Everything is saved as you enter it. The address of this page is the key to it: whoever has it sees your cards."),
  ];
}

async function replay() {
  try {
    const response = await fetch(`/board/${id}/board.lit`);
    const made = await post("/replay/records", { text: await response.text() });
    location.href = `/replay/${made.id}`;
  } catch (error) {
    notice(error.message);
  }
}

if (id) reload();
else start();

// The way in: a first game at once, another table by a form, and the tables of this browser.

import { get, send } from "../api.js";
import { byId, el, fill } from "../dom.js";
import { forget, myTables, remember } from "../mine.js";

const form = byId("form");
const seatNames = ["A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4"];
const bots = [...byId("partners").options].map((option) => option.value);

/** Make the table; with one person go there, else show a link for each. */
async function make(settings, about) {
  const made = await send("/tables", settings);
  if (!made) return;
  remember(made.table, made.links, about);
  const seats = Object.keys(made.links);
  if (seats.length === 1) {
    location.assign(made.links[seats[0]]);
    return;
  }
  showLinks(made.links);
}

function showLinks(links) {
  const base = byId("links").dataset.sharedAt || location.origin;
  fill(
    byId("links"),
    Object.entries(links).map(([seat, path]) => {
      const address = base + path;
      const copied = el("span", { role: "status" });
      const copy = async () => {
        try {
          await navigator.clipboard.writeText(address);
          copied.textContent = "copied";
        } catch {
          copied.textContent = "select and copy the address";
        }
      };
      return el(
        "li",
        {},
        el("div.row", {}, el("b", {}, seat), el("a.button", { href: path }, `Sit at ${seat}`), el("button", { type: "button", onclick: copy }, "Copy the link"), copied),
        el("p.quiet.address", {}, address),
      );
    }),
  );
  byId("ready").hidden = false;
  byId("ready-title").focus();
}

async function showMine() {
  const tables = myTables();
  byId("mine").hidden = tables.length === 0;
  fill(
    byId("tables"),
    tables.slice(0, 12).map((each) => {
      const said = el("span.quiet", {}, each.about || "");
      const row = el(
        "li.row",
        { "data-table": each.table },
        Object.entries(each.links).map(([seat, path]) => el("a.button", { href: path }, `${seat}: go on`)),
        said,
        el("button.plain", { type: "button", "aria-label": `Forget the table ${each.about}`, onclick: () => { forget(each.table); showMine(); } }, "Forget"),
      );
      describe(each, said, row);
      return row;
    }),
  );
}

async function describe(each, said, row) {
  const path = Object.values(each.links)[0];
  if (!path) return;
  try {
    const { seen } = await get(`${path}/state`);
    const score = `A ${seen.score.A} – B ${seen.score.B}`;
    said.textContent = `${seen.players} players${seen.rules ? `, ${seen.rules}` : ""}; ${score} after ${seen.events.length} events${seen.result ? ", over" : ""}`;
    if (seen.result) for (const link of row.querySelectorAll("a")) link.textContent = link.textContent.replace("go on", "look");
  } catch (error) {
    said.textContent = error.message;
  }
}

function players() {
  return Number(form.elements.players.value);
}

function showSeats() {
  const before = Object.fromEntries([...form.querySelectorAll("select[data-seat]")].map((each) => [each.dataset.seat, each.value]));
  fill(
    byId("seats"),
    seatNames.slice(0, players()).map((seat, place) => {
      const name = el("input", { "aria-label": `Name of the person at ${seat}`, maxlength: 30, placeholder: "name", "data-name": seat });
      const choice = el(
        "select",
        { "data-seat": seat, "aria-label": `Who sits at ${seat}`, onchange: () => { name.hidden = choice.value !== "person"; } },
        el("option", { value: "person" }, place === 0 ? "you" : "a person"),
        bots.map((bot) => el("option", { value: bot }, bot)),
      );
      choice.value = before[seat] ?? (place === 0 ? "person" : byId(place % 2 ? "opponents" : "partners").value);
      name.hidden = choice.value !== "person";
      return el(`li.row.${seat[0].toLowerCase()}`, {}, el("b", { "aria-hidden": true }, seat), choice, name);
    }),
  );
}

function everyBot(team) {
  return () => {
    for (const choice of form.querySelectorAll("select[data-seat]")) {
      if (choice.dataset.seat.startsWith(team) && choice.value !== "person") choice.value = byId(team === "A" ? "partners" : "opponents").value;
    }
  };
}

/** Let the form have what a preset says. */
function preset() {
  const { players: count, words, said } = form.elements.preset.selectedOptions[0].dataset;
  byId("preset-said").textContent = said ?? "";
  const chosen = (words ?? "").split(" ").filter(Boolean);
  if (count) form.elements.players.value = count;
  form.elements.deck.value = [...form.elements.deck.options].map((each) => each.value).find((word) => word && chosen.includes(word)) ?? "";
  for (const box of form.querySelectorAll("[data-switch]")) box.checked = chosen.includes(box.name);
  form.elements["turn-seconds"].value = chosen.find((word) => word.startsWith("turn-seconds="))?.split("=")[1] ?? "";
  showSeats();
}

function rules() {
  const words = [form.elements.deck.value];
  for (const box of form.querySelectorAll("[data-switch]")) if (box.checked) words.push(box.name);
  for (const name of ["turn-seconds", "max-events"]) {
    const { value } = form.elements[name];
    if (value && !(name === "max-events" && value === "1000")) words.push(`${name}=${value}`);
  }
  return words.filter(Boolean).join(" ");
}

function seats() {
  const chosen = {};
  for (const choice of form.querySelectorAll("select[data-seat]")) {
    const { seat } = choice.dataset;
    const name = form.querySelector(`[data-name="${seat}"]`).value.replaceAll("#", " ").split(/\s+/).filter(Boolean).join(" ");
    chosen[seat] = choice.value === "person" ? { person: name || "person" } : { bot: choice.value };
  }
  return chosen;
}

byId("start").addEventListener("click", () => {
  const all = Object.fromEntries(seatNames.slice(0, 6).map((seat, place) => [seat, place ? { bot: "expert" } : { person: "person" }]));
  make({ players: 6, rules: "", seats: all, coach: false, pace: 1 }, "6 players");
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = rules();
  make(
    { players: players(), rules: words, seats: seats(), coach: form.elements.coach.checked, pace: Number(form.elements.pace.value) },
    `${players()} players${words ? `, ${words}` : ""}`,
  );
});
form.elements.players.addEventListener("change", showSeats);
form.elements.preset.addEventListener("change", preset);
byId("partners").addEventListener("change", everyBot("A"));
byId("opponents").addEventListener("change", everyBot("B"));
showSeats();
showMine();

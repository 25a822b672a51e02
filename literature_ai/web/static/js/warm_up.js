// Says how far the server is with its preparation, as long as it is not ready.

import { get } from "./api.js";
import { byId, el, fill } from "./dom.js";

const place = byId("warm-up");

async function look() {
  let state;
  try {
    state = await get("/warm-up");
  } catch {
    return;
  }
  place.hidden = state.ready;
  if (state.ready) return;
  const said = state.of
    ? `Compiling, once on this machine: ${state.done} of ${state.of}. Bots and hints wait for it.`
    : "Loading the bots …";
  fill(place, el("span", {}, said), state.of ? el("progress", { max: state.of, value: state.done, "aria-label": "compiled" }) : null);
  setTimeout(look, 500);
}

look();

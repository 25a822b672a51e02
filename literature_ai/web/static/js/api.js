// How pages talk to the server: JSON out, JSON in, and a stream of states.

import { byId } from "./dom.js";

/** Show one line above all else, or nothing; it is read aloud. */
export function notice(text) {
  byId("notice").textContent = text ?? "";
}

/** The answer to a request; an Error with one line to show when there is none. */
async function answer(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const text = await response.text();
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    data = { error: text.slice(0, 300) };
  }
  if (!response.ok) throw new Error(data.error || `The server answers ${response.status}.`);
  return data;
}

export function get(path) {
  return answer(fetch(path, { headers: { Accept: "application/json" } }));
}

export function post(path, data = {}) {
  return answer(
    fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(data),
    }),
  );
}

/** As post, but an error is shown as a notice, and the answer is then null. */
export async function send(path, data = {}) {
  try {
    const got = await post(path, data);
    notice("");
    return got;
  } catch (error) {
    notice(error.message);
    return null;
  }
}

/**
 * Call onState with every state that the stream of server-sent events at this path brings, from
 * the newest on; onLine(true or false) tells whether the server can be heard. A page that is not
 * visible does not listen. Returns a function that ends it.
 */
export function listen(path, onState, onLine = () => {}) {
  let source = null;
  let retry = 0;
  function close() {
    clearTimeout(retry);
    if (source) source.close();
    source = null;
  }
  function open() {
    close();
    source = new EventSource(path);
    source.onopen = () => onLine(true);
    source.onmessage = (event) => onState(JSON.parse(event.data));
    source.onerror = () => {
      onLine(false);
      close();
      retry = setTimeout(open, 1500);
    };
  }
  function look() {
    if (document.hidden) close();
    else open();
  }
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    close();
  };
}

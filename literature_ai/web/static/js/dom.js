// Small helpers for elements. Text goes in as text only, never as HTML.

/**
 * An element: el("button.card", {type: "button", onclick: f, "aria-pressed": true}, "text", child).
 * Functions become listeners, true an empty attribute, false, null and undefined none.
 */
export function el(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element with this id, which must be there. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`there is no #${id}`);
  return element;
}

/**
 * Put these children in place of all others. The focus stays on the element with the same data-key
 * as the one that had it.
 */
export function fill(parent, ...children) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (key !== undefined) {
    const same = [...parent.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
    if (same) same.focus();
  }
}

/** Text that only screen readers get. */
export function spoken(text) {
  return el("span.spoken", {}, text);
}

// The public log: what happened, the newest first on top of it, read aloud as it comes.

import { inSigns } from "./cards.js";
import { el } from "./dom.js";

/**
 * A log in an <ol>, inside of the element that scrolls and has role="log". show(sentences) makes it
 * hold them; what is new is read aloud, what was taken back goes.
 */
export class Log {
  constructor(list) {
    this.list = list;
    this.shown = [];
  }

  show(sentences) {
    let same = 0;
    while (same < this.shown.length && this.shown[same] === sentences[same]) same += 1;
    while (this.shown.length > same) {
      this.list.lastElementChild.remove();
      this.shown.pop();
    }
    for (const sentence of sentences.slice(same)) {
      this.list.append(el("li", {}, inSigns(sentence)));
      this.shown.push(sentence);
    }
    this.list.parentElement.scrollTop = this.list.parentElement.scrollHeight;
  }
}

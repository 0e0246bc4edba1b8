// What the page tells its user.
import {get} from "../util.js";

/** say shows a message. @param {string} words @param {boolean} bad */
export function say(words, bad = false) {
  get("message").textContent = words;
  get("message").classList.toggle("bad", bad);
}

/** veil covers the picture when it would show another program than the editor; null
 * takes it away. It returns what it says. @param {string} [words] */
export function veil(words) {
  if (words !== undefined) {
    get("veil").hidden = !words;
    get("veil").textContent = words ?? "";
  }
  return get("veil").textContent;
}

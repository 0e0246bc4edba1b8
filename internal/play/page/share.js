// The link to what the user sees.
import {get} from "./util.js";

/** shared shows a link and copies it, if the browser allows it. @param {string} link */
export async function shared(link) {
  history.replaceState(null, "", "#" + link);
  get("shared-link").value = location.href;
  get("copied").textContent = "";
  get("shared").showModal();
  get("shared-link").select();
  try {
    await navigator.clipboard.writeText(location.href);
    get("copied").textContent = "It has been copied.";
  } catch { /* it can be copied by hand */ }
}

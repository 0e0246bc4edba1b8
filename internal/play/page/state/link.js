// The link to what the user sees, and the way back from it to the view.
import {below} from "../panes/controls.js";
import {get} from "../util.js";

/** shared shows a link and copies it, if the browser allows it. @param {string} link */
async function shared(link) {
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

/** @typedef {{stage: import("../panes/stage.js").Stage, marks: import("../panes/marks.js").Marks,
 *   versus: import("../panes/versus.js").Versus, lessons: import("../panes/lesson.js").Lessons}} Panes */

export class Link {
  /**
   * @param {Emsim.Page} page
   * @param {Panes} panes
   * @param {{ask: Emsim.Ask, assemble: (setup: Emsim.Setup) => Promise<boolean>,
   *   once: (line: string) => Promise<any>, look: () => Promise<void>, recolour: () => any,
   *   tab: (name: string) => void, otherwise: (why: string) => Promise<any>}} acts
   */
  constructor(page, panes, acts) {
    this.page = page;
    this.panes = panes;
    this.acts = acts;
  }

  // share makes a link to what is seen.
  async share() {
    const {page, panes: {stage, marks, versus, lessons}} = this;
    /** @type {Emsim.View} */
    const view = {
      setup: page.setup, clock: versus.now, colour: get("colour").value, tab: page.tab,
    };
    versus.share(view);
    if (stage.name !== "machine") view.stage = stage.name;
    if (page.opened !== null) view.pe = page.opened;
    if (lessons.current) view.lesson = lessons.current;
    if (marks.own.length > 0) view.marks = marks.own;
    const link = await this.acts.ask("share", view);
    if (link) await shared(link);
  }

  /** restore shows the view of a link. @param {string} link */
  async restore(link) {
    const view = await this.acts.ask("restore", link);
    if (!view) return this.acts.otherwise(get("message").textContent);
    return this.show(view);
  }

  /** show shows a view. @param {Emsim.View} view */
  async show(view) {
    const {page, panes: {stage, marks, versus, lessons}, acts} = this, colour = get("colour");
    document.documentElement.classList.remove("lecture");
    await versus.close();
    if (view.lesson) await lessons.show(view.lesson, true);
    else lessons.close();
    page.opened = view.pe ?? page.opened;
    if (!await acts.assemble(view.setup)) return;
    if (view.vs) await versus.beside(view.vs);
    if (view.clock) await acts.once(`goto ${view.clock}`);
    else await acts.look();
    if (view.side === "B") await versus.choose(1);
    if ([...colour.options].some(o => o.value === view.colour)) {
      colour.value = view.colour;
      acts.recolour();
    }
    marks.own = view.marks ?? [];
    marks.draw();
    await stage.show(view.stage);
    acts.tab(below.includes(view.tab) ? view.tab : versus.on ? "compared" : "console");
  }
}

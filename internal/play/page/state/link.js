// The link to what the user sees, and the way back from it to the view.
import {get, say} from "../util.js";
import {mode, page} from "./page.js";

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

// share makes a link to what is seen.
export async function share() {
  const {run, stage, versus, lessons} = page, [a, b] = versus.both ? page.pair : [run];
  const sentence = mode() === "learn" && lessons.address;
  if (sentence) return shared(sentence);
  /** @type {Emsim.View} */
  const view = {
    setup: a.setup, vs: b?.setup, side: run === b ? "B" : "", clock: versus.now, mode: mode(),
    pe: run.opened, tab: page.tab, marks: run.own, colour: get("colour").value,
    stage: stage.name === "machine" ? "" : stage.name,
    lesson: mode() === "learn" ? lessons.current : "",
  };
  const link = await page.ask("share", view);
  if (link) await shared(link);
}

/** restore shows the view of a link, or a sentence of a lesson, as in learn/4/6; of a broken one
 * the first run. @param {string} link @param {Emsim.Setup} first */
export async function restore(link, first) {
  const [, lesson, sentence] = /^#learn\/(\d+)(?:\/(\d+))?$/.exec(link) ?? [];
  if (lesson) return page.lessons.find(Number(lesson), Number(sentence));
  const view = await page.ask("restore", link);
  if (view) return show(view);
  const why = get("message").textContent;
  await page.versus.close();
  await page.assemble(first);
  say(why, true);
}

/** show shows a view. @param {Emsim.View} view */
export async function show(view) {
  const {stage, marks, versus, lessons} = page, colour = get("colour");
  if (document.documentElement.classList.contains("lecture")) page.watch.lecture();
  await page.motion.settle(); // what was under way would choose its own PE
  await versus.close();
  if (view.lesson) await lessons.show(view.lesson, true);
  page.run.opened = view.pe ?? page.run.opened;
  page.tab = "";
  const built = await page.assemble(view.setup);
  if (built && view.vs) await versus.beside(view.vs);
  await page.go(view.lesson && lessons.current ? "learn" : view.vs ? "compare"
    : view.mode ?? "watch");
  if (!built) return;
  if (view.clock) await page.motion.once(`goto ${view.clock}`);
  else await page.inspect.look();
  if (view.side === "B") await versus.choose(page.pair[1]);
  if ([...colour.options].some(o => o.value === view.colour)) {
    colour.value = view.colour;
    stage.recolour();
  }
  page.run.own = view.marks ?? [];
  marks.draw();
  await stage.show(view.stage);
  const tab = view.tab ?? "";
  if (["packet", "result", "compared"].includes(tab)
    && (tab !== "compared" || versus.on)) page.inspect.show(tab);
}

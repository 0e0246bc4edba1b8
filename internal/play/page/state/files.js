// Files of the user's computer, opened in the page; they stay there.
import {say} from "../panes/tell.js";
import {get} from "../util.js";
import {page} from "./page.js";

const most = 1 << 20; // bytes of a file, as for the command

/** read returns the texts of files by name. @param {Iterable<File>} list */
async function read(list) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const f of list) {
    const {name, size} = f, long = size > most;
    if (long) throw new Error(`${name} has ${size} bytes; a program's text has at most ${most}`);
    files[name] = await f.text();
    if (!files[name].includes("\0")) continue;
    throw new Error(`${name} is no text: open a program in assembly (.s) or Go (.go)`);
  }
  return files;
}

/** build builds the file that says where the program begins, with the others.
 * @param {Record<string, string>} files */
async function build(files) {
  const names = Object.keys(files), begins = /^\s*\.(arg|start)\b/m;
  const main = names.find(n => n.endsWith(".go")) ?? names.find(n => begins.test(files[n]))
    ?? names[0];
  const done = await page.assemble({...page.form.machine, main, files});
  await page.go("program");
  if (done || page.run.answer.args.length === 0) return;
  page.form.open();
  get("args").focus();
}

/** opens lets files be chosen, or dropped on a place. @param {HTMLElement} place */
export function opens(place) {
  /** @param {FileList} list */
  const take = async list => {
    if (list.length === 0 || !page.form) return;
    try {
      await build(await read(list));
    } catch (e) { say(e.message, true); }
  };
  const input = get("file-input");
  get("file-open").onclick = () => input.click();
  input.onchange = async () => { await take(input.files); input.value = ""; };
  place.addEventListener("dragover", e => {
    if (e.dataTransfer.types.includes("Files")) e.preventDefault();
  }, true);
  place.addEventListener("drop", e => {
    if (e.dataTransfer.files.length === 0) return;
    e.preventDefault();
    e.stopPropagation();
    take(e.dataTransfer.files);
  }, true);
}

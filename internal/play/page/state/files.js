// Files of the user's computer, opened in the page; they stay there.
import {say} from "../panes/tell.js";
import {get} from "../util.js";

const most = 1 << 20; // bytes of a file, as for the command

/** read returns the texts of files by name. @param {Iterable<File>} list */
async function read(list) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const f of list) {
    const {name, size} = f;
    const long = `${name} has ${size} bytes; a program's text has at most ${most}`;
    if (size > most) throw new Error(long);
    files[name] = await f.text();
    if (!files[name].includes("\0")) continue;
    throw new Error(`${name} is no text: open a program in assembly (.s) or Go (.go)`);
  }
  return files;
}

/** main is the file that the others belong to: one that says where the program begins.
 * @param {Record<string, string>} files */
function main(files) {
  const names = Object.keys(files), begins = /^\s*\.(arg|start)\b/m;
  return names.find(n => n.endsWith(".go")) ?? names.find(n => begins.test(files[n])) ?? names[0];
}

/** opens lets files be chosen, or dropped on a place: start gets the main file and all texts.
 * @param {HTMLElement} place
 * @param {(main: string, files: Record<string, string>) => Promise<void>} start */
export function opens(place, start) {
  /** @param {FileList} list */
  const take = async list => {
    if (list.length === 0) return;
    try {
      const files = await read(list);
      await start(main(files), files);
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

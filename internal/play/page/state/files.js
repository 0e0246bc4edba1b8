// Files of the user's computer, opened in the page; they stay there.
import {get} from "../util.js";

const most = 1 << 20; // bytes of a file, as for the command

/** read returns the texts of files by name. @param {Iterable<File>} list */
async function read(list) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const f of list) {
    if (f.size > most) throw new Error(`${f.name} has ${f.size} bytes; a program's text has at most ${most}`);
    const text = await f.text();
    if (text.includes("\0")) throw new Error(`${f.name} is no text: open a program in assembly (.s) or Go (.go)`);
    files[f.name] = text;
  }
  return files;
}

/** main is the file that the others belong to: one that says where the program begins.
 * @param {Record<string, string>} files */
function main(files) {
  const names = Object.keys(files);
  return names.find(n => n.endsWith(".go")) ?? names.find(n => /^\s*\.(arg|start)\b/m.test(files[n])) ?? names[0];
}

/**
 * opens lets files be chosen, or dropped on a place: start gets the main file and all texts.
 * @param {HTMLElement} place
 * @param {(main: string, files: Record<string, string>) => Promise<void>} start
 * @param {(words: string, bad: boolean) => void} say
 */
export function opens(place, start, say) {
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
  place.addEventListener("dragover", e => { if (e.dataTransfer.types.includes("Files")) e.preventDefault(); }, true);
  place.addEventListener("drop", e => {
    if (e.dataTransfer.files.length === 0) return;
    e.preventDefault();
    e.stopPropagation();
    take(e.dataTransfer.files);
  }, true);
}

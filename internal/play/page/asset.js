// The page's other files: beside it, or inside of it where the whole page is one file.

/** @param {string} name
 * @returns {Uint8Array<ArrayBuffer>} a file inside of the page, if it is there */
function inside(name) {
  const here = document.getElementById(`file:${name}`)?.textContent;
  return here && Uint8Array.from(atob(here), c => c.charCodeAt(0));
}

/** bytes brings a file. @param {string} name @returns {Promise<ArrayBuffer>} */
export async function bytes(name) {
  const here = inside(name);
  if (here) return here.buffer;
  if (document.getElementById("file:worker.js")) {
    throw new Error("it is not in this file. "
      + "'emsim play --export FILE.html --compiler' writes one that has it.");
  }
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: the server answers ${response.status}`);
  return response.arrayBuffer();
}

/** text brings a file of text. @param {string} name */
export const text = async name => new TextDecoder().decode(await bytes(name));

/** script is where a worker finds its script. @param {string} name */
export function script(name) {
  const here = inside(name);
  return here ? URL.createObjectURL(new Blob([here])) : name;
}

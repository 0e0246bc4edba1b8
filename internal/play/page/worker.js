"use strict";
// The worker that runs the engine: it loads the module, passes questions to it and
// answers back.
importScripts("wasm_exec.js");

/** @param {string} kind @param {object} data */
const answer = (kind, data) => postMessage({kind, ...data});
const resume = new MessageChannel();
/** @type {() => void} */
let resumed;

// What nobody has caught is the page's to show.
onunhandledrejection = e => answer("fault", {
  why: `the engine's worker: ${e.reason?.message ?? e.reason}`,
});

resume.port1.onmessage = () => resumed();

// The engine calls these.
globalThis.emsimYield = f => { resumed = f; resume.port2.postMessage(0); };
globalThis.emsimProgress = (frame, side) => answer("progress", {frame, side});
globalThis.emsimReady = () => answer("ready", {});

/** load loads a module and starts it. @param {string} name @param {(why: string) => void} ended */
async function load(name, ended) {
  const {port1: here, port2: there} = new MessageChannel();
  postMessage({kind: "want", name}, [there]); // the page brings it
  /** @type {ArrayBuffer} */
  const all = await new Promise((yes, no) => {
    here.onmessage = ({data}) => (data.all ? yes(data.all) : no(new Error(data.why)));
  });
  // A server may have unpacked it, if it takes .gz for an encoding.
  const [a, b] = new Uint8Array(all), packed = a === 0x1f && b === 0x8b, go = new Go();
  let status = 0;
  /** @type {WebAssembly.Instance} */
  let instance;
  go.exit = code => { status = code; };
  try {
    const unpacked = () => new Blob([all]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = packed ? await new Response(unpacked()).arrayBuffer() : all;
    ({instance} = await WebAssembly.instantiate(bytes, go.importObject));
  } catch (e) { throw new Error(`${name} is damaged: ${e.message}`); }
  const why = () => `it ended with status ${status}; it may have run out of memory`;
  go.run(instance).then(() => ended(why()), e => ended(String(e)));
}

/** @type {Promise<void>} */
let compiler;

/** compiled asks the compiler, which is loaded for the first program in Go, for what one of its
 * functions makes of a setup.
 * @param {"emsimDraw" | "emsimCompile"} name @param {Emsim.Setup} setup */
async function compiled(name, {main, files, params}) {
  compiler ??= new Promise((yes, no) => {
    globalThis.emsimCompilerReady = yes;
    load("compiler.wasm.gz", why => { compiler = null; no(new Error(why)); }).catch(no);
  });
  try { await compiler; } catch (e) {
    compiler = null;
    throw new Error(`The compiler could not be loaded: ${e.message}`);
  }
  return JSON.parse(globalThis[name](JSON.stringify({main, files, params})));
}

/** reply answers a question: the compiler one for the graph of a program, the engine all others.
 * An engine that opens a program in Go gets what the compiler makes of it. @param {string} name
 * @param {string} args @param {number} side of the engine's two runs */
async function reply(name, args, side) {
  const setup = ["open", "graph"].includes(name) ? JSON.parse(args) : null;
  if (name === "graph") return JSON.stringify({value: await compiled("emsimDraw", setup)});
  const go = setup?.main?.endsWith(".go")
    && {...setup, compiled: await compiled("emsimCompile", setup)};
  return emsimCall(name, go ? JSON.stringify(go) : args, side);
}

onmessage = async ({data}) => {
  if (data.cancel) return emsimCancel();
  const {name, args, side} = data;
  try {
    answer("reply", {reply: await reply(name, args, side)});
  } catch (e) { answer("reply", {reply: JSON.stringify({error: {message: e.message}})}); }
};

/** @param {string} why */
const dead = why => answer("dead", {why});
load("engine.wasm.gz", dead).catch(e => dead(String(e.message ?? e)));

"use strict";
// The worker that runs the engine: it loads the module, passes questions to it and
// answers back. The paths of both files are relative to this one.
importScripts("wasm_exec.js");

const answer = (kind, data) => postMessage({kind, ...data});
const resume = new MessageChannel();
let resumed = null;
resume.port1.onmessage = () => resumed();

// The engine calls these.
globalThis.emsimYield = f => { resumed = f; resume.port2.postMessage(0); };
globalThis.emsimProgress = frame => answer("progress", {frame});
globalThis.emsimReady = () => answer("ready", {});

onmessage = async ({data}) => {
  if (data.cancel) return emsimCancel();
  const reply = await emsimCall(data.name, data.args);
  answer("reply", {id: data.id, reply});
};

async function load() {
  const response = await fetch("engine.wasm.gz");
  if (!response.ok) throw new Error(`engine.wasm.gz: the server answers ${response.status}`);
  // A server may have unpacked it, if it takes .gz for an encoding.
  const [head, body] = response.body.tee(), reader = head.getReader();
  const first = (await reader.read()).value;
  reader.cancel();
  const packed = first?.[0] === 0x1f && first[1] === 0x8b;
  const go = new Go();
  let status = 0, instance;
  go.exit = code => { status = code; };
  try {
    const bytes = await new Response(packed ? body.pipeThrough(new DecompressionStream("gzip")) : body).arrayBuffer();
    ({instance} = await WebAssembly.instantiate(bytes, go.importObject));
  } catch (e) { throw new Error(`engine.wasm.gz is damaged: ${e.message}`); }
  const ended = () => answer("dead", {why: `it ended with status ${status}; it may have run out of memory`});
  go.run(instance).then(ended, e => answer("dead", {why: String(e)}));
}
load().catch(e => answer("dead", {why: String(e.message ?? e)}));

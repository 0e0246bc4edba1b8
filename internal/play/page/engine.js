// The engine, in a worker: questions are answered one after the other. The page's other files are
// beside it, or inside of it where the whole page is one file.

/** @param {string} name
 * @returns {Uint8Array<ArrayBuffer>} a file inside of the page, if it is there */
function inside(name) {
  const here = document.getElementById(`file:${name}`)?.textContent;
  return here && Uint8Array.from(atob(here), c => c.charCodeAt(0));
}

/** bytes brings a file. @param {string} name @returns {Promise<ArrayBuffer>} */
async function bytes(name) {
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
function script(name) {
  const here = inside(name);
  return here ? URL.createObjectURL(new Blob([here])) : name;
}

/** bring brings a file that the worker wants. @param {string} file @param {MessagePort} to */
function bring(file, to) {
  bytes(file).then(all => to.postMessage({all}, [all]), e => to.postMessage({why: e.message}));
}

export class Engine {
  /** @type {{yes: (value: any) => void, no: (e: Error) => void}} */
  waiting = null; // for the answer to the last question
  asked = 0; // questions that have no answer yet
  /** @type {Promise<any>} */ last = Promise.resolve(); // the answer to the last one

  /** hear gets the frames of long work; dead is told what ended the engine, and whether it had ever
   * been ready. @param {(frame: Emsim.Frame, side: number) => void} hear
   * @param {(why: string, lived: boolean) => void} dead */
  constructor(hear, dead) {
    this.hear = hear;
    this.dead = dead;
    this.start();
  }

  start() {
    this.worker?.terminate();
    this.alive = false;
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      const worker = (this.worker = new Worker(script("worker.js")));
      const fail = (/** @type {string} */ why) => { reject(new Error(why)); this.end(why); };
      worker.onmessage = ({data, ports}) => {
        switch (data.kind) {
          case "ready": this.alive = true; return resolve();
          case "want": return bring(data.name, ports[0]);
          case "progress": return this.hear(JSON.parse(data.frame), data.side);
          case "reply": return this.answered(JSON.parse(data.reply));
          case "fault": return reportError(new Error(data.why));
          case "dead": return fail(data.why);
        }
      };
      worker.onerror = e => fail(e.message || "worker.js did not come");
    });
    this.ready.catch(() => {});
  }

  answered(/** @type {{value: any, error?: {message: string}}} */ {value, error}) {
    const {yes, no} = this.waiting;
    return error ? no(new Error(error.message)) : yes(value);
  }

  /** end is called when the worker can answer no more. @param {string} why */
  end(why) {
    this.waiting?.no(new Error(why));
    this.dead(why, this.alive);
  }

  // busy says whether somebody waits for an answer; what goes ahead of the page waits itself.
  get busy() { return this.asked > 0; }

  /** call asks a question about one of the two runs; the answer is a promise.
   * @template {keyof Emsim.Questions} K @param {K} name @param {Emsim.Questions[K][0]} argument
   * @returns {Promise<Emsim.Questions[K][1]>} */
  call(name, argument = null, side = 0) {
    const answer = this.last.then(() => this.ready).then(() => new Promise((yes, no) => {
      this.waiting = {yes, no};
      this.worker.postMessage({name, args: JSON.stringify(argument), side});
    }));
    this.last = answer.catch(() => {});
    if (name !== "ahead") {
      const done = () => { this.asked--; };
      this.asked++;
      answer.then(done, done);
    }
    return answer;
  }

  // cancel ends the work under way; its answer says so.
  cancel() { if (this.alive && this.busy) this.worker.postMessage({cancel: true}); }
}

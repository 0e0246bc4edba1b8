// The engine, in a worker: questions are answered one after the other.
import {bytes, script} from "./asset.js";

export class Engine {
  side = 0; // of the two runs of the engine, the one that is asked

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
    /** @type {Map<number, {yes: (value: any) => void, no: (e: Error) => void}>} */
    this.waiting = new Map();
    this.next = this.asked = 0;
    /** @type {Promise<any>} */
    this.last = Promise.resolve();
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      const worker = (this.worker = new Worker(script("worker.js")));
      /** @param {string} why */
      const fail = why => { reject(new Error(why)); this.end(why); };
      worker.onmessage = ({data}) => {
        switch (data.kind) {
          case "ready": this.alive = true; return resolve();
          case "want": return this.bring(worker, data.name);
          case "progress": return this.hear(JSON.parse(data.frame), data.side);
          case "reply": return this.answered(data.id, JSON.parse(data.reply));
          case "fault": return reportError(new Error(data.why));
          case "dead": return fail(data.why);
        }
      };
      worker.onerror = e => fail(e.message || "worker.js did not come");
    });
    this.ready.catch(() => {});
  }

  /** bring brings a file that the worker wants. @param {Worker} worker @param {string} file */
  bring(worker, file) {
    bytes(file).then(all => worker.postMessage({file, all}, [all]),
      e => worker.postMessage({file, why: e.message}));
  }

  /** @param {number} id @param {{value: any, error?: {message: string}}} reply */
  answered(id, {value, error}) {
    const {yes, no} = this.waiting.get(id);
    this.waiting.delete(id);
    return error ? no(new Error(error.message)) : yes(value);
  }

  /** end is called when the worker can answer no more. @param {string} why */
  end(why) {
    for (const {no} of this.waiting.values()) no(new Error(why));
    this.waiting.clear();
    this.dead(why, this.alive);
  }

  // busy says whether somebody waits for an answer; what goes ahead of the page waits itself.
  get busy() { return this.asked > 0; }

  /** call asks a question about one of the two runs; the answer is a promise.
   * @template {keyof Emsim.Questions} K @param {K} name @param {Emsim.Questions[K][0]} argument
   * @returns {Promise<Emsim.Questions[K][1]>} */
  call(name, argument = null, side = this.side) {
    const answer = this.last.then(() => this.ready).then(() => new Promise((yes, no) => {
      const id = this.next++;
      this.waiting.set(id, {yes, no});
      this.worker.postMessage({id, name, args: JSON.stringify(argument), side});
    }));
    this.last = answer.catch(() => {});
    if (name !== "ahead") {
      const done = () => { this.asked = Math.max(0, this.asked - 1); };
      this.asked++;
      answer.then(done, done);
    }
    return answer;
  }

  // cancel ends the work under way; its answer says so.
  cancel() { if (this.busy) this.worker.postMessage({cancel: true}); }
}

// What the page's modules share, for the check of types.
declare namespace Emsim {
  type Ask = <K extends keyof Questions>(name: K, argument?: Questions[K][0], side?: number) => Promise<Questions[K][1]>;

  // Page is what is shown.
  interface Page {
    catalogue: Catalogue;
    setup: Setup; // that was assembled
    net: Network;
    frame: Frame;
    answer: Opened; // the engine's, to the setup
    stale: boolean; // what is shown is of another program than the editor's
    missing: boolean; // the engine did not come
    running: boolean;
    travelling: boolean; // to the clock
    opened: number; // PE
    tab: string;
    packet: string; // that is followed
    seriesAt: number; // clock up to which the time line is drawn
    ready: number; // when the page was, in milliseconds after its opening
    restored: string; // the last link
  }

  // Run is what panes hang on; what is shown of it changes with the clock. null: nothing yet.
  interface Run {
    shown: {value: {frame: Frame; pe: number; now: number; length: number}};
  }

  // Elements are those of index.html that modules get, by id.
  interface Elements {
    args: HTMLInputElement; assemble: HTMLButtonElement; ask: HTMLFormElement; back: HTMLButtonElement; blocks: HTMLElement;
    "blocks-kinds": HTMLElement; "blocks-legend": HTMLElement; "blocks-none": HTMLElement; "blocks-picture": SVGSVGElement;
    "bottom-tabs": HTMLElement; calls: HTMLElement; caption: HTMLElement; changed: HTMLElement; clock: HTMLOutputElement; colour: HTMLSelectElement;
    colours: HTMLElement; compared: HTMLElement; "compared-tab": HTMLElement; copied: HTMLElement; "door-lessons": HTMLButtonElement; "door-try": HTMLButtonElement; doors: HTMLElement; editor: HTMLElement; ends: HTMLElement; "ends-tab": HTMLButtonElement; "file-bar": HTMLElement; "file-input": HTMLInputElement;
    "file-open": HTMLButtonElement; files: HTMLElement; first: HTMLButtonElement; goal: HTMLFormElement; "goal-kind": HTMLSelectElement;
    "goal-list": HTMLDataListElement; "goal-what": HTMLInputElement; help: HTMLDialogElement; "help-body": HTMLElement;
    "help-open": HTMLButtonElement; knobs: HTMLDialogElement; "knobs-body": HTMLElement; "knobs-open": HTMLButtonElement;
    "kept": HTMLElement; "kept-close": HTMLButtonElement; "kept-restore": HTMLButtonElement; "kept-which": HTMLSelectElement; "kept-words": HTMLElement; "knobs-reset": HTMLButtonElement; left: HTMLElement; legend: HTMLElement; lesson: HTMLSelectElement; "lesson-text": HTMLElement; licences: HTMLDetailsElement;
    line: HTMLInputElement; log: HTMLElement; machine: HTMLCanvasElement; mark: HTMLButtonElement; marks: HTMLElement; message: HTMLElement;
    "other-caption": HTMLElement; "other-machine": HTMLCanvasElement; "other-series": HTMLCanvasElement; packet: HTMLElement; pes: HTMLSelectElement; problem: HTMLElement; program: HTMLSelectElement; prompt: HTMLElement; result: HTMLElement;
    right: HTMLElement; run: HTMLButtonElement; series: HTMLCanvasElement; share: HTMLButtonElement; shared: HTMLDialogElement;
    "side-a": HTMLButtonElement; "side-b": HTMLButtonElement; sides: HTMLElement; "shared-link": HTMLTextAreaElement; skip: HTMLElement; slider: HTMLInputElement; speed: HTMLSelectElement; stage: HTMLElement; step: HTMLButtonElement;
    theme: HTMLButtonElement; tip: HTMLElement; told: HTMLElement; veil: HTMLElement; versus: HTMLButtonElement; "versus-close": HTMLButtonElement; view: HTMLElement;
  }
}

// For tests, and for curious people.
declare var emsim: Emsim.Page;

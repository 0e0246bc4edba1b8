// What the page's modules share, for the check of types.
type Doc = import("../page/codemirror.js").EditorState["doc"]; // a text in the editor
type Pen = import("../page/draw/pen.js").Pen;
type Drawing = import("../page/draw/machine.js").Picture; // of the machine
type Point = [number, number];
type Curve = [number, number, number, number, number, number, number, number];
type Geometry = import("../page/draw/geometry.js").Geometry;
// Measures are in pixels: of a block and its rows, margins, distances of PEs, a PE, and one of the pale column.
type Measures = {rows: number; wide: number; left: number; right: number; top: number; pitchX: number; pitchY: number; box: number;
  tall: number; again: number; worth: number};
type Spot = {x: number; y: number; w: number; h: number};
type Lens = {x: number; y: number; w: number; h: number; tall: number}; // its place, and the height of a row
type CallKind = {state: string; rows: Point; why?: string}; // a callout of a PE in a state, or of a packet; rows are parts of the height
type Shows = Pick<Run, "frame" | "opened" | "packet" | "stops">; // what a picture of the machine shows of a run
// What a time line shows of a run; its name is only where there are two.
type Timed = {whole: Emsim.Ahead; clock: number; length: number; pes: number; name: string};
type Over = {packet?: Emsim.Moving; pe?: number}; // what is under the pointer

// A file of a program: its text now, when it was loaded and as emsim has it.
type Source = Emsim.File & {loaded: string; original: string; state: import("../page/codemirror.js").EditorState};
type Stop = {number: number; file: string; line: number; condition: string; pes: number[]; value: string}; // pes have come to it now
type KeptStop = Pick<Stop, "file" | "line" | "condition">;
type Work = {setup: Emsim.Setup; stops?: KeptStop[]; marks?: Emsim.Mark[]};
type Version = Work & {at: number}; // a time in milliseconds

type Lesson = {file: string; title: string; setup: Emsim.Setup; stage?: string; html: string};
type Key = {does: string; keys: string[]; words: string; act: (key: string, e?: KeyboardEvent) => any};

type Run = import("../page/state/run.js").Run;
// Block is a box of the picture of blocks, with its elements.
type Block = {g: HTMLElement; box: Emsim.Box; pes: Element; times: Element; rows: HTMLElement[]};

declare namespace Emsim {
  type Ask = <K extends keyof Questions>(name: K, argument?: Questions[K][0], run?: Run) => Promise<Questions[K][1]>;

  // Page is what is shown, and the parts that show it.
  interface Page {
    catalogue: Catalogue;
    pair: [Run, Run]; // A and B, which is empty unless two runs are compared
    run: Run; // of these that which is shown and changed
    missing: boolean; // the engine did not come
    running: boolean;
    travelling: boolean; // to the clock
    tab: string; // what the companion of the machine shows; "": it is hidden
    ready: number; // when the page was, in milliseconds after its opening
    restored: string; // the last link

    engine: import("../page/engine.js").Engine;
    strip: import("../page/panes/time.js").Strip;
    marks: import("../page/panes/time.js").Marks;
    text: import("../page/panes/console.js").Console;
    editor: import("../page/panes/editor.js").Editor;
    stops: import("../page/panes/gutter.js").Stops;
    stage: import("../page/panes/stage.js").Stage;
    versus: import("../page/panes/versus.js").Versus;
    motion: import("../page/state/motion.js").Motion;
    watch: import("../page/panes/watch.js").Watch;
    inspect: import("../page/panes/inspect.js").Inspect;
    form: import("../page/panes/setup.js").SetupForm; // comes later, as the next two
    keep: import("../page/state/keep.js").Keep;
    lessons: import("../page/panes/lesson.js").Lessons;
    keys: object;

    ask: Ask;
    assemble(setup?: Setup, typing?: boolean): Promise<boolean>;
    controls(): void;
    draw(): void; // the runs
    dress(theme: string): void;
    go(mode: string): Promise<void>;
    pictures(): void; // draws them again
    shown(pe: number): void; // lets the panes show the frame
  }

  // Shown is what is shown of a run: now is the clock of the page, pe that of the console.
  type Shown = {frame: Frame; pe: number; now: number; length: number};
  // Pane is a part of the page that shows a run; leave leaves its place empty.
  type Pane = {show?: (shown: Shown) => void; leave?: () => void};

  // Elements are those of index.html that modules get, by id; others are any elements.
  interface Elements extends Record<Places, HTMLElement>, Record<Buttons, HTMLButtonElement> {
    args: HTMLInputElement; ask: HTMLFormElement; "blocks-picture": SVGSVGElement; clock: HTMLOutputElement; colour: HTMLSelectElement;
    "file-input": HTMLInputElement; goal: HTMLInputElement; goals: HTMLDataListElement; help: HTMLDialogElement; "kept-which": HTMLSelectElement;
    knobs: HTMLDialogElement; lesson: HTMLSelectElement; licences: HTMLDetailsElement; line: HTMLInputElement; "machine-A": HTMLCanvasElement;
    "machine-B": HTMLCanvasElement; strip: HTMLCanvasElement; "series-A": HTMLCanvasElement; "series-B": HTMLCanvasElement; palette: HTMLDialogElement; pes: HTMLSelectElement;
    program: HTMLSelectElement; shared: HTMLDialogElement; "shared-link": HTMLTextAreaElement; speed: HTMLSelectElement;
  }
  type Places = "blocks" | "blocks-kinds" | "blocks-legend" | "blocks-none" | "calls" | "caption-A" | "caption-B" | "colours" | "companion" | "compared" | "console" | "copied"
    | "doors" | "editor" | "ends" | "files" | "help-body" | "here" | "kept" | "kept-words" | "knobs-body" | "knobs-title" | "learn" | "left" | "legend" | "legend-colours" | "legend-run" | "lesson-text" | "log"
    | "machines" | "marks" | "message" | "nth" | "packet" | "problem" | "prompt" | "result" | "right" | "searches" | "sides" | "skip" | "stage" | "task" | "tip" | "told"
    | "veil" | "view";
  type Buttons = "again" | "back" | "chip" | "closer" | "companion-close" | "door-lessons" | "door-try" | "ends-tab" | "file-open" | "help-open" | "kept-close"
    | "kept-restore" | "knobs-reset" | "menu" | "run" | "sentence-after" | "share" | "side-A" | "side-B" | "step" | "strip-open" | "theme" | "versus-close";
}

// For tests, and for curious people.
declare var emsim: Emsim.Page;

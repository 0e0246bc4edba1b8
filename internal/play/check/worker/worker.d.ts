// What the worker gets from Go's wasm_exec.js, and what it and its modules have in common.
declare class Go {
  importObject: WebAssembly.Imports;
  exit: (status: number) => void;
  run(instance: WebAssembly.Instance): Promise<void>;
}
declare var emsimYield: (resume: () => void) => void;
declare var emsimProgress: (frame: string, side: number) => void;
declare var emsimReady: () => void;
declare var emsimCompilerReady: (value: void) => void;
declare function emsimCall(name: string, args: string, side: number): Promise<string>;
declare function emsimCancel(): void;
declare function emsimCompile(question: string): string;
declare function emsimDraw(question: string): string;

// The highlighting of assembly, which package asm writes.
export const emsim: import("@codemirror/language").StreamParser<unknown>;

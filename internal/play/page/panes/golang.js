// Go for CodeMirror: enough to colour the programs that emsim compiles.
/** @param {string} list */
const words = list => new RegExp(`\\b(?:${list.replace(/\s+/g, "|")})\\b`, "y");

/** @type {[string, RegExp][]} */
const rules = [
  ["definitionKeyword", /\/\/(?:emsim|go):.*/y],
  ["lineComment", /\/\/.*/y],
  ["string", /"(?:[^"\\]|\\.)*"?|`[^`]*`?|'(?:[^'\\]|\\.)*'?/y],
  ["keyword", words(`break case chan const continue default defer else fallthrough for func go goto
    if import interface map package range return select struct switch type var`)],
  ["variableName.standard", words(`bool error float32 float64 int int8 int16 int32 int64 string uint
    uint8 uint16 uint32 uint64 uintptr byte rune any true false nil iota`)],
  ["labelName", /[A-Za-z_]\w*(?=\()/y],
  ["number", /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)/y],
  ["variableName", /[A-Za-z_]\w*/y],
];

/** @type {import("../codemirror.js").StreamParser<{comment: boolean}>} */
export const go = {
  name: "go",
  startState: () => ({comment: false}),
  copyState: s => ({...s}),
  token(stream, state) {
    if (!state.comment && stream.match("/*")) state.comment = true;
    if (state.comment) {
      state.comment = !stream.skipTo("*/");
      if (state.comment) stream.skipToEnd();
      else stream.match("*/");
      return "comment";
    }
    if (stream.eatSpace()) return null;
    for (const [style, pattern] of rules) {
      pattern.lastIndex = stream.pos;
      const found = pattern.exec(stream.string);
      if (!found) continue;
      stream.pos += found[0].length;
      return style;
    }
    stream.next();
    return null;
  },
  languageData: {commentTokens: {line: "//", block: {open: "/*", close: "*/"}}},
};

// Package play is the page of 'emsim play': the EM-4 in a browser. It has the
// page's files, builds the engine, serves both or writes them as a static site.
//
//	site.go    the files of the site; the site in a folder, and as one file
//	build.go   the engine: built once from the sources in the binary, then kept
//	lessons.go the lessons with their programs, exercises and ways to each other
//	serve.go   the site on a local port
//	page/      the page: plain modules of JavaScript; state/ has the current run and
//	           the ways to change it, draw/ the pictures, which know no document, panes/ the rest
//	lessons/   the lessons' texts, whose statements a test checks
//	engine/    the part that runs in the browser; engine/wasm connects it to the page;
//	           engine/compiler is loaded for programs in Go only
//	check/     types and lint of the page's modules, for CI
//	codemirror/ how the editor's bundle page/codemirror-js.gz is made
//
// # Why the engine is built on first use
//
// The page's own modules are served without their comments, and CodeMirror's bundle, which
// rarely changes, is committed. The engine is not: it would go stale with every
// change of the model, and each renewal would add 2 MB to the history. Instead the
// binary holds the sources of the packages that the engine consists of (some
// 1.5 MB). Whoever has built emsim has Go, and Go builds the engine from these
// sources within a minute; the result is kept in the user's cache under a hash of
// the sources and of Go's version. So the page always runs the model of the
// command that serves it, from a clone as well as installed elsewhere.
package play

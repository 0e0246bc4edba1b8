package emsim

import "embed"

// Sources are the files from which 'emsim play' builds its engine: the packages
// that play/engine/wasm needs, and what they embed. A test compares the list.
//
//go:embed go.mod go.sum
//go:embed asm/*.go cluster/rhinet/*.go cluster/spmd/*.go em4/*.go emcr/*.go ibu/*.go isa/*.go mlpe/*.go mnc/*.go omega/*.go packet/*.go
//go:embed pdes/*.go pdes/banyan/*.go pdes/lpgraph/*.go pdes/mapping/*.go pdes/network/*.go trace/*.go
//go:embed programs/*.go programs/*.s programs/go/*/*.go programs/lib/*.s programs/start/*.s
//go:embed internal/agenda/*.go internal/apportion/*.go internal/barrier/*.go internal/blockgraph/*.go internal/checkpoint/*.go internal/compile/*.go internal/compile/panics/*.go internal/debug/*.go internal/escape/*.go internal/hugepages/*.go internal/input/*.go internal/interrupt/*.go
//go:embed internal/knob/*.go internal/lines/*.go internal/machinefile/*.go internal/plural/*.go internal/portable/*.go internal/rng/*.go internal/room/*.go internal/run/*.go internal/simerr/*.go
//go:embed internal/srcerr/*.go internal/state/*.go internal/suggest/*.go internal/wholefile/*.go
//go:embed play/engine/*.go play/engine/wasm/*.go play/engine/compiled/*.go play/engine/compiler/*.go play/engine/compiler/wasm/*.go
var Sources embed.FS

// Syntax is the assembly language for CodeMirror, docs/syntax/codemirror/emsim.js.
//
//go:embed docs/syntax/codemirror/emsim.js
var Syntax string

// PageLicences are the licences of what the page of 'emsim play' carries.
//
//go:embed play/page/codemirror-licences.txt
var PageLicences string

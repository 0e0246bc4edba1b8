// Package emsim embeds the files of the repository that every copy of emsim includes: the licences, which 'emsim
// licenses' prints, and the sources from which 'emsim play' builds its engine.
package emsim

import "embed"

// Sources holds the files from which 'emsim play' builds its engine: the packages that internal/play/engine/wasm needs,
// and the files that they embed. A test checks the list.
//
//go:embed go.mod go.sum
//go:embed asm/*.go df/array.go df/df.go df/policy.go cluster/rhinet/*.go cluster/spmd/*.go em4/*.go emcr/*.go ibu/*.go isa/*.go mlpe/*.go mnc/*.go omega/*.go packet/*.go
//go:embed pdes/*.go pdes/banyan/*.go pdes/lpgraph/*.go pdes/mapping/*.go pdes/network/*.go trace/*.go
//go:embed programs/*.go programs/*.s programs/go/*/*.go programs/lib/*.s programs/lib/policy/*.s programs/start/*.s programs/start/go/*.go programs/start/go/policy/*.go
//go:embed internal/base/agenda/*.go internal/base/answer/*.go internal/base/barrier/*.go internal/inspect/blockgraph/*.go internal/machine/checkpoint/*.go internal/compile/*.go internal/compile/cut/*.go internal/compile/ir/*.go internal/compile/panics/*.go internal/inspect/debug/*.go internal/inspect/diff/*.go internal/inspect/portrait/*.go internal/base/escape/*.go internal/base/hugepages/*.go internal/base/input/*.go internal/base/interrupt/*.go
//go:embed internal/base/gotype/*.go internal/base/knob/*.go internal/base/lines/*.go internal/base/lists/*.go internal/machine/machinefile/*.go internal/base/plural/*.go internal/base/portable/*.go internal/base/rng/*.go internal/base/memlimit/*.go internal/machine/exercise/*.go internal/machine/exercise/library/* internal/machine/run/*.go internal/machine/threads/*.go internal/base/simerr/*.go
//go:embed internal/base/moves/*.go internal/base/ordered/*.go internal/base/srcerr/*.go internal/base/state/*.go internal/base/suggest/*.go internal/base/tomlfile/*.go internal/base/wholefile/*.go
//go:embed internal/play/engine/*.go internal/play/engine/wasm/*.go internal/play/engine/compiled/*.go internal/play/engine/markup/*.go internal/play/engine/compiler/*.go internal/play/engine/compiler/wasm/*.go
var Sources embed.FS

// Syntax is the grammar of the assembly language for CodeMirror, docs/syntax/codemirror/emsim.js.
//
//go:embed docs/syntax/codemirror/emsim.js
var Syntax string

// PageLicences holds the licences of third-party code in the page of 'emsim play'.
//
//go:embed internal/play/page/codemirror-licences.txt
var PageLicences string

// Citation is CITATION.cff: how to cite emsim and the papers on which its models are based.
//
//go:embed CITATION.cff
var Citation string

// Licence is emsim's own licence, the file LICENSE.
//
//go:embed LICENSE
var Licence string

// Notices is THIRD_PARTY_NOTICES.md: all other components of the binary, with their licences.
//
//go:generate go -C tools run ./notices ../THIRD_PARTY_NOTICES.md
//go:embed THIRD_PARTY_NOTICES.md
var Notices string

// Package compile translates dataflow programs written in Go into assembly text for the EM-4. A program uses a subset
// of Go that the machine's words and instances can hold; docs/DATAFLOW.md describes it. Everything outside the subset
// is rejected, so a program that compiles gives the same answer as go run.
//
//	text ─► parse ─► survey ─► build ─► lower ─► homes ─► colors ─► layout ─► text
//	        check    guards    IR       blocks   words    registers nodes
//
// The front end:
//
//	compile.go      Compile; the state of a translation; errors
//	options.go      the options, as parameters of every program
//	meter.go        counts the work of a translation, and bounds it
//	nesting.go      bounds how deeply a program is nested
//	files.go        programs of several files; line numbers
//	parse.go        parsing; types, with go/types; directives
//	reach.go        which declarations the entry and func init reach: only these are compiled
//	survey.go       which functions are inlined, and which statements of the others are guards
//	channels.go     which functions send and receive on each channel
//	tables.go       tables: arrays of the package, with a copy on every PE
//	words.go        the words of a value: parts of structures, elements of arrays
//	arrayparams.go  arrays as arguments
//	places.go       the positions of names, assignments and calls in the text
//	names.go        names in the assembly text
//	once.go         one message for one mistake
//	language.go     the parts of Go that have no translation, and what to write instead
//
// Arrays and parallel loops of package df, and the distribution over the PEs:
//
//	spread.go       arrays of package df
//	fill.go         code that fills them, and that returns one to the host
//	remote.go       code that reads and writes them (programs/lib/read.s)
//	tree.go         parallel loops
//	span.go         trees over the PEs
//	flat.go         loops of the entry that become such trees
//	policy.go       policies in Go, which become macros
//	seek.go         requests for instances that look for a PE with room
//	throttle.go     requests for instances that find no operand segment
//
// From syntax to the intermediate representation (IR), in which every value is defined once:
//
//	ir/             the IR
//	build.go        functions and variables
//	buildstmt.go    statements
//	buildloop.go    loops
//	buildjoin.go    branches and joins
//	buildexpr.go    expressions
//	buildplace.go   where the words of variables, fields and elements are
//	buildtables.go  large arrays
//	buildstreams.go channels
//	buildrefuse.go  constructs without a translation
//	forms.go        builds the IR of all functions
//	formparts.go    builds the IR of the bodies of literals
//
// From the IR to units, which are templates and system code, and consist of basic blocks:
//
//	ir.go           units, blocks and instructions; opcodes.go: instructions that the machine's table does not have
//	lower.go        functions become units; nodes for arguments and results
//	lowerform.go    regions
//	lowerops.go     instructions
//	arith.go        arithmetic and comparisons; divide.go: division and shifts; floats.go: comparisons of floats
//	lowerarrays.go  arrays of an instance; arrays.go: where they lie
//	lowerstreams.go channels; streams.go: their nodes and item requests
//	lowergroup.go   calls that are made together; group.go: their guards
//	call.go         calls: inlined functions, guards at the caller, requests for instances
//	pending.go      waits for results and items
//	gather.go       sums of results
//	reduction.go    reduction loops; arrange.go: moves code before their calls; lowersums.go: their code
//	iterationfuncs.go iterations that become functions
//	unroll.go       loops that are unrolled
//	whywait.go      why loops wait, in words
//	system.go       the init block, the arguments, and the first instance
//
// From units to text:
//
//	flow.go         dataflow analysis
//	merge.go        coalesces registers that moves connect
//	fold.go         folds moves into the instructions before them, and removes dead instructions
//	homes.go        words for values that live across strongly connected blocks, with their loads and stores
//	loopvalues.go   the same for loops that wait in every iteration
//	coalesce.go     words that several values share
//	registers.go    register allocation
//	segments.go     further operand segments, for functions that do not fit one
//	layout.go       the order of the nodes in a template
//	emit.go         text; debugtext.go: what the text tells the debugger; marks.go: where statements begin
//	panics/         why a compiled program stops the machine
//
// For people:
//
//	graph.go        the graph of the strongly connected blocks; cut/: its types
//	describe.go     descriptions of functions
//	distance.go     why they may take longer on more PEs
//
// The runtime of compiled programs (trees over the PEs, arrays of package df, division, floats) is Go code that emits
// instructions. We tried to write it in the subset itself. The parts without packets (division, floats, halves of
// spans, owners of pieces) took more lines: 159 lines became 100 lines of text and 112 that build and call it. The
// others cannot be written in the subset: a tree's node receives results while the PE's own iterations still run.
//
// The package uses go/parser and go/types only, so compiling a program does not need a Go toolchain.
//
// chosen: everything. The paper wishes for larger strongly connected blocks by software [003 §4.2] and for a compiler
// that chooses the distribution [003 §5].
package compile

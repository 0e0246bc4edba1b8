// Package compile translates dataflow programs written in Go into assembly text for
// the EM-4. A program is a subset of Go that the machine's words and instances
// can hold; docs/DATAFLOW.md describes it. What is outside is refused, so that
// a program that compiles gives the answer that go run gives.
//
//	text ─► parse ─► survey ─► build ─► lower ─► keep ─► colors ─► layout ─► text
//	        check    guards    form     blocks   words   registers nodes
//
//	compile.go    Compile, errors
//	options.go    the options, as parameters of every program
//	nesting.go    how deep a program is nested
//	parse.go      reading the file; types, with go/types; directives and tables
//	files.go      several files, and lines
//	reach.go      what is compiled: what the entry and init reach
//	once.go       one message for one mistake; remedy.go: what to write instead
//	tables.go     tables
//	channels.go   who sends and who receives; streams.go: what becomes of it
//	spread.go     arrays of package df; remote.go: the code that reads and writes them (programs/lib/read.s); fill.go: that fills them
//	arrays.go     arrays inside of functions
//	survey.go     which functions are helpers, and which statements are guards
//	ir.go         units (templates, system code), blocks, instructions; opcodes.go: what these do
//	lower.go      functions become units; nodes for arguments and results
//	arith.go      arithmetic and comparisons; divide.go: division and shifts; floats.go: comparing floats
//	call.go       calls: helpers in place, guards at the caller, requests
//	group.go      calls that are in progress together, and the node that joins them
//	gather.go     results that are added up as they come
//	flat.go       loops of the entry that become trees
//	throttle.go   calls that find no segment
//	tree.go       parallel loops of package df; span.go: trees over the PEs
//	policy.go     policies in Go, which become macros
//	system.go     the init block, the arguments, the first instance
//	places.go     where things are in the text; names.go: what they are called in the assembly text
//	meter.go      the work, counted, and its bounds
//	flow.go       what holds where, in the blocks of a unit
//	homes.go      which values wait in the operand segment, and when
//	turns.go      loops that wait in every turn; share.go: words that several values use
//	fold.go       values computed where they are wanted
//	registers.go  machine registers
//	segments.go   what does not fit the operand segment
//	layout.go     where the nodes of a template lie
//	emit.go       text; told.go: what it tells the debugger
//	panics/       what stops the machine
//	ir/           the intermediate form, in which every value is defined once
//	build.go      builds it: functions and variables; buildstmt.go: statements; buildloop.go: loops; buildexpr.go: expressions; buildplace.go: what has a place; buildjoin.go: where ways part and meet; buildstreams.go: channels; buildtables.go: large arrays; buildrefuse.go: what has no translation
//	forms.go      builds it for all functions; formparts.go: for the bodies of literals
//	lowerform.go  makes the code: regions; lowerops.go: instructions; lowerarrays.go: arrays of an instance; lowerstreams.go: channels; lowergroup.go: calls that are made together
//	addsup.go     loops that only add up; arrange.go: what runs when results come; lowersums.go: the code; turnfuncs.go: turns that become functions; unroll.go: turns that are written out; whywait.go: why loops wait, in words
//	merge.go      registers that moves connect
//	graph.go      a program cut into blocks, for a picture; describe.go: its functions in words
//	distance.go   why they take longer on more PEs
//
// What programs do besides their own text, the trees over the PEs, arrays of package df, division and
// floats, is Go that emits instructions, with choose, repeat and branchIf. As Go text of the subset, put in place
// by the compiler, the parts without packets (division, floats, halves of spans, owners of pieces) took more lines, not
// fewer: 159 became 100 lines of text and 112 that build and call it. The others have no such text: results of a tree
// come while its own turns run, in one node for both.
//
// It uses go/parser and go/types only, so that no Go is needed to compile.
//
// chosen: everything. The paper wishes for larger strongly connected blocks by
// software [003 §4.2] and for a compiler that chooses the distribution [003 §5].
package compile

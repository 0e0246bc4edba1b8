// Package randprog writes random programs for the EM-4. They always end, and
// their outcome does not depend on the order of packets, so two executions
// can be compared word by word.
//
//	program.go   Program, Gen, FromSeed, Size
//	recipe.go    what is drawn
//	function.go  one function: a graph of nodes and the tokens between them
//	call.go      calls: segments got and released here and there, recursion
//	body.go      what a block does besides sending
//	render.go    templates and system blocks as assembly text
//	machine.go   random machines
//
// They end because a function calls only earlier functions, or itself with
// less fuel; loops inside a block count down from at most eight; all other
// branches go forward.
//
// Order does not matter because, inside an instance, a value (a token) goes
// from one node to one other node. A frame word, and a structure, is written
// by one node and read only by nodes that tokens from it lead to. Variables of
// a PE that several instances change are only added to or exclusive-ored with,
// never read. Addresses of segments and structures, which differ from run to
// run, never become values. PEs are computed from values.
//
// Programs are drawn with rapid (pgregory.net/rapid): a failing property
// shrinks to few functions, few nodes and simple instructions.
package randprog

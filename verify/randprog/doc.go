// Package randprog writes random programs for the EM-4 that always end and
// whose outcome no order of packets can change, so that two executions of one
// can be compared word by word.
//
//	program.go   Program, Gen, FromSeed, Size
//	recipe.go    what is drawn
//	function.go  one function: a graph of nodes and the tokens between them
//	call.go      calls: segments got and released here and there, recursion
//	body.go      what a block does besides sending
//	render.go    templates and system blocks as assembly text
//
// Why they end: a function calls only functions written before it, or itself
// with less fuel; loops inside a block count down from at most eight; every
// other branch goes forward.
//
// Why order does not matter: inside an instance a value (a token) goes from
// one node to one other node. A frame word, and a structure, is written by one
// node and read only by nodes that tokens from it lead to. Variables of a PE
// that several instances change are only added to or exclusive-ored with, and
// never read. Addresses of segments and structures, which differ from run to
// run, are kept out of the values. PEs are computed from values.
//
// Programs are drawn with rapid (pgregory.net/rapid): a failing property
// shrinks to few functions, few nodes and simple instructions.
package randprog

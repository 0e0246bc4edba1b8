// Package randprog writes random programs for the EM-4. They always end, and
// their outcome does not depend on the order of packets, so two executions
// can be compared word by word.
//
//	program.go   Program, Gen, FromSeed, Size
//	recipe.go    the random choices
//	function.go  one function: a graph of nodes and the tokens between them
//	call.go      calls, recursion, and the places where segments are allocated and released
//	body.go      the operations of a block other than sending
//	render.go    templates and system blocks as assembly text
//	machine.go   random machines
//
// Programs end because a function calls only earlier functions, or itself with less fuel. Loops inside a block count
// down from at most seven, and all other branches go forward.
//
// The order of packets does not matter because, inside an instance, a value (a token) goes from one node to one other
// node. Each frame word and each structure is written by one node and read only by nodes to which tokens from it lead.
// Several instances may change a variable of a PE, but only by addition or exclusive or, and no instance reads it.
// Addresses of segments and structures differ from run to run and never become values. PEs are computed from values.
//
// Programs are drawn with rapid (pgregory.net/rapid): a failing property
// shrinks to few functions, few nodes and simple instructions.
package randprog

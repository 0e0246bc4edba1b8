package programs

import "slices"

// Info describes a built-in program.
type Info struct {
	Name     string
	Does     string // one line
	Argument string // what its one argument means, with its range
	Answer   string // what the host receives
	Typical  uint64 // argument that keeps the prototype's 80 PEs busy
}

var infos = []Info{
	{"fib", "Fibonacci number by recursion, the program of paper 003", "which one, 1..47", "the number", 20},
	{"knapsack", "best choice of items by search: a tree with uneven branches", "items, 1..24", "the greatest value", 16},
	{"loop", "dataflow loops of two-operand nodes, many at once", "iterations of each loop, 1..32767", "the sum of the loops' last values", 100},
	{"matmul", "product of two matrices of floats, read word by word from other PEs", "rows and columns, 1..64", "a weighted sum of the product, as the bits of a float", 16},
	{"pi", "decimals of pi by a pipeline of long divisions", "decimals, 1..4000", "3, then the decimals, four per word; the last word has the remaining ones", 100},
	{"queens", "ways to put N queens on an N x N board", "N, 1..10", "the number of ways", 8},
	{"sort", "merge sort", "keys, 1..32767", "the weighted sum of the sorted keys, or with output=keys the keys", 1000},
	{"stream", "producers that send items to consumers, with credits", "items of each producer, 1..32767", "the sum of the consumers' totals", 100},
	{"sum", "sum of 1..N, which are spread over the PEs' memories", "N, 1..92681", "the sum", 65536},
}

// List describes the built-in programs, by name.
func List() []Info { return slices.Clone(infos) }

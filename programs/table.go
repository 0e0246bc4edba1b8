package programs

import (
	"slices"
	"strings"
)

// Program is a built-in program: one row of the table that the command, the
// sweeps, docs/PROGRAMS.md and the tests read. A new program is its text Name.s,
// a row here, and a paragraph in docs/PROGRAMS.md.
type Program struct {
	Name     string
	Does     string // what it does, in one line
	Stresses string // the part of the machine that it stresses
	Result   string // the result sent to the host
	Args     []Arg
	Typical  []uint64   // arguments that give the prototype's 80 PEs something to do: examples, counts in the docs
	Large    []uint64   // arguments that give 1024 PEs something to do, for slow tests
	Small    [][]uint64 // arguments for machines from 4 PEs on: tests run them in this order on one machine
	Suits    Suit

	answer func(run) []uint64 // computes in Go the words for the host
}

// Suit says with which placement policy a program runs fastest on the prototype's 80 PEs.
type Suit struct {
	Policy string // a policy that is at most a tenth slower than the fastest
	Why    string
	Twice  uint64 // first argument from which on the policy is at least twice as fast as the default; 0: never
}

// Arg is an argument that a program declares.
type Arg struct {
	Name     string
	Means    string
	Min, Max int64
}

// run is the data on which an answer may depend.
type run struct {
	args   []uint64
	pes    int
	params map[string]string // values of the program's parameters
}

func (r run) firstArg() uint64 { return r.args[0] }

// table holds the programs in order of their names.
var table = []Program{
	{
		Name: "fib", Does: "Fibonacci number by recursion, the program of paper 003",
		Stresses: "calls, in a balanced tree", Result: "the Nth Fibonacci number",
		Args:    []Arg{{"n", "which number", 1, 47}},
		Typical: []uint64{20}, Large: []uint64{19}, Small: [][]uint64{{1}, {2}, {9}},
		Suits: Suit{
			Policy: "ring", Why: "a balanced tree of short calls fills all PEs, and its packets go one link far",
		},
		answer: func(r run) []uint64 { return []uint64{fibAnswer(r.firstArg())} },
	},
	{
		Name: "knapsack", Does: "best choice of items by search",
		Stresses: "a tree with very uneven branches", Result: "the greatest value",
		Args:    []Arg{{"n", "items", 1, 24}},
		Typical: []uint64{16}, Large: []uint64{16}, Small: [][]uint64{{1}, {3}, {9}},
		Suits: Suit{
			Policy: "ring-round-robin", Why: "an uneven tree: turns even out what its branches weigh, and stay near",
		},
		answer: func(r run) []uint64 { return []uint64{knapsackAnswer(r.firstArg())} },
	},
	{
		Name: "loop", Does: "dataflow loops of two-operand nodes, many at once",
		Stresses: "two-operand matching and local packets, no calls once it runs",
		Result:   "the sum of the loops' last values",
		Args:     []Arg{{"n", "turns of each loop", 1, 32767}},
		Typical:  []uint64{100}, Large: []uint64{200}, Small: [][]uint64{{1}, {4}},
		Suits: Suit{
			Policy: "ring-round-robin",
			Why:    "few long loops, one to a call: turns put no two on a PE while others have none",
		},
		answer: func(r run) []uint64 { return []uint64{loopAnswer(r.firstArg(), r.leaves())} },
	},
	{
		Name: "matmul", Does: "product of two N x N matrices of floats, read word by word from other PEs",
		Stresses: "remote reads, and PEs that everybody reads from", Result: "a weighted sum of the product, a float",
		Args:    []Arg{{"n", "rows and columns", 1, 64}},
		Typical: []uint64{16}, Large: []uint64{24}, Small: [][]uint64{{1}, {5}, {4}},
		Suits: Suit{
			Policy: "random",
			Why:    "rows of equal work, which chance spreads far enough; turns do as well with more rows, or fewer",
		},
		answer: func(r run) []uint64 { return []uint64{matmulAnswer(r.firstArg())} },
	},
	{
		Name: "pi", Does: "decimals of pi by a pipeline of long divisions",
		Stresses: "a pipeline through as many PEs as the policy finds; long division",
		Result:   "3, then four decimals a word; the last word has those that remain",
		Args:     []Arg{{"digits", "decimals", 1, 4000}},
		Typical:  []uint64{100}, Large: []uint64{1000}, Small: [][]uint64{{1}, {4}, {22}},
		Suits: Suit{
			Policy: "line", Why: "a chain of cells: ring sends it round ten PEs, line over all of them", Twice: 400,
		},
		answer: func(r run) []uint64 { return piAnswer(r.firstArg()) },
	},
	{
		Name: "queens", Does: "ways to put N queens on an N x N board",
		Stresses: "a tree with 0 to N children an instance", Result: "the number of ways",
		Args:    []Arg{{"n", "queens", 1, 10}},
		Typical: []uint64{8}, Large: []uint64{8}, Small: [][]uint64{{1}, {2}, {6}},
		Suits:  Suit{Policy: "random", Why: "an uneven tree with up to N calls an instance: ring does about as well"},
		answer: func(r run) []uint64 { return []uint64{queensAnswer(r.firstArg())} },
	},
	{
		Name: "sort", Does: "merge sort",
		Stresses: "remote reads between callers and children; little parallelism at the end",
		Result:   "the weighted sum of the sorted keys, or with output=keys the keys",
		Args:     []Arg{{"n", "keys", 1, 32767}},
		Typical:  []uint64{1000}, Large: []uint64{4000}, Small: [][]uint64{{1}, {5}, {60}},
		Suits: Suit{
			Policy: "ring-round-robin",
			Why:    "the last merges are one after the other, wherever they run: no policy matters much",
		},
		answer: func(r run) []uint64 { return sortAnswer(r.firstArg(), r.params["output"] == "keys") },
	},
	{
		Name: "stream", Does: "producers that send items to consumers, with credits",
		Stresses: "streams of packets between pairs of PEs", Result: "the sum of the consumers' totals",
		Args:    []Arg{{"n", "items of each producer", 1, 32767}},
		Typical: []uint64{100}, Large: []uint64{300}, Small: [][]uint64{{1}, {9}},
		Suits:  Suit{Policy: "ring-round-robin", Why: "few long-lived producers: turns put them on PEs of their own"},
		answer: func(r run) []uint64 { return []uint64{streamAnswer(r.firstArg(), r.leaves())} },
	},
	{
		Name: "sum", Does: "sum of 1..N, which lie spread over the PEs' memories",
		Stresses: "a first phase on all PEs; calls that go to where the data are", Result: "1 + 2 + ... + N",
		Args:    []Arg{{"n", "the last number", 1, 92681}},
		Typical: []uint64{65536}, Large: []uint64{65536}, Small: [][]uint64{{1}, {17}, {700}, {160}},
		Suits: Suit{
			Policy: "ring-round-robin", Why: "the calls go to where the data are; a policy places the tree alone",
		},
		answer: func(r run) []uint64 { return []uint64{r.firstArg() * (r.firstArg() + 1) / 2} },
	},
}

// List returns the built-in programs in order of their names.
func List() []Program { return slices.Clone(table) }

// Names returns the names of the built-in programs, sorted.
func Names() []string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = table[i].Name
	}
	return names
}

// Policies returns the values of the parameter policy of lib/place.s, the default first. They are the six static
// policies [003 §3.2].
func Policies() []string {
	text, _ := library.ReadFile("lib/place.s") // the file is embedded
	_, list, _ := strings.Cut(string(text), "\n.param policy, ")
	list, _, _ = strings.Cut(list, `, "`)
	return strings.Split(list, ", ")
}

// SpreadingPolicies returns the policies that send calls to any PE of the machine.
func SpreadingPolicies() []string {
	return slices.DeleteFunc(Policies(), func(name string) bool {
		text, _ := library.ReadFile("lib/policy/" + name + ".s") // the file is embedded
		return !strings.Contains(string(text), "table_of_all")
	})
}

// FasterPolicy returns the policy with which a run of a built-in program is known to be at least twice as fast as
// with the default. It returns "" if none is known for the first argument and the number of PEs.
func FasterPolicy(name string, first uint64, pes int) string {
	i := slices.Index(Names(), name)
	if i < 0 || pes != suitPEs || table[i].Suits.Twice == 0 || first < table[i].Suits.Twice {
		return ""
	}
	return table[i].Suits.Policy
}

// suitPEs is the number of PEs on which policies are compared: 80, as in the prototype [003 §2].
const suitPEs = 80

// Known reports whether a built-in program has this name.
func Known(name string) bool { return slices.Contains(Names(), name) }

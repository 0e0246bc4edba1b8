// Package cut has the graph of a program that is cut into strongly connected blocks.
package cut

// Graph is a program cut into strongly connected blocks, by the compiler or, as a run has
// shown, by its author.
type Graph struct {
	Entry     string
	Blocks    string // how the compiler has cut it
	Guards    string
	Functions []Function
}

// Function is a template, or all that a run has shown.
type Function struct {
	Name  string
	Line  int      // of the Go source; 0: of no function
	Does  string   // what goes into an instance and comes out, and whom it calls
	Waits []string // what its size has led to, and which of its loops wait in every turn, for what, and why, and where words of arrays are that it reads
	Nodes []Node
	Edges []Edge
}

// Node is a strongly connected block, or a call: an instance elsewhere.
type Node struct {
	Name  string
	Call  bool
	Waits string // what the block waits for
	Cut   string // why the block before it ends if there is nothing to wait for, or ""
	Lines []Line
	Words int  // instructions
	Ends  bool // it sends the function's result
	Items bool // it sends an item of a stream

	Begins []string // labels of the assembly text at which the machine begins the block
}

// Line is a line of the program.
type Line struct {
	Number int // 0: of another file, which Text names
	Text   string
}

// Edge is a value under way between two nodes of a function.
type Edge struct {
	From, To int
	Kind     EdgeKind
}

// EdgeKind says what is under way between two nodes.
type EdgeKind string

// The values under way.
const (
	EdgeSegment EdgeKind = "segment" // a request for an instance, and its segment
	EdgeRemote  EdgeKind = "remote"  // the same, at the PE that owns a piece of an array
	EdgeItem    EdgeKind = "item"    // a question to a channel, and the item
	EdgeArgs    EdgeKind = "arguments"
	EdgeResult  EdgeKind = "result"
	EdgeToken   EdgeKind = "token"   // to a block of the same instance
	EdgeValue   EdgeKind = "value"   // anything else that a block waits for
	EdgePackets EdgeKind = "packets" // of a run
)

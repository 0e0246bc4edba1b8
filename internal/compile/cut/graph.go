// Package cut has the graph of a program that the compiler has cut into strongly connected blocks.
package cut

// Graph is a program cut into strongly connected blocks.
type Graph struct {
	Entry     string
	Blocks    string // the compiler's option blocks
	Guards    string
	Functions []Function
}

// Function is a template of the program.
type Function struct {
	Name  string
	Line  int      // of the Go source
	Does  string   // the words that go into and out of an instance, and what it calls
	Waits []string // notes on splits forced by its size, loops that wait, and reads of arrays
	Nodes []Node

	Farther []string // why its work may take longer on more PEs, and what to write instead
	Edges   []Edge
}

// Node is a strongly connected block, or a call, which stands for an instance elsewhere.
type Node struct {
	Name  string
	Call  bool
	Waits string // what the block waits for
	Cut   string // if this block waits for nothing: why the previous block ends here, or ""
	Lines []Line
	Words int  // instructions
	Ends  bool // it sends the function's result
	Items bool // it sends an item of a stream

	Begins []string // labels of the assembly text at which the block begins
}

// Line is a line of the program.
type Line struct {
	Number int // in its file
	Text   string
}

// Edge is a value in transit between two nodes of a function.
type Edge struct {
	From, To int
	Kind     EdgeKind
}

// EdgeKind is the kind of a value in transit.
type EdgeKind string

// The kinds of edges.
const (
	EdgeSegment EdgeKind = "segment" // a request for an instance, and its segment
	EdgeRemote  EdgeKind = "remote"  // a request to a given PE, such as the owner of a piece, and the segment
	EdgeItem    EdgeKind = "item"    // a request to the sender of a channel, and the item
	EdgeArgs    EdgeKind = "arguments"
	EdgeResult  EdgeKind = "result"
	EdgeToken   EdgeKind = "token" // to a block of the same instance
	EdgeValue   EdgeKind = "value" // anything else that a block waits for
)

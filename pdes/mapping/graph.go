package mapping

// An Edge is the traffic from one LP to another.
type Edge struct {
	From, To int32
	Traffic  int64 // messages, in any unit that all edges share
}

// A Graph is the traffic between LPs.
type Graph struct {
	LPs   int
	Edges []Edge
	Scale int64 // the Traffic that means one message per slot; 0 if Traffic counts the messages of a run

	at [][]int32 // by LP: the indices of its edges, incoming and outgoing
}

// NewGraph returns a graph. Every edge must join two of its LPs.
func NewGraph(lps int, edges []Edge) *Graph {
	g := &Graph{LPs: lps, Edges: edges, at: make([][]int32, lps)}
	for i, e := range edges {
		g.at[e.From] = append(g.at[e.From], int32(i))
		if e.To != e.From {
			g.at[e.To] = append(g.at[e.To], int32(i))
		}
	}
	return g
}

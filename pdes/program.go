package pdes

import (
	"emsim/internal/base/lists"
	"emsim/internal/base/state"
	"emsim/pdes/banyan"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
)

// A logic is the program of an LP: in every slot it takes what its inputs carry and fills its outputs.
type logic interface {
	Slot() int64             // the slot that Take runs next
	Clocks(step int64) int64 // processor time of the slot that has run; step is Timing.Step
	Take(in, out []banyan.Slot)
	Queued() int // number of cells that the LP holds
	Counts() banyan.Counts
	Fold(h uint64) uint64 // adds the LP to the fingerprint of the run
	State(c *state.Codec)
}

// A program is what the LPs simulate: the banyan, or a user's own graph.
type program struct {
	channels  []channel // in order of the senders, and for each sender in the order of its outputs
	ins, outs [][]int32 // by LP: its channels
	// ahead says that a message is input of the slot after the one in which it was sent. So every channel begins with
	// an empty message, and cycles of LPs do not deadlock.
	ahead  bool
	start  func(lp int) logic
	clocks func(lp int, step int64) int64 // processor time of an LP's first slot; step is the machine's
	rate   func(channel int) int64        // a channel's traffic in that slot, see scale
	scale  int64                          // the rate that means one message per slot
}

// channel leads from an output of one LP to an input of another.
type channel struct {
	from, to      int32 // LPs
	output, input int32
}

// traffic returns what a slot of a channel adds to the kernel's count [004 §3, step 4]. In the banyan every message
// counts, even a null message. In a graph null messages do not count, because they do not belong to its rates.
func (pr *program) traffic(s banyan.Slot) int64 {
	if pr.ahead {
		return cellsIn(pr, s)
	}
	return 1
}

// cellsIn returns the number of messages that a slot of a channel carries.
func cellsIn(pr *program, s banyan.Slot) int64 {
	switch {
	case !s.Full:
		return 0
	case pr.ahead:
		return int64(s.Dst)
	}
	return 1
}

// LPs returns the number of logical processes.
func (pr *program) LPs() int { return len(pr.outs) }

// connect returns a program with channels between the given pairs of LPs. Channel i leads to input inputs[i] of its
// receiver. If inputs is nil, a receiver's inputs are numbered in the order of its channels.
func connect(lps int, ends [][2]int, inputs []int) *program {
	pr := &program{ins: make([][]int32, lps), outs: make([][]int32, lps)}
	for i, e := range ends {
		from, to := e[0], e[1]
		input := len(pr.ins[to])
		if inputs != nil {
			input = inputs[i]
		}
		for len(pr.ins[to]) <= input {
			pr.ins[to] = append(pr.ins[to], 0)
		}
		pr.ins[to][input] = int32(i)
		pr.channels = append(pr.channels,
			channel{from: int32(from), to: int32(to), output: int32(len(pr.outs[from])), input: int32(input)})
		pr.outs[from] = append(pr.outs[from], int32(i))
	}
	return pr
}

// banyanProgram returns the paper's program.
func banyanProgram(m *banyan.Model) *program {
	var ends [][2]int
	var inputs []int
	for lp := range m.LPs() {
		for k := 0; k < 2 && m.Stage(lp) < m.Stages-1; k++ {
			to, input := m.Next(lp, k)
			ends, inputs = append(ends, [2]int{lp, to}), append(inputs, input)
		}
	}
	pr := connect(m.LPs(), ends, inputs)
	pr.start = func(lp int) logic { return &element{banyan.NewSwitch(m, lp), m} }
	pr.clocks = func(_ int, step int64) int64 { return step }
	pr.rate, pr.scale = func(int) int64 { return 1 }, 1
	return pr
}

// element is a switch of the banyan as an LP.
type element struct {
	*banyan.Switch
	model *banyan.Model
}

func (e *element) Clocks(step int64) int64 { return step }

func (e *element) Take(in, out []banyan.Slot) {
	var entry [2]banyan.Slot
	copy(entry[:], in)
	exit := e.Step(e.model, entry)
	copy(out, exit[:])
}

// graphProgram returns a user's own program.
func graphProgram(g *lpgraph.Graph, seed uint64) *program {
	ends := lists.Of(g.Channels, func(c lpgraph.Channel) [2]int { return [2]int{c.From, c.To} })
	pr := connect(len(g.LPs), ends, nil)
	pr.ahead = true
	pr.start = func(lp int) logic { return g.Start(lp, seed) }
	pr.clocks = func(lp int, step int64) int64 { return g.ClocksOf(lp, 0, step) }
	pr.rate, pr.scale = func(c int) int64 { return g.RateOf(c, 0) }, million
	return pr
}

// program returns the program that the LPs of a run simulate.
func (c *Config) program() *program {
	if c.Graph != nil {
		return graphProgram(c.Graph, c.Banyan.Seed)
	}
	return banyanProgram(&c.Banyan)
}

// LPs returns the number of logical processes.
func (c *Config) LPs() int {
	if c.Graph != nil {
		return len(c.Graph.LPs)
	}
	return c.Banyan.LPs()
}

// Problem returns the mapping problem of the program: the traffic and the work of one slot. For a graph both are
// means over all slots of the run.
func (c *Config) Problem(w mapping.Weights) *mapping.Problem {
	of := *c
	if of.Graph != nil {
		of.Graph = of.Graph.Mean(0, max(1, c.Slots), c.Timing.Step)
	}
	pr := of.program()
	edges, work := make([]mapping.Edge, len(pr.channels)), c.handling(len(pr.outs), len(pr.channels))
	for i, ch := range pr.channels {
		edges[i] = mapping.Edge{From: ch.from, To: ch.to, Traffic: pr.rate(i)}
		c.Timing.handle(work, i, 1, c.creditAt())
	}
	for lp := range pr.outs {
		work.Clocks[lp] = float64(pr.clocks(lp, c.Timing.Step))
	}
	g := mapping.NewGraph(pr.LPs(), edges)
	g.Scale = pr.scale
	return mapping.NewProblem(g, c.Net, w).With(work)
}

// creditAt returns the number of messages taken before a credit is returned.
func (c *Config) creditAt() int64 { return (c.Window + 1) / 2 }

func (c *Config) handling(lps, channels int) *mapping.Work {
	return &mapping.Work{Clocks: make([]float64, lps), Ends: make([][2]float64, channels)}
}

// handle sets the cost of a channel's packets for its two PPs, if they differ. One PP sends the packets and receives
// their credits; the other does the reverse.
func (t *Timing) handle(w *mapping.Work, channel int, packets, creditAt int64) {
	n, credits := float64(packets), float64(packets)/float64(creditAt)
	send, receive := float64(t.Send), float64(t.Receive)
	w.Ends[channel] = [2]float64{float64(n*send) + float64(credits*receive), float64(n*receive) + float64(credits*send)}
}

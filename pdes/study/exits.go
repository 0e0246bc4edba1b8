package study

import "emsim/pdes/banyan"

// Exits describes where the cells of a banyan left it.
type Exits struct {
	Sunk   int64  // cells that left
	Astray int64  // cells that left on the wrong line
	Hash   uint64 // fingerprint of the run, as computed by the machine
}

// ExitsOf steps the LPs of the machine's program, stage after stage and without a machine. It follows every cell to
// the line on which it leaves.
func ExitsOf(m *banyan.Model, slots int) Exits { return exits(m, slots, m.Next) }

// exits works like ExitsOf, with lines that may differ from the model's.
func exits(m *banyan.Model, slots int, follow func(lp, k int) (next, input int)) Exits {
	var e Exits
	lps := make([]*banyan.Switch, m.LPs())
	in := make([][2]banyan.Slot, m.LPs())
	for id := range lps {
		lps[id] = banyan.NewSwitch(m, id)
	}
	for range slots {
		for id, lp := range lps { // in order of stages: a cell passes later stages in the same slot
			for k, out := range lp.Step(m, in[id]) {
				if m.Stage(id) < m.Stages-1 {
					next, input := follow(id, k)
					in[next][input] = out
					continue
				}
				if !out.Full {
					continue
				}
				e.Sunk++
				if int(out.Dst) != 2*m.Place(id)+k {
					e.Astray++
				}
			}
		}
	}
	e.Hash = banyan.Fingerprint(lps)
	return e
}

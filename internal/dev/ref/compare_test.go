package ref_test

import (
	"cmp"
	"context"
	"slices"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/dev/ref"
	"emsim/packet"
	"emsim/programs"
)

// outcome holds everything about a run that timing cannot change.
type outcome struct {
	Words        []uint64
	Calls        uint64
	Instructions uint64
	Blocks       uint64
	Sent         uint64
	Segments     []int // operand segments in use at the end, by PE
	Waiting      []operand
	Memory       [][]uint64 // data and space words of the program, by PE
}

type operand struct {
	PE           int
	Displacement uint32
	Have         string
	Data         uint64
}

// dataWords returns the addresses of a program's data and space.
func dataWords(o *asm.Object) []uint32 {
	var list []uint32
	for _, s := range o.Sections {
		if s.Kind != asm.Code {
			for a := s.Start; a < s.End(); a++ {
				list = append(list, a)
			}
		}
	}
	return list
}

func sortOperands(list []operand) {
	slices.SortFunc(list, func(a, b operand) int {
		return cmp.Or(cmp.Compare(a.PE, b.PE), cmp.Compare(a.Displacement, b.Displacement), cmp.Compare(a.Have, b.Have),
			cmp.Compare(a.Data, b.Data))
	})
}

// machine returns a timed machine that has booted.
func machine(o *asm.Object, c em4.Config, seed uint64) (*em4.Machine, error) {
	p, err := programs.Load(o)
	if err != nil {
		return nil, err
	}
	m, err := em4.New(c, p, seed)
	if err != nil {
		return nil, err
	}
	return m, m.Boot(context.Background(), 1_000_000)
}

// runTimed runs a timed machine until it has drained.
func runTimed(m *em4.Machine, o *asm.Object, args ...uint64) (outcome, error) {
	r, err := m.Run(context.Background(), args, em4.RunOptions{MaxClocks: 100_000_000})
	out := outcome{Words: r.Words}
	mask := ^uint64(0) >> (64 - format(m.Config().PEs).DataBits)
	for i := range m.Config().PEs {
		p := m.PE(i)
		out.Calls += p.Calls
		out.Instructions += p.Instructions
		out.Blocks += p.Blocks
		out.Sent += p.Sent
		out.Segments = append(out.Segments, p.SegmentsInUse())
		var words []uint64
		for _, a := range dataWords(o) {
			words = append(words, p.Memory().Read(a)&mask)
		}
		out.Memory = append(out.Memory, words)
	}
	for _, w := range m.HalfMatched(1 << 20) {
		pe := int(w.PE.GA)*(kOf(m.Config().PEs)+1) + int(w.PE.CA)
		out.Waiting = append(out.Waiting, operand{pe, w.Displacement, w.Have, w.Data})
	}
	sortOperands(out.Waiting)
	return out, err
}

// runUntimed does one run of the reference.
func runUntimed(m *ref.Machine, o *asm.Object, args ...uint64) (outcome, error) {
	r, err := m.Run(args...)
	out := outcome{Words: r.Words, Calls: r.Calls, Instructions: r.Instructions, Blocks: r.Blocks, Sent: r.Sent}
	for i := range m.PEs {
		out.Segments = append(out.Segments, m.SegmentsInUse(i))
		var words []uint64
		for _, a := range dataWords(o) {
			words = append(words, m.Memory(i, a))
		}
		out.Memory = append(out.Memory, words)
	}
	for _, w := range r.Waiting {
		out.Waiting = append(out.Waiting, operand{w.PE, w.Displacement, w.Have.String(), w.Data})
	}
	sortOperands(out.Waiting)
	return out, err
}

func kOf(pes int) int {
	k := 1
	for (k+1)<<k < pes {
		k++
	}
	return k
}

func format(pes int) packet.Format { return packet.FormatFor(kOf(pes)) }

// prototype returns the prototype with another number of PEs.
func prototype(pes int) em4.Config {
	c := em4.Prototype80()
	c.PEs = pes
	return c
}

// orders returns options for the order of packets, n for each combination.
func orders(n int) []ref.Options {
	var list []ref.Options
	for seed := range uint64(n) {
		for pick := range ref.Picks {
			list = append(list, ref.Options{Seed: seed, Pick: pick})
		}
	}
	return list
}

func assembleText(text string) (*asm.Object, error) {
	o, _, err := asm.Assemble("test.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	return o, err
}

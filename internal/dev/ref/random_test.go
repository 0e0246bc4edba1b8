package ref_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/em4"
	"emsim/internal/dev/randprog"
	"emsim/internal/dev/ref"
	"emsim/omega"
)

// anyOrder draws an order of packets that the program allows.
func anyOrder(t *rapid.T, p *randprog.Program) ref.Options {
	return ref.Options{
		Seed:      rapid.Uint64().Draw(t, "order"),
		Pick:      rapid.SampledFrom([]ref.Pick{ref.Fair, ref.Starve, ref.Newest}).Draw(t, "pick"),
		Unordered: !p.PairFIFO && rapid.Bool().Draw(t, "unordered"),
	}
}

// settled removes everything that order or placement may change for this program.
func settled(o outcome, p *randprog.Program, unordered bool) outcome {
	if !p.Ordered || unordered {
		o.Words = slices.Clone(o.Words)
		slices.Sort(o.Words)
	}
	if p.Dynamic {
		o.Instructions, o.Blocks, o.Sent, o.Segments, o.Waiting = 0, 0, 0, nil, nil
	}
	return o
}

// differential runs one program on the machine and, in several orders, on the reference, twice in a row. It returns the
// first difference.
func differential(p *randprog.Program, c em4.Config, orders []ref.Options) (first outcome, err error) {
	o, err := assembleText(p.Text)
	if err != nil {
		return outcome{}, err
	}
	const seed = 12345
	m, err := machine(o, c, seed)
	if err != nil {
		return outcome{}, err
	}
	var want []outcome
	for range 2 {
		w, err := runTimed(m, o, p.Args...)
		if err != nil {
			return w, fmt.Errorf("machine: %w", err)
		}
		want = append(want, w)
	}
	for _, opt := range orders {
		opt.PEs, opt.ProgramSeed, opt.SegmentWords, opt.Segments = c.PEs, seed, c.SegmentWords, c.Segments
		r, err := ref.New(o, opt)
		if err != nil {
			return want[0], err
		}
		if err := r.Boot(); err != nil {
			return want[0], fmt.Errorf("reference, init, %+v: %w", opt, err)
		}
		for i := range want {
			got, err := runUntimed(r, o, p.Args...)
			if err != nil {
				return want[0], fmt.Errorf("reference, run %d, %+v: %w", i+1, opt, err)
			}
			w, g := settled(want[i], p, opt.Unordered), settled(got, p, opt.Unordered)
			if d := cmp.Diff(w, g); d != "" {
				return want[0], fmt.Errorf("run %d, %+v (- machine, + reference):\n%s", i+1, opt, d)
			}
		}
	}
	return want[0], nil
}

// Random programs give the same results on the machine and in any order: host words, memory, remaining operands and,
// with static placement, the counts.
func TestRandomProgramsEqualMachine(t *testing.T) {
	for _, pes := range []int{4, 80} {
		t.Run(fmt.Sprint(pes), func(t *testing.T) {
			var f figures
			f.hundred(t, randprog.Medium, pes, 3)
			t.Log(f)
		})
	}
}

// figures holds totals over random programs on the machine.
type figures struct{ programs, calls, instructions, packets uint64 }

// String returns the totals as text.
func (f figures) String() string {
	return fmt.Sprintf("%d programs, %d calls, %d instructions, %d packets", f.programs, f.calls, f.instructions,
		f.packets)
}

// hundred compares a hundred programs, or the number in the flag rapid.checks, in the given number of orders each.
func (f *figures) hundred(t *testing.T, s randprog.Size, pes, orders int) {
	rapid.Check(t, func(t *rapid.T) {
		p := randprog.Gen(s).Draw(t, "program")
		c := randprog.Machine(t, pes)
		c.Banks = omega.Banks // so that there are no deadlocks
		var list []ref.Options
		for range orders {
			list = append(list, anyOrder(t, p))
		}
		o, err := differential(p, c, list)
		if err != nil {
			t.Fatal(err)
		}
		f.programs++
		f.calls += o.Calls
		f.instructions += o.Instructions
		f.packets += o.Sent
	})
}

// On large machines, some of them with 64-bit words, the programs of a few seeds give the same results.
func TestRandomProgramsOnLargeMachines(t *testing.T) {
	for pes, programs := range map[int]int{1024: 2} {
		calls, seed := uint64(0), 0
		for done := 0; done < programs; seed++ {
			p := randprog.FromSeed(randprog.Medium, seed)
			if p.Calls < 10 { // programs that hardly leave [0,0] are tested on small machines
				continue
			}
			done++
			orders := []ref.Options{{Seed: 1}, {Seed: 2, Pick: ref.Starve}}
			got, err := differential(p, prototype(pes), orders)
			require.NoError(t, err, "%d PEs, seed %d\n%v", pes, seed, p)
			calls += got.Calls
		}
		t.Logf("%d PEs: %d programs, %d calls", pes, programs, calls)
	}
}

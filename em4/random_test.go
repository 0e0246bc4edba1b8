package em4_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/dev/randprog"
	"emsim/omega"
	"emsim/programs"
)

// account checks invariants at every clock: packets are conserved, every PE counts every clock as one activity, and
// queues keep their bounds.
func account(t *rapid.T, m *em4.Machine, c em4.Config, start uint64, args int) {
	made, consumed := uint64(args-m.Unfed()), uint64(len(m.Net.HostWords()))
	for i := range c.PEs {
		p := m.PE(i)
		made += p.Sent
		consumed += p.Consumed
		clocks := uint64(0)
		for _, n := range p.Clocks {
			clocks += n
		}
		if clocks != m.Clock()-start {
			t.Fatalf("clock %d: PE %d counts %d clocks as one of the states, %d have passed", m.Clock(), i, clocks,
				m.Clock()-start)
		}
		if u := p.IBU(); u.FIFOWords() > c.FIFOWords || u.MIBWords() > c.MIBWords {
			t.Fatalf("clock %d: the input buffer of PE %d holds %d + %d words", m.Clock(), i, u.FIFOWords(),
				u.MIBWords())
		}
	}
	if m.Clock()%16 == 0 {
		if err := m.Check(); err != nil {
			t.Fatalf("clock %d: %v", m.Clock(), err)
		}
	}
	if in := uint64(m.InFlight()); made != consumed+in {
		t.Fatalf("clock %d: %d packets were made, %d consumed, %d are in flight", m.Clock(), made, consumed, in)
	}
}

// inStep runs a program clock by clock on four machines: a scheduled one, an eager one, one with its units in random
// order, and a scheduled one that is rarely inspected, so that its PEs lag. It returns the number of clocks, and of
// packets that went through a MIB.
func inStep(t *rapid.T, c em4.Config, o *asm.Object, args []uint64, order uint64) (clocks, spilled uint64) {
	prog, err := programs.Load(o)
	if err != nil {
		t.Fatal(err)
	}
	var all [4]*em4.Machine
	for i := range all {
		if all[i], err = em4.New(c, prog, 1); err != nil {
			t.Fatal(err)
		}
	}
	names := [...]string{"fast", "plain", "shuffled", "late"}
	fast, plain, shuffled, late := all[0], all[1], all[2], all[3]
	plain.SetEager(true)
	r := rand.New(rand.NewPCG(order, 1))
	var want, got []byte
	run := func(args int) (ended bool) {
		start := fast.Clock()
		for quiet := 0; quiet < 10; quiet++ {
			if !fast.Quiet() {
				quiet = 0
			}
			fast.Step()
			plain.Step()
			shuffled.StepShuffled(r.Perm)
			late.Step()
			want = content(fast, want)
			for i, m := range all[1:] {
				if m == late && r.IntN(20) > 0 {
					continue
				}
				if got = content(m, got); !bytes.Equal(got, want) {
					t.Fatalf("after clock %d the %s machine differs from the fast one: %s", fast.Clock(), names[i+1],
						em4.Difference(fast, m))
				}
			}
			account(t, fast, c, start, args)
			if c.Banks < omega.Banks && fast.Clock() > start+10_000 {
				return false // it may be a deadlock, in which all machines stand still
			}
			if fast.Clock() > 2_000_000 {
				t.Fatalf("the program does not end:\n%v", fast.Explain(20))
			}
		}
		for i := range c.PEs {
			if f := fast.PE(i).Fault(); f != nil {
				t.Fatal(f)
			}
		}
		return true
	}
	for _, m := range all {
		m.StartInit()
	}
	if run(0) {
		for _, m := range all {
			if err := m.Start(args); err != nil {
				t.Fatal(err)
			}
		}
		run(len(args))
	}
	for i := range c.PEs {
		spilled += fast.PE(i).IBU().Spilled
	}
	return fast.Clock(), spilled
}

// stepped sums the statistics of random programs.
type stepped struct{ programs, clocks, spilled uint64 }

// hundred steps a hundred random programs on random machines, or as many as the flag rapid.checks says.
func (s *stepped) hundred(t *testing.T, size randprog.Size, pes int) {
	rapid.Check(t, func(t *rapid.T) {
		p := randprog.Gen(size).Draw(t, "program")
		o, _, err := asm.Assemble("random.s",
			asm.Options{Open: func(string) ([]byte, error) { return []byte(p.Text), nil }})
		if err != nil {
			t.Fatal(err)
		}
		c := randprog.Machine(t, pes)
		clocks, spilled := inStep(t, c, o, p.Args, rapid.Uint64().Draw(t, "order"))
		s.programs++
		s.clocks += clocks
		s.spilled += spilled
	})
}

// Random programs on random machines have equal states at every clock, whatever the order in which the units are
// stepped. No packet is lost or duplicated.
func TestRandomProgramsInStep(t *testing.T) {
	var s stepped
	s.hundred(t, randprog.Medium, 4) // the slow test has larger machines
	t.Logf("%+v", s)
}

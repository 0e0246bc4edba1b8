package banyan

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/dev/golden"
	"emsim/pdes/oracle"
)

// sequence runs a banyan without a machine: a slot of every LP, stage by stage. It calls watch for each slot of each
// LP.
func sequence(m *Model, slots int, watch func(slot int, s *Switch, in, out [2]Slot)) []*Switch {
	var lps []*Switch
	for id := range m.LPs() {
		lps = append(lps, NewSwitch(m, id))
	}
	for slot := range slots {
		in := make([][2]Slot, m.LPs())
		for id, s := range lps {
			out := s.Step(m, in[id])
			if watch != nil {
				watch(slot, s, in[id], out)
			}
			if m.Stage(id) == m.Stages-1 {
				continue
			}
			for k := range 2 {
				next, input := m.Next(id, k)
				in[next][input] = out[k]
			}
		}
	}
	return lps
}

// LPs run in sequence equal the oracle's tables of lines cell by cell, for any banyan: every fingerprint and count is
// the same.
func TestSequenceIsTheOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Model{
			Stages: rapid.IntRange(1, 5).Draw(t, "stages"),
			Wiring: rapid.SampledFrom(Wirings()).Draw(t, "wiring"),
			Load:   float64(rapid.IntRange(0, 10).Draw(t, "load")) / 10,
			Queue:  rapid.SampledFrom([]int{0, 1, 2, 3, 8}).Draw(t, "queue"),
			Seed:   rapid.Uint64().Draw(t, "seed"),
		}
		slots := rapid.IntRange(0, 150).Draw(t, "slots")
		lps := sequence(&m, slots, nil)
		got := oracle.Result{Hash: Fingerprint(lps)}
		var sum Counts
		for _, s := range lps {
			require.EqualValues(t, slots, s.Slot())
			sum = sum.Add(s.Counts())
			got.Queued += int64(s.Queued())
		}
		got.Injected, got.Drops, got.Sunk, got.Delay = sum.Injected, sum.Drops, sum.Sunk, sum.Delay
		want, err := oracle.Run(context.Background(), m.Stages, string(m.Wiring), m.Load, m.Queue, m.Seed, int64(slots))
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// Cells enter, wait and leave as recorded, slot by slot.
func TestSlots(t *testing.T) {
	golden.Script(t, "slots.txt", func(c golden.Case) string {
		m := Default(2)
		slots := 5
		for _, a := range c.Args {
			n, _ := strconv.Atoi(a.Value)
			switch a.Key {
			case "stages":
				m.Stages = n
			case "queue":
				m.Queue = n
			case "wiring":
				m.Wiring = Wiring(a.Value)
			case "load":
				m.Load, _ = strconv.ParseFloat(a.Value, 64)
			case "slots":
				slots = n
			case "seed":
				m.Seed = uint64(n)
			}
		}
		if c.Cmd == "wires" {
			return wires(&m)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "slot LP   in            out           waiting drops\n")
		lps := sequence(&m, slots, func(slot int, s *Switch, in, out [2]Slot) {
			fmt.Fprintf(&b, "%4d %-4s %-13s %-13s %7d %5d\n", slot, m.Name(s.ID), cells(in), cells(out), s.Queued(),
				s.Counts().Drops)
		})
		var sum Counts
		for _, s := range lps {
			sum = sum.Add(s.Counts())
		}
		fmt.Fprintf(&b, "%+v fingerprint %016x\n", sum, Fingerprint(lps))
		return b.String()
	})
}

// cells formats the two lines of a switch as source>destination@slot of birth.
func cells(lines [2]Slot) string {
	var words []string
	for _, s := range lines {
		w := "-"
		if s.Full {
			w = fmt.Sprintf("%d>%d@%d", s.Src, s.Dst, s.Born)
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// wires formats the targets of each switch's outputs, one stage per line.
func wires(m *Model) string {
	var b strings.Builder
	for lp := range m.LPs() - m.PerStage() {
		var to [2]string
		for k := range to {
			next, input := m.Next(lp, k)
			to[k] = fmt.Sprintf("%s:%d", m.Name(next), input)
		}
		fmt.Fprintf(&b, "%s > %s %s", m.Name(lp), to[0], to[1])
		if m.Place(lp) == m.PerStage()-1 {
			b.WriteString("\n")
		} else {
			b.WriteString(" | ")
		}
	}
	return b.String()
}

func TestNumbers(t *testing.T) {
	m := Default(4)
	require.Equal(t, Model{Stages: 4, Wiring: Omega, Load: 0.8, Queue: 8, Seed: 1}, m)
	require.Equal(t, []int{16, 8, 32}, []int{m.Lines(), m.PerStage(), m.LPs()})
	require.Equal(t, []int{2, 5}, []int{m.Stage(21), m.Place(21)})
	require.Equal(t, "2.5", m.Name(21))
	// The highest bit of the destination decides first.
	for stage, want := range []int{1, 0, 1, 1} {
		require.Equal(t, want, m.Output(stage, Cell{Dst: 0b1011}))
	}
	require.Equal(t, Counts{5, 7, 9, 11}, Counts{1, 2, 3, 4}.Add(Counts{4, 5, 6, 7}))
}

// Cells enter in a fraction of slots equal to the load: a draw equal to the load gives no cell.
func TestDrawAtTheLoad(t *testing.T) {
	s := source(5, 3)
	for range 20 {
		peek := s
		u := peek.Unit()
		at, above := s, s
		_, ok := drawCell(&at, u, 8)
		require.False(t, ok)
		_, ok = drawCell(&above, u+1e-9, 8)
		require.True(t, ok)
		s.Next()
	}
}

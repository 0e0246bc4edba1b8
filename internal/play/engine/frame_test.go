package engine

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/emcr"
	"emsim/mlpe"
	"emsim/omega"
	"emsim/packet"
)

// Network describes the current machine: its switches and its knobs.
func TestNetwork(t *testing.T) {
	x := fib
	x.Sets = map[string]string{"hop_clocks": "2", "fifo_words": "16", "mib_words": "512"}
	s := opened(t, x)
	n := s.network()
	require.Equal(t, []int{4, 3, 2, 16, 512}, []int{n.Groups, n.Members, n.HopClocks, n.FIFOWords, n.MIBWords})
	require.Len(t, n.Next, 12)
	in := map[int]int{}
	for _, next := range n.Next {
		in[next[0]]++
		in[next[1]]++
	}
	for pe := range 12 {
		require.Equal(t, 2, in[pe], "two links lead to a PE")
		require.Equal(t, pe/3, n.Next[pe][omega.InGroup]/3)
	}
}

// Every packet is drawn at its place in the machine.
func TestPackets(t *testing.T) {
	x := fib
	x.Params = map[string]string{"mlpe": "on"}
	s := opened(t, x)
	kinds := map[string]bool{}
	intakes, waits := 0, 0
	for f := s.Frame(); !f.Ended; {
		f = do(t, s, "step").Frame
		i := 0
		check := func(pk *packet.Packet, want Moving) {
			want.Kind, want.To, want.Best = "data", s.batch().Net.Index(pk.Dest), -1
			switch {
			case pk.ToHost:
				want.Kind = "host"
			case pk.Kind.Search():
				load, best := mlpe.FromPayload(s.batch().PE(0).Format(), pk.Data)
				want.Kind, want.Load, want.Best = "mlpe", int(load), s.batch().Net.Index(best)
			}
			kinds[want.Kind] = true
			require.NotEmpty(t, f.Packets[i].ID)
			want.ID = f.Packets[i].ID
			require.Equal(t, want, f.Packets[i])
			i++
		}
		left := func(ready uint64) uint64 { return max(ready, f.Clock+s.start) - f.Clock - s.start }
		for pe := range 12 {
			for _, slot := range s.batch().Net.Slots(pe, f.Clock+s.start) {
				check(&slot.Packet, Moving{
					PE: pe, In: slot.Input, Out: slot.Output, Left: left(slot.Ready),
					Wait: slot.Stuck(),
				})
				if slot.Stuck() {
					waits++
				}
			}
			if pins := s.batch().PE(pe).Pins(); pins.InFull {
				intakes++
				check(&pins.In, Moving{PE: pe, In: 3, Out: 2, Left: left(pins.InReady)})
			}
		}
		require.Len(t, f.Packets, i)
	}
	require.Len(t, kinds, 3)
	require.Positive(t, intakes)
	require.Positive(t, waits)
}

// A PE is shown as spilling while its IBU uses the memory, unless its EXU waits for the switch.
func TestSpilling(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12})
	seen := map[[3]bool]bool{}
	for range 500 {
		f := do(t, s, "step 3").Frame
		for pe := range 12 {
			p := s.batch().PE(pe)
			b := p.IBU()
			transfer, wants, blocked := b.TransferName() != "", b.Request(p.Pins(), f.Clock+s.start).UsesMemory(),
				s.d.Activity(pe) == 'W'
			seen[[3]bool{transfer, wants, blocked}] = true
			require.Equal(t, (transfer || wants) && !blocked, f.State[pe] == 'S')
			if f.State[pe] != 'S' {
				require.EqualValues(t, s.d.Activity(pe), f.State[pe])
			}
		}
	}
	require.True(t, seen[[3]bool{true, false, false}] || seen[[3]bool{false, true, false}], "%v", seen)
}

// The result agrees with the run, and its times use the machine's own clock.
func TestResult(t *testing.T) {
	x := fib
	x.Args, x.Sets = []string{"14"}, map[string]string{"clock_ns": "40"}
	s := opened(t, x)
	require.Nil(t, do(t, s, "step").Frame.Result)
	f := do(t, s, "continue").Frame
	total := s.batch().Current.Result().Totals
	require.Equal(t, total.Clocks, f.Result.Clocks)
	require.InDelta(t, float64(f.Result.Clocks)*40e-6, f.Result.TimeMS, 1e-12)
	require.Equal(t, total.Utilisation(), f.Result.Utilisation)
	require.Equal(t, []uint64{total.Instructions, total.Calls, total.Sent, total.Spilled},
		[]uint64{f.Result.Instructions, f.Result.Calls, f.Result.Packets, f.Result.Spilled})
	for i, share := range f.Result.States {
		require.Equal(t, total.Share(emcr.Activity(i)), share)
	}
	sum := func(list []uint64) (n uint64) {
		for _, x := range list {
			n += x
		}
		return n
	}
	require.Equal(t, f.Result.Calls, sum(f.Calls))
	require.Equal(t, f.Result.Spilled, sum(f.Spilled))
	require.Positive(t, f.Result.Spilled)
	require.Empty(t, f.Failed)
	require.Nil(t, f.Circle)
}

// A failed run shows its failure; for a deadlock it shows the cycle of switches.
func TestFailures(t *testing.T) {
	f := do(t, opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12, Sets: map[string]string{"banks": "1"}}),
		"continue").Frame
	require.True(t, f.Ended)
	require.Equal(t, "deadlock", f.Failed)
	require.Equal(t, []int{0, 1, 2}, f.Circle)
	require.NotNil(t, f.Result)
	f = do(t, opened(t, faulty), "continue").Frame
	require.Equal(t, emcr.ProgramError, f.Failed)
	require.Contains(t, f.Failure, "structure of 0 words")
	require.Empty(t, f.Circle)
}

// The host's words are formatted as Go prints values of the program's type; if there are many, only the first are
// shown.
func TestHostWords(t *testing.T) {
	require.Equal(t, 64, mostWords)
	s := opened(t, own(".start x\nx: mov r3, 0\nmore: out r3\n add r3, r3, 1\n mov r4, 70\n bne r3, r4, more\n nop!\n"))
	require.Equal(t, "none", s.Frame().Answer)
	for f := s.Frame(); !f.Ended; f = do(t, s, "step").Frame {
		want := ""
		for i := range min(f.AllWords, mostWords) {
			want += fmt.Sprintf("%d ", i)
		}
		if f.AllWords > mostWords {
			want += fmt.Sprintf("... %d words", f.AllWords)
		}
		require.Equal(t, cmp.Or(strings.TrimSpace(want), "none"), f.Answer)
	}
	require.Equal(t, 70, s.Frame().AllWords)
	s = opened(t, own(".start x\n.result []float32\nx: ld r1, r0, f\n out r1\n out! r0\nf: .float 1.5\n"))
	require.Equal(t, "[1.5 0]", do(t, s, "continue").Frame.Answer)
}

package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/inspect/debug"
)

// A PE of faulty fails. flooding gets packets faster than it can process them.
var (
	faulty   = own(".start x\nx: getstr! r3, r0\n")
	flooding = own(".start x\nx: mov r3, 200\nmore: send.d r1, fp, slow\n sub r3, r3, 1\n bne r3, r0, more\n " +
		"nop!\nslow: div! r3, r1, r1\n")
)

// own returns the setup of a user's own program.
func own(text string) Setup {
	return Setup{Main: "a.s", PEs: 12, Files: map[string]string{"a.s": text}}
}

// An opened PE shows why it waits, with the same reason as the debugger's command.
func TestInside(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12})
	waits := map[string]bool{}
	for range 60 {
		do(t, s, "step 20")
		for pe := range 12 {
			x, err := s.Inside(pe)
			require.NoError(t, err)
			text := do(t, s, fmt.Sprintf("units %s", x.PE)).Text
			for _, u := range x.Units {
				require.Contains(t, text, u.Does)
				if u.Waits != "" {
					require.Contains(t, x.Why, "The "+u.Name+" waits for "+u.Waits)
					waits[u.Waits] = true
				}
			}
			require.Regexp(t, `^The (EXU (is idle|runs|holds|is at)|[A-Z]+ waits for)\b`, x.Why)
			require.Len(t, x.Registers, 16)
			if x.Code.When != "" {
				require.NotEmpty(t, x.Code.File)
				require.Positive(t, x.Code.Line)
			}
		}
	}
	require.True(t, waits["the switch"])
	require.True(t, waits["the memory port, which the IBU has"])
	_, err := s.Inside(12)
	require.ErrorContains(t, err, "there is no PE 12: the machine has 0 to 11")
	_, err = s.Inside(7)
	require.NoError(t, err)
	x := do(t, s, "units")
	require.Contains(t, x.Text, "PE [2,1], number 7")
	require.Equal(t, 7, x.Frame.Chosen, "the console speaks of the opened PE")
}

// The contents of an opened PE match the machine and the debugger.
func TestInsideIsThePE(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12})
	whens := map[string]bool{}
	for range 60 {
		f := do(t, s, "step 13").Frame
		for pe := range 12 {
			x, err := s.Inside(pe)
			require.NoError(t, err)
			p := s.batch().PE(pe)
			require.Equal(t, pe, s.d.Chosen())
			require.Equal(t, pe, x.Number)
			require.Equal(t, f.State[pe:pe+1], x.State)
			require.Equal(t, []int{f.Load[pe], f.FIFO[pe], f.MIB[pe], f.Segments[pe], f.Operands[pe]},
				[]int{x.Load, x.FIFOWords, x.MIBWords, x.InUse, x.Operands})
			require.Equal(t, Counts{p.Instructions, p.Calls, p.Sent, p.IBU().Spilled, p.Clocks}, x.Counts)
			require.Equal(t, !p.EXU().Busy, x.Left)
			require.Equal(t, x.Left, x.Code.When != "now")
			require.Equal(t, s.d.Specials(pe), x.Specials)
			queues := s.d.Queues(pe)
			if queues.Coming != nil {
				clock := *queues.Coming - s.start
				queues.Coming = &clock
			}
			require.Equal(t, queues, x.Queues)
			require.Zero(t, x.Cut)
			require.Len(t, x.Segments, min(x.InUse, mostSegments))
			require.Equal(t, x.InUse > mostSegments, x.MoreSegments)
			whens[x.Code.When] = true
			switch x.Code.When {
			case "now":
				require.Equal(t, s.d.Instruction(p.EXU().PC), x.Code.Text)
			case "next":
				require.Equal(t, s.d.Instruction(p.FMU().PC), x.Code.Text)
			case "last":
				require.Equal(t, s.d.Instruction(p.EXU().Last), x.Code.Text)
			case "":
				require.Equal(t, Code{}, x.Code)
				require.Zero(t, x.Counts.Instructions)
			}
			require.NotContains(t, x.Code.File, libraryFolder)
		}
	}
	require.Equal(t, map[string]bool{"now": true, "next": true, "last": true, "": true}, whens)
}

// A long queue is truncated, and the rest is counted.
func TestCut(t *testing.T) {
	require.Equal(t, []int{32, 64}, []int{mostSegments, mostPackets})
	s := opened(t, flooding)
	for _, clocks := range []int{300, 100, 100, 100} {
		do(t, s, fmt.Sprintf("step %d", clocks))
		all := s.d.Queues(0).MIB
		x, err := s.Inside(0)
		require.NoError(t, err)
		require.Equal(t, max(0, len(all)-mostPackets), x.Cut)
		require.Equal(t, all[:min(len(all), mostPackets)], x.Queues.MIB)
		if len(all) > 0 {
			require.Equal(t, all[len(all)-1].ID, x.Last, "the last one may be cut")
		}
	}
	require.Greater(t, len(s.d.Queues(0).MIB), mostPackets)
}

// A waiting PE shows what it waits for. An idle EXU's reason comes first, and a fault before all else.
func TestWhy(t *testing.T) {
	s := opened(t, faulty)
	p := s.batch().PE(0)
	for _, c := range []struct{ exu, exuWaits, fmuWaits, want string }{
		{"runs add", "", "", "The EXU runs add."},
		{"idle, and idle", "", "", "The EXU is idle, and idle."},
		{"idle", "", "the port", "The EXU is idle. The FMU waits for the port."},
		{"runs add", "", "the port", "The FMU waits for the port."},
		{"sends", "the switch", "the port", "The EXU waits for the switch. The FMU waits for the port."},
	} {
		units := []debug.Unit{{Name: "EXU", Does: c.exu, Waits: c.exuWaits}, {Name: "FMU", Waits: c.fmuWaits}}
		require.Equal(t, c.want, whyWaiting(units, p))
	}
	end := do(t, s, "continue").Frame
	require.Equal(t, byte('!'), end.State[0])
	x, err := s.Inside(0)
	require.NoError(t, err)
	require.Equal(t, "!", x.State)
	require.Regexp(t, "^It has a fault: PE .*structure of 0 words", x.Why)
	x, err = s.Inside(1)
	require.NoError(t, err)
	require.NotContains(t, x.Why, "fault")
	_, err = s.Inside(-1)
	require.ErrorContains(t, err, "there is no PE -1")
}

// The debugger's commands for Go programs work in the page, and an opened PE shows its variables.
func TestInsideOfGo(t *testing.T) {
	s := opened(t, through(t, Setup{Main: "fib.go", Args: []string{"10"}, PEs: 12}))
	x, err := s.Inside(0)
	require.NoError(t, err)
	require.Empty(t, x.Locals)
	require.Contains(t, do(t, s, "break fib.go:15; continue").Text, "comes to fib.go:15  return fib(n-1) + fib(n-2)")
	x, err = s.Inside(0)
	require.NoError(t, err)
	require.Equal(t, []debug.Word{{Name: "n", Text: "10"}}, x.Locals)
	require.Contains(t, do(t, s, "line").Text, "fib.go:12 (inlined in line 15)  if n < 3 {")
	x, err = s.Inside(0)
	require.NoError(t, err)
	require.Equal(t, []debug.Word{{Name: "n", Text: "9"}}, x.Locals, "of the call")
	require.Contains(t, do(t, s, "delete; until +100; waiting").Text, "fib.go:15, for fib(n - 1) and fib(n - 2)")
}

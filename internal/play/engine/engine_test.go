package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/memlimit"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// opened returns a session with a program.
func opened(t testing.TB, x Setup) *Session {
	t.Helper()
	s := &Session{}
	a := s.Open(context.Background(), x)
	require.Empty(t, a.Error)
	require.NotNil(t, a.Frame)
	return s
}

// fib is the setup of fib 10 on 12 PEs.
var fib = Setup{Main: "fib.s", Args: []string{"10"}, PEs: 12}

// do executes a correct command.
func do(t testing.TB, s *Session, line string) *Moved {
	t.Helper()
	x, err := s.Do(context.Background(), line)
	require.NoError(t, err)
	require.Empty(t, x.Error, line)
	require.Empty(t, x.Stopped, line)
	return x
}

// At random clocks of every program the state equals the state of the command's machine.
func TestStatesAreTheCommands(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, p := range programs.List() {
		pes := 12
		var args []string
		for _, v := range p.Small[len(p.Small)-1] {
			args = append(args, fmt.Sprint(v))
		}
		spec := &run.Spec{
			Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: p.Name, Args: args, Seed: 1,
			Threads: 1,
		}
		target, err := spec.Build(context.Background())
		require.NoError(t, err, p.Name)
		b := run.New(target, run.Plan{Runs: 1, Window: 1})
		require.NoError(t, b.Begin())
		s := opened(t, Setup{Main: p.Name + ".s", Args: args, PEs: 12})
		end := do(t, s, "continue").Frame
		require.Empty(t, end.Failure)
		require.True(t, end.Ended)
		var clocks []uint64
		for range 100 {
			clocks = append(clocks, random.Uint64N(end.Clock+1))
		}
		slices.Sort(clocks)
		for i, clock := range clocks {
			require.NoError(t, b.Advance(context.Background(), clock))
			if i%20 == 0 { // sometimes also from a clock far ahead
				do(t, s, "goto +0")
			}
			do(t, s, fmt.Sprintf("goto %d", clock))
			want, _ := b.Hash(nil)
			got, err := s.Hash()
			require.NoError(t, err)
			require.Equal(t, want, got, "%s at clock %d", p.Name, clock)
		}
	}
}

// Errors in a program are reported with file, line and column. The session then has no machine, so that an old one is
// not mistaken for the program's.
func TestProblems(t *testing.T) {
	s := opened(t, fib)
	text, ok := programs.Source("fib.s")
	require.True(t, ok)
	changed := fib
	changed.Files = map[string]string{"fib.s": strings.Replace(text, "add     r3, r1, r2", "addd    r3, r1, r2", 1)}
	a := s.Open(context.Background(), changed)
	require.Len(t, a.Problems, 1)
	p := a.Problems[0]
	require.Equal(t, "fib.s", p.File)
	require.Equal(t, 5, p.Column)
	require.Contains(t, strings.Split(changed.Files["fib.s"], "\n")[p.Line-1], "addd")
	require.Contains(t, p.Message, "addd")
	require.Nil(t, a.Frame)
	require.Nil(t, s.Frame())
	_, err := s.Do(context.Background(), "step")
	require.ErrorContains(t, err, "no program is assembled")
	_, err = s.Inside(0)
	require.Error(t, err)

	library := fib
	library.Files = map[string]string{"lib/place.s": "oops\n"}
	a = s.Open(context.Background(), library)
	require.Equal(t, "lib/place.s", a.Problems[0].File)
	require.Equal(t, 1, a.Problems[0].Line)
	require.NotEmpty(t, a.Problems[0].Via, "the include that led there")

	for want, x := range map[string]Setup{
		`a machine has no knob "hops"`: {Main: "fib.s", Args: []string{"5"}, Sets: map[string]string{"hops": "1"}},
		"hop_clocks is 99, it must be 1..8": {
			Main: "fib.s", Args: []string{"5"},
			Sets: map[string]string{"hop_clocks": "99"},
		},
		"no circular omega network has 13": {Main: "fib.s", Args: []string{"5"}, PEs: 13},
		"the argument n of fib is 48":      {Main: "fib.s", Args: []string{"48"}},
		"fib takes 1 argument":             {Main: "fib.s"},
		`no parameter "polcy"`: {
			Main: "fib.s", Args: []string{"5"},
			Params: map[string]string{"polcy": "line"},
		},
		`there is no program "nothing.s"`:  {Main: "nothing.s"},
		`"none.s"`:                         {Main: "a.s", Files: map[string]string{"a.s": ".include \"none.s\"\n"}},
		"declares neither .arg nor .start": {Main: "a.s", Files: map[string]string{"a.s": "x: out! r1\n"}},
	} {
		a := s.Open(context.Background(), x)
		require.Contains(t, a.Error, want)
		require.Nil(t, a.Frame)
	}
}

// The answer for a valid program has everything that the page's menus and tabs need.
func TestOpened(t *testing.T) {
	s := &Session{}
	a := s.Open(context.Background(), fib)
	require.Empty(t, a.Error)
	var names []string
	for _, f := range a.Files {
		names = append(names, f.Name)
		require.NotEmpty(t, f.Text)
		require.Equal(t, f.Name == "fib.s", f.Own)
		require.False(t, f.Given)
	}
	require.Equal(t, []string{"fib.s", "lib/place.s", "lib/policy/ring.s", "lib/call.s"}, names)
	require.Equal(t, []Arg{{"n", 1, 47}}, a.Args)
	require.Contains(t, a.Labels, "got1")
	i := slices.IndexFunc(a.Params, func(p Param) bool { return p.Name == "policy" })
	require.Equal(t, "ring", a.Params[i].Chosen)
	require.Equal(t, programs.Policies(), a.Params[i].Values)
	require.Equal(t, 4, a.Network.Groups)
	require.Equal(t, 3, a.Network.Members)
	require.Equal(t, [2]int{1, 7}, a.Network.Next[0], "figure 1: [0,0] leads to [0,1] and [2,1]")

	own := Setup{
		Main: "my.s", Files: map[string]string{"my.s": ".include \"lib/port.s\"\n.start x\nx: out! r1\n"},
		PEs: 4,
	}
	own.PEs = 12
	a = s.Open(context.Background(), own)
	require.Empty(t, a.Error)
	require.Equal(t, "my.s", a.Files[0].Name)
	require.True(t, a.Files[0].Own)
	require.True(t, a.Files[0].Given)
}

// The numbers of a frame match the contents of the machine.
func TestFrame(t *testing.T) {
	s := opened(t, fib)
	f := do(t, s, "step 200").Frame
	b := s.batch()
	require.Len(t, f.State, 12)
	held := 0
	for i := range 12 {
		p := b.PE(i)
		require.Equal(t, p.IBU().FIFOWords(), f.FIFO[i])
		require.Equal(t, p.IBU().MIBWords(), f.MIB[i])
		require.Equal(t, int(p.Pins().LoadQ), f.Load[i])
		require.Equal(t, p.SegmentsInUse(), f.Segments[i])
		require.Equal(t, p.CountWaitingOperands(), f.Operands[i])
		held += p.PacketsHeld()
	}
	require.Equal(t, b.InFlight(), held+len(f.Packets))
	require.EqualValues(t, 200, f.Clock)
	back := do(t, s, "back 50").Frame
	require.EqualValues(t, 150, back.Clock)
	require.EqualValues(t, 200, back.Furthest)
	end := do(t, s, "continue").Frame
	require.True(t, end.Ended)
	require.Equal(t, "55", end.Answer)
	require.EqualValues(t, 109, end.Result.Calls)
	require.InDelta(t, 1, end.Result.States[0]+end.Result.States[1]+end.Result.States[2]+end.Result.States[3], 1e-9)
}

// A packet travels on a link for the number of clocks of a hop.
func TestPacketsMove(t *testing.T) {
	s := opened(t, fib)
	seen := map[uint64]bool{}
	searches := 0
	for range 300 {
		for _, p := range do(t, s, "step").Frame.Packets {
			if p.In < 2 {
				require.LessOrEqual(t, p.Left, uint64(2))
				seen[p.Left] = true
			}
			require.False(t, p.Wait && p.Left > 0)
		}
	}
	require.Len(t, seen, 3, "a hop takes three clocks, and the first of them has passed")
	mlpe := fib
	mlpe.Params = map[string]string{"mlpe": "on"}
	s = opened(t, mlpe)
	for range 300 {
		for _, p := range do(t, s, "step").Frame.Packets {
			if p.Kind == "mlpe" {
				searches++
				require.Less(t, p.Best, 12)
				require.GreaterOrEqual(t, p.Best, 0)
			}
		}
	}
	require.Positive(t, searches)
}

// The context of a command can end it, and the session can continue.
func TestCancel(t *testing.T) {
	s := opened(t, Setup{Main: "a.s", PEs: 12, Files: map[string]string{"a.s": ".start x\nx: jmp x\n"}})
	ctx, cancel := context.WithCancel(context.Background())
	yields := 0
	s.Yield = func() {
		require.NotNil(t, s.Frame())
		if yields++; yields == 2 {
			cancel()
		}
	}
	x, err := s.Do(ctx, "continue")
	require.NoError(t, err)
	require.Contains(t, x.Stopped, "stopped after")
	require.False(t, x.Frame.Ended)
	before := x.Frame.Clock
	require.Greater(t, before, s.start)
	require.Equal(t, before+5, do(t, s, "step 5").Frame.Clock)
}

// A program that floods the memory is stopped, and the session stays usable.
func TestFlood(t *testing.T) {
	s := opened(t, Setup{Main: "a.s", PEs: 12, Files: map[string]string{"a.s": ".start x\nx: out r1\n jmp x\n"}})
	s.MemoryLimit = memlimit.HeapBytes() + 6<<20
	x, err := s.Do(context.Background(), "continue")
	require.NoError(t, err)
	require.Contains(t, x.Stopped, "floods the memory of this page")
	require.NotNil(t, x.Frame)
	require.Greater(t, x.Frame.AllWords, mostWords)
	require.Regexp(t, `\.\.\. \d+ words$`, x.Frame.Answer)
	require.Empty(t, s.Open(context.Background(), fib).Error)
}

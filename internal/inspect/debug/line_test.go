package debug

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "emsim/internal/dev/garbage"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/run"
)

// goSpec returns the specification of a program in Go on 12 PEs.
func goSpec(name string, args ...string) *run.Spec {
	if program, ok := strings.CutSuffix(name, ".s"); ok {
		return spec(program, args...)
	}
	return spec("../../../programs/go/"+name+"/"+name+".go", args...)
}

// goSessions lists programs in Go with commands whose answers are recorded, including errors.
var goSessions = []struct {
	program []string
	lines   string
}{
	{[]string{"fib", "6"}, `
		break fib.go:15; continue; line; line; line; over; over; back 3; over; goto +0; continue; delete; out; goto +0; until +60; line; out; until +60; line [2,1]; out; over; back; stops
		break fib.go:15 if r5 == 3; continue; next; delete; goto +0; break fib.go:12 [0,0] times 2; continue; continue; delete; break fib.go:11; continue; continue
		break fib.go:16; break fib.go:99; break fib.go:1 x; break fb.go:3; break x.c:3; break fib.go:; break go:3; break place.s:52; line x; line 0x30080; over 0x99999; out 5 6; line [9,9]`},
	{[]string{"fib", "12"}, "goto +188; out 0x30000 [2,0]"}, // another instance runs an inlined call there
	{[]string{"queens", "6"}, `
		break queens.go:33; continue; locals; print ways; line; locals; line; over; over; line; line; line; locals; out; out; delete; back 100; locals; until +600; waiting; waiting queens.go:32 [2,1] 2; waiting 3; locals 0x30000 [0,0]
		print; print wyas; print ways 0x30000 [0,0]; print ways 0x99999; print ways 1 2; locals x; waiting queens.go:1; waiting q.go:3; waiting x; out; until +2190; where; locals; waiting; back 1000; print ways`},
	{[]string{"sort", "16"}, `
		break sort.go:48; continue; delete; line; line; line; line; locals; line; line; over; out; line; line; until +700; waiting; locals 0x30000 [2,2]; print keys 0x30000 [3,0]; waiting sort.go:48`},
	{[]string{"matmul", "6"}, `
		until +1900; waiting 12; break matmul.go:34; continue; locals; back; locals; goto +200; waiting; locals`},
	{[]string{"fib.s", "6"}, `
		break fib.s:102; continue; line; over; out; locals; waiting; delete; until +100; waiting; break fib.s:1`},
}

// Sessions with lines of programs in Go are recorded.
func TestGoSessions(t *testing.T) {
	var all strings.Builder
	for _, s := range goSessions {
		b := newBench(t, goSpec(s.program[0], s.program[1:]...))
		fmt.Fprintf(&all, "==== %s\n", strings.Join(s.program, " "))
		record(t, &all, b, s.lines)
	}
	golden.Check(t, "lines.txt", []byte(all.String()))
}

// A step by line ends in a state that the machine passes through in any case. Going back from there and forward again
// leads to the same state.
func TestLinesAreBetweenClocks(t *testing.T) {
	b := newBench(t, goSpec("queens", "6"))
	b.do("break queens.go:33; continue; delete")
	for range 12 {
		b.do("line")
		at, hash := b.clock(), b.hash()
		b.do(fmt.Sprintf("back 7; goto %d", at))
		require.Equal(t, hash, b.hash())
		require.False(t, b.peAt(b.pe).EXU().Begun, "the instruction has not begun")
	}
	require.NoError(t, b.Do(context.Background(), "goto +0"))
}

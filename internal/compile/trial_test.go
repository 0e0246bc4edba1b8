package compile

import (
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/machinefile"
	"emsim/programs"
)

func goProgram(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(fmt.Sprintf("../../programs/go/%s/%[1]s.go", name))
	require.NoError(t, err)
	return src
}

// A trial gives the program's answer, whatever the policy, the blocks and the
// guards, and the same counts every time.
func TestTrialAnswers(t *testing.T) {
	m := em4.Small12()
	r, err := newRoutes(m)
	require.NoError(t, err)
	for _, p := range []struct {
		name string
		arg  int64
	}{{"fib", 9}, {"knapsack", 7}, {"queens", 5}, {"loop", 9}, {"sum", 700}, {"pi", 9}, {"matmul", 5}, {"sort", 33}, {"stream", 4}} {
		by, err := programs.Assemble(p.name, nil)
		require.NoError(t, err)
		want, err := programs.Answer(p.name, by, []uint64{uint64(p.arg)}, m.PEs)
		require.NoError(t, err)
		for _, opt := range []Options{{}, {Guards: Callee}, {Blocks: Medium}, {Blocks: Finest, Guards: Callee}} {
			c, err := lowered(p.name+".go", goProgram(t, p.name), opt)
			require.NoError(t, err)
			code, err := newTrialCode(c)
			require.NoError(t, err)
			for _, policy := range programs.Policies() {
				for _, search := range []bool{false, true} {
					a, b := newTrial(code, r, policy, search), newTrial(code, r, policy, search)
					require.NoError(t, a.run([]int64{p.arg}), p.name)
					require.NoError(t, b.run([]int64{p.arg}))
					require.Equal(t, want, a.answers, "%s %+v %s", p.name, opt, policy)
					require.Equal(t, a.count, b.count)
				}
			}
		}
	}
}

// A trial expects the clocks that the machine takes, also where a full network holds
// packets back, buffers spill, and MLPE searches.
func TestTrialClocks(t *testing.T) {
	for _, p := range []struct {
		name string
		arg  int64
		pes  int
		mlpe string
		most float64 // difference
	}{
		{"pi", 10, 12, "off", 0.03},
		{"sort", 40, 12, "off", 0.05},
		{"stream", 5, 32, "off", 0.05},
		{"fib", 12, 12, "off", 0.09},
		{"queens", 6, 80, "off", 0.06},
		{"fib", 15, 192, "off", 0.06},
		{"matmul", 4, 12, "off", 0.04},
		{"sum", 3000, 32, "off", 0.03},
		{"knapsack", 11, 32, "on", 0.08},
		{"sum", 3000, 4, "off", 0.002},
		{"loop", 100, 4, "off", 0.005},
	} {
		m := machinefile.ForSize(p.pes)
		plan, err := Decide(p.name+".go", goProgram(t, p.name), Aim{Machine: m, Args: []int64{p.arg}, Given: map[string]string{"blocks": "largest", "guards": "caller"}})
		require.NoError(t, err)
		for _, x := range plan.Tried {
			if x.MLPE == p.mlpe {
				ratio := float64(x.Clocks) / float64(machineClocks(t, p.name, p.arg, m, map[string]string{"policy": x.Policy, "mlpe": x.MLPE}))
				require.InDelta(t, 1, ratio, p.most, "%s %d on %d PEs: %s, MLPE %s", p.name, p.arg, p.pes, x.Policy, x.MLPE)
			}
		}
	}
}

// machineClocks runs a program on the machine.
func machineClocks(t *testing.T, name string, arg int64, c em4.Config, params map[string]string) uint64 {
	t.Helper()
	text, err := Compile(name+".go", goProgram(t, name), Options{})
	require.NoError(t, err)
	o, _, err := asm.Assemble("p.s", asm.Options{Params: params, Library: programs.Library(), Open: func(path string) ([]byte, error) {
		if path != "p.s" {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}})
	require.NoError(t, err)
	image, err := programs.Load(o)
	require.NoError(t, err)
	m, err := em4.New(c, image, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(t.Context(), 10_000_000))
	r, err := m.Run(t.Context(), []uint64{uint64(arg)}, em4.RunOptions{MaxClocks: 5_000_000})
	require.NoError(t, err)
	return r.Clocks
}

// A turn of a parallel loop runs where the piece of its number lies: reading a word
// of that piece crosses no link. The turns are counted from the first one.
func TestTurnsLieWherePiecesDo(t *testing.T) {
	const text = `package main

import "emsim/df"

var m df.Array[%[1]s]

//emsim:arg n 1 99
func f(n int32) %[1]s {
	m.Fill(n, 1, func(p, k int32) %[1]s { return %[1]s(p) })
	return df.Sum(7, 7+n, func(i int32) %[1]s { return %[2]s })
}
`
	links := func(pes int, elem, turn string) int { return linksOf(t, pes, fmt.Sprintf(text, elem, turn), 45) }
	for _, pes := range []int{4, 12, 32, 80} {
		for _, elem := range []string{"int32", "float32"} {
			alone := links(pes, elem, elem+"(i)")
			require.Equal(t, alone, links(pes, elem, "m.Get(i-7, 0)"))
			require.Less(t, alone+45, links(pes, elem, "m.Get((i-6) % 45, 0)"))
		}
	}
}

// An instruction that the coarse model does not know is named in words.
func TestTrialRefuses(t *testing.T) {
	c, err := lowered("fib.go", goProgram(t, "fib"), Options{})
	require.NoError(t, err)
	b := c.units[0].blocks[0]
	b.code = append(b.code, instr{name: "rds", args: []arg{def(0), text("clock")}, line: 9})
	_, err = newTrialCode(c)
	require.EqualError(t, err, "the coarse model of the machine cannot run this program, because it does not know the instruction rds of line 9")
}

// A freed part of structure memory is used again, and others keep their words.
func TestTrialMemory(t *testing.T) {
	const text = `package main

import "emsim/df"

var a, b df.Array[int32]

//emsim:arg n 1 9
func f(n int32) int32 {
	b.Fill(20, n, func(p, k int32) int32 { return p + k })
	sum := int32(0)
	for i := range n {
		a.Fill(20, 40, func(p, k int32) int32 { return p * k * i })
		a.Set(3, 2, b.Get(3, 0))
		sum += a.Get(3, 2) + a.Get(19, 39)
	}
	return sum
}
`
	c, err := lowered("f.go", []byte(text), Options{})
	require.NoError(t, err)
	code, err := newTrialCode(c)
	require.NoError(t, err)
	m := em4.Small12()
	m.StructureWords = 300 // without reuse, 9 times 81 to 121
	r, err := newRoutes(m)
	require.NoError(t, err)
	x := newTrial(code, r, "ring", false)
	require.NoError(t, x.run([]int64{9}))
	require.Equal(t, []uint64{9*3 + 36*19*39}, x.answers)
}

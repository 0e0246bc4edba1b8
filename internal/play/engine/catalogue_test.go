package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/isa"
	"emsim/programs"
)

// The catalogue's programs run to their end on the smallest and on the usual machine.
func TestCatalogue(t *testing.T) {
	c := TheCatalogue()
	require.Equal(t, []int{4, 12, 32, 80, 192, 448, 1024}, c.Sizes)
	for _, p := range c.Programs {
		x := Setup{Main: p.Main, Args: p.Args, PEs: 12}
		if strings.HasSuffix(p.Main, ".go") {
			x = through(t, x)
		}
		s := opened(t, x)
		f := do(t, s, "continue").Frame
		require.True(t, f.Ended, p.Name)
		require.Empty(t, f.Failure, p.Name)
		require.NotEqual(t, "none", f.Answer, p.Name)
	}
	for _, k := range c.Knobs {
		require.NotEmpty(t, k.Doc)
		require.NotEmpty(t, k.Source)
		s := &Session{}
		a := s.Open(context.Background(),
			Setup{Main: "fib.s", Args: []string{"3"}, PEs: 12, Sets: map[string]string{k.Key: k.Default}})
		require.Empty(t, a.Error, k.Key)
	}
}

// The catalogue names emsim's programs, including the ones in Go, and the templates, whose texts the engine has.
func TestOffered(t *testing.T) {
	var names, want, compiled []string
	for _, p := range programs.List() {
		want = append(want, p.Name)
		if _, ok := programs.GoSource(p.Name + ".go"); ok {
			compiled = append(compiled, p.Name+".go")
		}
	}
	want = append(want, compiled...)
	for _, p := range programs.Starts() {
		want = append(want, "my"+p.Name)
	}
	byName := map[string]Program{}
	for _, p := range TheCatalogue().Programs {
		names = append(names, p.Name)
		byName[p.Name] = p
	}
	require.Equal(t, want, names)
	require.Equal(t, Program{
		"fib", "fib.s", "Fibonacci number by recursion, the program of paper 003",
		[]string{"10"},
		false,
	}, byName["fib"])
	require.Equal(t, Program{
		"fib.go", "fib.go", "Fibonacci number by recursion, the program of paper 003, in Go",
		[]string{"10"},
		false,
	}, byName["fib.go"])
	start, ok := programs.StartNamed("block")
	require.True(t, ok)
	require.Equal(t, Program{"myblock", "myblock.s", "one block on one PE", []string{"5"}, true},
		byName["myblock"])
	text, ok := shipped("myblock.s")
	require.True(t, ok)
	require.Equal(t, start.Text("myblock"), text)
	_, ok = shipped("block.s")
	require.False(t, ok)
}

// The list of each kind of word is complete, and agrees with the language's tables.
func TestWords(t *testing.T) {
	kinds := map[string][]string{}
	list := glossary()
	for _, w := range list {
		kinds[w.Type] = append(kinds[w.Type], w.Label)
		require.Equal(t, w.Type == "keyword" || w.Label == "fp", w.Info != "", w.Label)
	}
	require.Len(t, kinds["keyword"], len(isa.Table)+len(isa.Aliases))
	require.Equal(t, []string{"mov", "jmp", "nop"}, kinds["keyword"][len(isa.Table):])
	require.Contains(t, kinds["type"], ".include")
	require.Equal(t, []string{
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13",
		"r14", "fp",
	}, kinds["variable"])
	require.Equal(t, isa.SpecialNames[:], kinds["constant"])
	require.Subset(t, kinds["text"], []string{"lib/call.s", "lib/place.s", "lib/tree.s"})
	for _, name := range kinds["text"] {
		_, ok := programs.Source(name)
		require.True(t, ok, name)
	}
	for _, want := range []Word{
		{"add", "keyword", isa.Table[0].Operands, isa.Table[0].Doc},
		{"nop", "keyword", isa.Aliases[2].Operands, isa.Aliases[2].Doc},
		{"fp", "variable", "", "the operand segment of the instance"},
	} {
		require.Contains(t, list, want)
	}
}

// A knob has its unit, its range, its words and its default. The number of PEs has its own control.
func TestKnobs(t *testing.T) {
	c := TheCatalogue()
	require.Len(t, c.Knobs, len(em4.Knobs())-1)
	byKey := map[string]Knob{}
	for _, k := range c.Knobs {
		byKey[k.Key] = k
	}
	require.NotContains(t, byKey, "pes")
	require.Equal(t, Knob{
		Key: "hop_clocks", Unit: "clocks", Range: "1..8", Default: "3", Source: "chosen; guided by 003 table 1 row 2",
		Doc: "time from a packet leaving one switch to its first arbitration in the next",
	}, byKey["hop_clocks"])
	require.Equal(t, []string{"reverse", "group", "both"}, byKey["mlpe_route"].Values)
	require.Equal(t, "reverse", byKey["mlpe_route"].Default)
}

// Every letter that a frame can show is explained, and every explained letter is shown.
func TestStatesAreExplained(t *testing.T) {
	letters := ""
	for _, x := range states() {
		letters += x.Letter
		require.NotEmpty(t, x.Doc)
	}
	require.Equal(t, "RMSWo.!", letters)
	seen := map[rune]bool{}
	note := func(f *Frame) {
		for _, r := range f.State {
			require.Contains(t, letters, string(r))
			seen[r] = true
		}
	}
	s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12})
	for range 100 {
		note(do(t, s, "step 10").Frame)
	}
	note(do(t, opened(t, faulty), "continue").Frame)
	require.Len(t, seen, len(letters), "%v", seen)
}

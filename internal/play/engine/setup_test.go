package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/machine/run"
	"emsim/internal/play/engine/compiled"
	"emsim/internal/play/engine/compiler"
	"emsim/programs"
)

// through returns a setup whose program in Go has been compiled, as in the page.
func through(t *testing.T, x Setup) Setup {
	text, err := json.Marshal(compiler.Question{Main: x.Main, Files: x.Files, Params: x.Params})
	require.NoError(t, err)
	x.Compiled = &compiled.Program{}
	require.NoError(t, json.Unmarshal(compiler.Answer(text), x.Compiled))
	return x
}

// A program in Go is compiled; its errors are reported like errors in assembly text.
func TestGo(t *testing.T) {
	x := Setup{Main: "fib.go", Args: []string{"10"}, PEs: 12}
	s := &Session{}
	require.Contains(t, s.Open(context.Background(), x).Error, "must be compiled first")
	a := s.Open(context.Background(), through(t, x))
	require.Empty(t, a.Error)
	var names []string
	for _, f := range a.Files {
		names = append(names, f.Name)
		require.Equal(t, f.Name == "fib.go.s", f.Made)
		require.Equal(t, f.Name == "fib.go", f.Own)
	}
	require.Equal(t, []string{"fib.go", "fib.go.s", "lib/place.s", "lib/policy/ring.s", "lib/go.s"}, names)
	require.Contains(t, a.Files[1].Text, "compiled by emsim from fib.go")
	require.Equal(t, []Arg{{"n", 1, 47}}, a.Args)
	seen := false
	for range 40 {
		do(t, s, "step 10")
		for pe := range 12 {
			in, err := s.Inside(pe)
			require.NoError(t, err)
			seen = seen || in.Code.File == "fib.go" && in.Code.Line > 8
		}
	}
	require.True(t, seen, "a PE's line is one of the Go text")
	require.Equal(t, "55", do(t, s, "continue").Frame.Answer)

	text, _ := programs.GoSource("fib.go")
	x.Files = map[string]string{"fib.go": strings.Replace(text, "return 1", "return missing", 1)}
	a = s.Open(context.Background(), through(t, x))
	require.Equal(t, "fib.go", a.Problems[0].File)
	require.Equal(t, "\t\treturn missing", strings.Split(x.Files["fib.go"], "\n")[a.Problems[0].Line-1])
	require.Contains(t, a.Problems[0].Message, "missing")
	require.Equal(t, 10, a.Problems[0].Column)
	require.Nil(t, a.Frame)
	library := Setup{Main: "fib.go", Args: []string{"10"}, PEs: 12, Files: map[string]string{"lib/go.s": "oops\n"}}
	require.Equal(t, "lib/go.s", s.Open(context.Background(), through(t, library)).Problems[0].File,
		"a changed library file counts")
}

// Parameters choose how the program is compiled, as with the command, but not where it runs.
func TestCompilerOptions(t *testing.T) {
	clocks := map[string]uint64{}
	for _, blocks := range []string{"", "largest", "finest"} {
		x := Setup{Main: "fib.go", Args: []string{"10"}, PEs: 12}
		if blocks != "" {
			x.Params = map[string]string{"blocks": blocks, "policy": "line"}
		} else {
			x.Params = map[string]string{"policy": "line"}
		}
		s := &Session{}
		a := s.Open(context.Background(), through(t, x))
		require.Empty(t, a.Error)
		i := slices.IndexFunc(a.Params, func(p Param) bool { return p.Name == "blocks" })
		require.Equal(t, []string{"largest", "medium", "finest"}, a.Params[i].Values)
		require.Equal(t, cmp.Or(blocks, "largest"), a.Params[i].Chosen)
		require.Len(t, a.Params[slices.IndexFunc(a.Params, func(p Param) bool { return p.Name == "placement" })].Values,
			1)
		clocks[blocks] = do(t, s, "continue").Frame.Result.Clocks
		require.Len(t, drawn(t, x).Boxes, map[bool]int{true: 9, false: 12}[blocks == "finest"],
			"only the largest blocks have ways of their own for calls that end at once")
	}
	require.Equal(t, clocks[""], clocks["largest"])
	require.Greater(t, clocks["finest"], clocks["largest"])
	for params, want := range map[string]string{
		"blocks fine":    `the parameter blocks cannot be "fine"`,
		"placement auto": "placement",
	} {
		name, value, _ := strings.Cut(params, " ")
		x := Setup{Main: "fib.go", Args: []string{"10"}, PEs: 12, Params: map[string]string{name: value}}
		require.Contains(t, (&Session{}).Open(context.Background(), through(t, x)).Error, want)
	}
	require.Nil(t, drawn(t, Setup{Main: "fib.go", Params: map[string]string{"blocks": "fine"}}))
}

// If the compiler rejects the whole program, the error is reported too.
func TestRefused(t *testing.T) {
	s := &Session{}
	x := Setup{
		Main: "a.go", PEs: 12, Compiled: &compiled.Program{Error: "it is too large"},
		Files: map[string]string{"a.go": ""},
	}
	require.Equal(t, "it is too large", s.Open(context.Background(), x).Error)
	x.Files["a.go"] = strings.Repeat("oops\n", 60)
	a := s.Open(context.Background(), through(t, x))
	require.NotEmpty(t, a.Problems)
	require.Equal(t, "a.go", a.Problems[0].File)
	require.Equal(t, a.Problems[0].Message, strings.SplitN(a.Error, ": ", 2)[1])
}

// When there are many problems, the rest are counted.
func TestManyProblems(t *testing.T) {
	const lines = 60
	a := (&Session{}).Open(context.Background(), own(strings.Repeat("oops\n", lines)))
	require.Positive(t, a.More)
	require.Equal(t, lines, len(a.Problems)+a.More)
	for i, p := range a.Problems {
		require.Equal(t, Problem{File: "a.s", Line: i + 1, Column: 1, Width: 4, Message: p.Message}, p)
	}
	require.Equal(t, "a.s:1:1: "+a.Problems[0].Message, a.Error)
	require.Equal(t, []File{{Name: "a.s", Text: strings.Repeat("oops\n", lines), Own: true, Given: true}}, a.Files)
	for _, list := range []any{a.Params, a.Args, a.Labels} {
		require.NotNil(t, list)
		require.Empty(t, list)
	}
	x := Setup{Main: "a.go", Compiled: &compiled.Program{
		Errors: []*asm.Error{{File: "a.go", Line: 3, Message: "no"}},
		More:   7,
	}, Files: map[string]string{"a.go": ""}}
	a = (&Session{}).Open(context.Background(), x)
	require.Equal(t, 7, a.More)
	require.Equal(t, []File{{Name: "a.go", Own: true, Given: true}}, a.Files, "the compiler made none")
}

// Parameters and arguments have their ranges. Labels are sorted, and constants are not among them.
func TestProgramsOwn(t *testing.T) {
	x := own(".arg n, 2, 9, z\n.if 0\n.param way, up, down ; not this one\n.endif\n.param size = 7, 3, 40 ; of what " +
		"is made [chosen]\n.param way, left, right\n.equ five, 5\nz: out r1\n jmp a\na: out! r1\n")
	x.Args, x.Params = []string{"3"}, map[string]string{"way": "right"}
	a := (&Session{}).Open(context.Background(), x)
	require.Empty(t, a.Error)
	require.Equal(t, []Problem{}, a.Problems)
	require.Equal(t, []Arg{{"n", 2, 9}}, a.Args)
	require.Equal(t, []Param{{
		Name: "size", Values: []string{}, Min: 3, Max: 40, Chosen: "7",
		Doc: "of what is made [chosen]",
	}, {Name: "way", Values: []string{"left", "right"}, Max: 1, Chosen: "right"}},
		a.Params)
	require.Equal(t, []string{"a", "z"}, a.Labels)
}

// A setup gives the machine that the command's flags would give.
func TestMachine(t *testing.T) {
	x := Setup{Main: "fib.s", Sets: map[string]string{"segments": "20", "banks": "1", "hop_clocks": "2"}}
	m := x.machine()
	require.Equal(t, run.Machine{Name: "emc-r", Sets: []string{"banks=1", "hop_clocks=2", "segments=20"}}, m)
	x.PEs = 12
	require.Equal(t, 12, *x.machine().PEs)
	for want, x := range map[string]Setup{
		"fib":    {Main: "fib.s"},
		"fib.go": {Main: "fib.go"},
		"fib.s":  {Main: "fib.s", Files: map[string]string{"fib.s": ""}},
		"my.s":   {Main: "my.s"},
	} {
		require.Equal(t, want, x.program())
	}
	require.Len(t, opened(t, Setup{Main: "fib.s", Args: []string{"3"}}).Frame().State, 80)
}

// A file is listed once, under its plain name, and its changed text is used instead of emsim's.
func TestFiles(t *testing.T) {
	x := own(".include \"./lib/port.s\"\n.include \"b.s\"\n.include \"a2/../b.s\"\n.start x\nx: out! r1\n")
	port, _ := programs.Source("lib/port.s")
	x.Files["lib/port.s"], x.Files["b.s"] = port+"; changed\n", "; nothing\n"
	a := (&Session{}).Open(context.Background(), x)
	require.Empty(t, a.Error)
	require.Equal(t, []File{
		{Name: "a.s", Text: x.Files["a.s"], Own: true, Given: true},
		{Name: "lib/port.s", Text: port + "; changed\n", Given: true},
		{Name: "b.s", Text: "; nothing\n", Own: true, Given: true},
	}, a.Files)
	require.Empty(t, (&Session{}).Open(context.Background(),
		Setup{Main: "no.s", Compiled: &compiled.Program{Text: "x"}}).Files)
}

// If work ends or fails while the init blocks run, there is no machine.
func TestInitEnds(t *testing.T) {
	s := &Session{}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := own(".start x\n.init i\nx: out! r1\ni: jmp i\n")
	a := s.Open(ctx, x)
	require.Regexp(t, "^stopped ", a.Error)
	require.Nil(t, a.Frame)
	require.Equal(t, []string{"i", "x"}, a.Labels, "the program itself is right")
	x.Files["a.s"] = ".start x\n.init i\nx: out! r1\ni: getstr! r3, r0\n"
	a = s.Open(context.Background(), x)
	require.Contains(t, a.Error, "structure of 0 words")
	require.Nil(t, a.Frame)
}

package exercise

import (
	"bytes"
	"context"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/programs"
)

// right holds correct solutions of the exercises whose solution is not a program.
var right = map[string]string{
	"instances": "instances = 25\nanswer = '[0,0]'",
	"way":       "pe = '[2, 1]'\nclock = 53\nclocks = 625",
	"spills":    "fifo_words = 40",
	"beat-ring": "policy = 'ring-round-robin'",
	"line-wins": "mlpe = 'on'",
	"circle":    "policy = 'line'",
}

var own = Own()

func named(t *testing.T, name string) *Exercise {
	t.Helper()
	x, ok := lists.Find(own, func(x *Exercise) bool { return x.Name == name })
	require.True(t, ok, name)
	return x
}

// graded returns the verdict on a solution's text, with the hidden cases of seed 1.
func graded(t *testing.T, x *Exercise, name, text string) Verdict {
	t.Helper()
	s := Solution{Name: name}
	var err error
	if x.Kind == Program {
		s.Object, _, err = asm.Assemble(name,
			asm.Options{Library: programs.Library(), Open: func(file string) ([]byte, error) {
				if file != name {
					return nil, fs.ErrNotExist
				}
				return []byte(text), nil
			}})
	} else {
		s, err = ReadSolution(name, []byte(text))
	}
	if err != nil {
		return Verdict{File: name, Reason: err.Error()}
	}
	v, err := x.Check(context.Background(), s, x.Draw(1))
	require.NoError(t, err, name)
	return v
}

// solved returns a correct solution.
func solved(t *testing.T, x *Exercise) string {
	if x.Kind != Program {
		return right[x.Name]
	}
	text, err := fs.ReadFile(x.files, x.Solution)
	require.NoError(t, err)
	return string(text)
}

// Every exercise has a correct solution, which passes in all cases. The initial file for students does not pass.
func TestRight(t *testing.T) {
	require.Len(t, own, 12)
	for _, x := range own {
		name := x.Name
		v := graded(t, x, name, solved(t, x))
		require.True(t, v.Passed, "%s: %s", name, v.Reason)
		require.Len(t, v.Checks, len(x.Question)+map[bool]int{true: len(x.Case) + x.Hidden.Cases}[x.Kind != Prediction])
		require.False(t, graded(t, x, name, x.Begin()).Passed, name)
	}
	files, err := fs.Glob(library, "library/*.toml")
	require.NoError(t, err)
	require.Len(t, files, len(own))
}

// Wrong solutions and cheats are rejected, each with a helpful reason.
func TestRefused(t *testing.T) {
	all, err := txtar.ParseFile("testdata/refused.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all.Files), 60)
	for _, f := range all.Files {
		name, _, _ := strings.Cut(f.Name, "/")
		x := named(t, name)
		text, lines := solved(t, x), bytes.Split(bytes.TrimSpace(f.Data), []byte("\n"))
		if !bytes.Contains(f.Data, []byte(" => ")) {
			text = string(f.Data)
			lines = lines[:1]
		}
		for _, line := range lines[1:] {
			old, now, _ := strings.Cut(strings.ReplaceAll(string(line), `\n`, "\n"), " => ")
			require.Contains(t, text, old, f.Name)
			text = strings.ReplaceAll(text, old, now)
		}
		v := graded(t, x, f.Name, text)
		if v.Passed || !strings.Contains(v.Reason, string(lines[0][2:])) {
			t.Errorf("%s: %v %s\nwant: %s", f.Name, v.Passed, v.Reason, lines[0][2:])
		}
	}
}

// Errors in an exercise's file have places.
func TestFiles(t *testing.T) {
	const good = "title = 'T'\nkind = 'program'\nprogram = 'a.s'\nsolution = 'a.s'\n"
	for text, want := range map[string]string{
		good +
			"titel = 1": `x.toml:5:1: there is no key "titel"; expected title, lesson, kind,`,
		good + "[must]\nclock = '<= 5'": "x.toml:6:9: expected a statistic of 'emsim " +
			"run' with its limit, as in time",
		good + "must.time = '< 5'":       "x.toml:5:13: expected a statistic",
		good + "must.time = '<= -1'":     "x.toml:5:13: expected a statistic",
		good + "must.time = '>= 1e16 x'": "x.toml:5:13: expected a statistic",
		good + "must.time = '<= 1e9'": "x.toml:5:13: the time is 1e+09 clocks: " +
			"expected at most 100000000",
		good + "must.time = '<= nan'": "x.toml:5:13: expected a statistic",
		good + "must.time = 'few'":    "x.toml:5:13: expected a statistic",
		good + "must = 3":             "x.toml:5:8: must is a table, not 3",
		good + "hidden.cases = 1001":  "x.toml:5:",
		good + "[[case]]\nargs = ['a']": "x.toml:6:1: args is a list of whole " +
			"numbers, not a list",
		good +
			"[[case]]\nsede = 1": `x.toml:6:1: there is no key "sede"; expected args, pes, seed; did you mean "seed"?`,
		good + "[hidden]\nargs = [[5]]\ncases = 'x'": "x.toml:7:9: cases is a whole " +
			"number, not the string",
		good + "[hidden]\nargs = [[5]]": "x.toml:5:2: hidden has up to 1000 cases, and " +
			"args with a [least, greatest] for each argument",
		good + "pes = []":                                     "x.toml:5:1: pes is a whole number, not a list",
		"kind = 'essay'":                                      `x.toml: an exercise has a program, and a kind: program with a solution, settings with what it allows, or prediction with questions`,
		"kind = 'settings'\nprogram = 'fib'":                  "x.toml: an exercise has a program",
		"kind = 'program'\nprogram = 'b.s'\nsolution = 'a.s'": "x.toml:2:11: ",
		"kind = 'prediction'\nprogram = 'fib'\n[[question]]": "x.toml:3:3: a question asks for a statistic " +
			"of 'emsim run', or for the pe or the clock of a block",
		"kind = 'prediction'\nprogram = 'fib'\nquestion = [{key=1}]": "key is a string in quotes, not 1",
		"kind = 'prediction'\n[[question]]\nstatistic = 'time'":      "x.toml: an exercise has a program",
		"kind": "x.toml:1:4: this is not TOML",
	} {
		_, err := Read(fstest.MapFS{"x.toml": {Data: []byte(text)}, "a.s": {Data: []byte(".start a\na: out! r0\n")}},
			"x.toml")
		require.ErrorContains(t, err, want, text)
	}
	_, err := Read(fstest.MapFS{}, "x.toml")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// An exercise that cannot be solved is the teacher's mistake, not a wrong solution.
func TestWrongExercises(t *testing.T) {
	for text, want := range map[string]string{
		"kind = 'program'\nprogram = 'a.s'\nsolution = 'a.s'\ncase = [{args=[1]}]":                              "the exercise x is wrong: a.s takes no arguments",
		"kind = 'prediction'\nprogram = 'fib'\ncase = [{args=[1]}]\nquestion = [{key='k', text='', pe='join'}]": "the exercise x is wrong: the block join never begins",
		"kind = 'settings'\nprogram = 'fib'\npes = 13\nallow = {policy = []}\ncase = [{args=[3]}]":              "the exercise x is wrong: ",
		"kind = 'prediction'\nprogram = 'fib'\nquestion = [{key='k', text='', clock='start'}]":                  "the exercise x is wrong: fib takes 1 argument",
	} {
		x, err := Read(fstest.MapFS{"x.toml": {Data: []byte(text)}, "a.s": {Data: []byte(".start a\na: out! r0\n")}},
			"x.toml")
		require.NoError(t, err)
		_, err = x.Check(context.Background(), Solution{}, nil)
		require.ErrorContains(t, err, want)
	}
}

// Another seed draws other cases. The first two cases are the ends of the ranges.
func TestDraw(t *testing.T) {
	x := named(t, "ring")
	a, b := x.Draw(1), x.Draw(2)
	require.Equal(t, a, x.Draw(1))
	require.Len(t, a, 4)
	for i := range a {
		require.Equal(t, x.Hidden.PEs[i%3], a[i].PEs)
		require.NotEqual(t, a[i].Seed, b[i].Seed)
		if i > 1 {
			require.NotEqual(t, a[i].Args, b[i].Args)
		}
		require.True(t, 0 <= a[i].Args[0] && a[i].Args[0] <= 1000000)
	}
	require.Equal(t, []int64{0, 1000000}, []int64{a[0].Args[0], a[1].Args[0]})
	require.Empty(t, named(t, "way").Draw(1))
	x.Hidden = Hidden{Cases: 3, Args: [][]int64{{math.MinInt64, math.MaxInt64}}}
	require.EqualValues(t, math.MaxInt64, x.Draw(1)[1].Args[0])
}

// Settings that the page adds to the program's text are also rejected, unless the exercise has the same ones. A check
// that is interrupted has no verdict.
func TestPageSettings(t *testing.T) {
	x := named(t, "circle")
	s := Solution{Given: map[string]string{"banks": "2", "policy": "line"}, PEs: 12}
	v, err := x.Check(context.Background(), s, nil)
	require.NoError(t, err)
	require.True(t, v.Passed, v.Reason)
	s.PEs = 80
	v, err = x.Check(context.Background(), s, nil)
	require.NoError(t, err)
	require.Equal(t, "your machine has 80 PEs, the machine of the exercise 12", v.Reason)
	x = named(t, "three")
	o, err := x.assemble(x.Solution, nil)
	require.NoError(t, err)
	v, err = x.Check(context.Background(), Solution{Object: o, Given: map[string]string{"hop_clocks": "1"}}, nil)
	require.NoError(t, err)
	require.Equal(t, "hop_clocks = 1 changes the machine or a parameter: change only the text of the "+
		"program", v.Reason)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, x := range own {
		_, err = x.Check(ctx, Solution{Object: o}, nil)
		require.True(t, interrupt.Ended(err), x.Name)
	}
}

// The initial file for students has the task and the correct form.
func TestBegin(t *testing.T) {
	for _, x := range own {
		name := x.Name
		text := x.Begin()
		require.True(t, strings.HasPrefix(text[2:], x.Title+"\n"), name)
		require.Equal(t, x.Kind == Program, text[0] == ';')
		for _, line := range strings.Split(text, "\n") {
			require.Equal(t, strings.TrimRight(line, " "), line)
			require.Less(t, len(line), 121)
		}
		if x.Kind == Program {
			require.True(t, strings.HasSuffix(text, x.Text))
			continue
		}
		_, err := ReadSolution("b.toml", []byte(strings.ReplaceAll(text, "=\n", "= 1\n")))
		require.NoError(t, err)
		for key := range x.Allow {
			require.Contains(t, text, "\n# "+key+" =\n")
		}
		for _, q := range x.Question {
			require.Contains(t, text, "\n# "+q.Key+" =\n")
		}
	}
}

// A submission can read emsim's library and its own folder with subfolders. It can read none of the teacher's files,
// and no text of such a file appears in the verdict.
func TestOwnFolder(t *testing.T) {
	dir := t.TempDir()
	three := named(t, "three")
	secret := filepath.Join(dir, "secret.s")
	put := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	put("secret.s", solved(t, three))
	put("secret.go", "package main\n\nvar teacher int\n")
	put("answers.toml", right["way"])
	put("class/part.s", solved(t, three))
	put("class/below/part.s", solved(t, three))
	for link, to := range map[string]string{
		"class/out.s": "../secret.s", "class/abs.s": secret, "class/up": "..",
		"class/out.go": "../secret.go", "class/out.toml": "../answers.toml", "class/in.s": "part.s",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	for text, says := range map[string]string{
		`.include "part.s"`:       "",
		`.include "below/part.s"`: "",
		`.include "in.s"`:         "",
		`.include "../secret.s"`: "a.s:1:10: cannot read the included file: ../secret.s is " +
			"not in the folder",
		`.include "../class/part.s"`:                   "../class/part.s is not in the folder",
		`.include "` + filepath.ToSlash(secret) + `"`:  "secret.s is not in the folder",
		`.include "out.s"`:                             "out.s is a link out of the folder",
		`.include "abs.s"`:                             "abs.s is a link out of the folder",
		`.include "up/secret.s"`:                       "up/secret.s is a link out of the folder",
		`.include "up/class/part.s"`:                   "up/class/part.s is a link out of the folder",
		".param x, up, \"*.s\"\n.include x":            "cannot find the file",
		`.include "/proc/self/environ"`:                "/proc/self/environ is not in the folder",
		".macro m\n.include \"../secret.s\"\n.endm\nm": "../secret.s is not in the folder",
		".include \"below/../../secret.s\"":            "../secret.s is not in the folder",
	} {
		put("class/a.s", text+"\n")
		s, err := three.Open(filepath.Join(dir, "class", "a.s"))
		if says != "" {
			require.ErrorContains(t, err, says, text)
			require.NotContains(t, err.Error(), strings.Split(solved(t, three), "\n")[0], text)
			continue
		}
		require.NoError(t, err, text)
		v, err := three.Check(context.Background(), s, nil)
		require.NoError(t, err)
		require.True(t, v.Passed, v.Reason)
	}
	for name, x := range map[string]*Exercise{
		"out.s": three, "out.go": three, "out.toml": named(t, "way"),
		"..": three,
	} {
		_, err := x.Open(filepath.Join(dir, "class") + "/" + name)
		require.Regexp(t, "link out of the folder|not in the folder|ending .s or .go", err, name)
	}
}

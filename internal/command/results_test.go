package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goCall is a call of a program's entry in func main.
type goCall struct {
	file string // the program
	args []string
	want string // the output of Go
}

var printedCall = regexp.MustCompile(`\tfmt\.Println\(\w+\(([^()]*)\)(?:\.Words\(\))?\)\n`)

// goCalls returns the calls of all programs of testdata/results, with Go's output. It writes the programs to dir. One
// Go program runs all of them.
func goCalls(t *testing.T, dir string) (list []goCall) {
	files, err := filepath.Glob("testdata/results/*.txt")
	require.NoError(t, err)
	both, names, mains := t.TempDir(), []string{"run"}, ""
	for i, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".txt") + ".go"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
		mains += fmt.Sprintf("main%d()\n", i)
		names = append(names, filepath.Join(both, name))
		require.NoError(t, os.WriteFile(names[i+1],
			[]byte(strings.Replace(string(text), "func main()", fmt.Sprintf("func main%d()", i), 1)), 0o644))
		for _, m := range printedCall.FindAllStringSubmatch(string(text), -1) {
			list = append(list, goCall{
				file: filepath.Join(dir, name),
				args: strings.Fields(strings.ReplaceAll(m[1], ",", " ")),
			})
		}
	}
	require.GreaterOrEqual(t, len(files), 30)
	names = append(names, filepath.Join(both, "all.go"))
	require.NoError(t, os.WriteFile(names[len(names)-1], []byte("package main\nfunc main() {\n"+mains+"}\n"), 0o644))
	out, err := exec.Command("go", names...).Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	require.Len(t, lines, len(list))
	for i := range list {
		list[i].want = lines[i]
	}
	return list
}

// resultOf returns the result in a text answer, from its title or the next line.
func resultOf(out string) string {
	title, rest, _ := strings.Cut(out, "\n")
	below, isBelow := strings.CutPrefix(rest, "  = ")
	if isBelow {
		below, _, _ = strings.Cut(below, "\n")
		return below
	}
	_, result, _ := strings.Cut(title, " = ")
	result, _, _ = strings.Cut(result, "  EM-4")
	return strings.TrimRight(result, " ")
}

// Results of all types equal the output of Go, byte for byte: in the table of a run, in JSON, and in the table of a
// sweep.
func TestGoPrints(t *testing.T) {
	dir, grid := t.TempDir(), ""
	calls := goCalls(t, dir)
	for i, c := range calls {
		line := append([]string{"run", "--pes=12", "--", c.file}, c.args...)
		_, out, errs := emsim(line...)
		require.Equal(t, c.want, resultOf(out), "%s %v: %s", c.file, c.args, errs)

		grid += fmt.Sprintf("[[grid]]\npes = 12\nprogram = %q\n",
			strings.Join(append([]string{c.file}, c.args...), " "))
		if i > 0 && calls[i-1].file == c.file { // the sweep contains all of them
			continue
		}
		var x struct {
			Result []uint64
			Values []any
			Type   string
		}
		_, out, _ = emsim(append([]string{"--json"}, line...)...)
		d := json.NewDecoder(strings.NewReader(out))
		d.UseNumber()
		require.NoError(t, d.Decode(&x))
		require.Len(t, x.Values, len(x.Result))
		require.Regexp(t, `^(\[\]|\[1\]|\{)?(int32|uint32|float32|bool)\}?$`, x.Type)
		flat := strings.Fields(strings.Trim(c.want, "[]{}"))
		for i, v := range x.Values {
			text := fmt.Sprint(v)
			require.Equal(t, flat[i], strings.TrimSuffix(text, ".0"), "%s %v", c.file, c.args)
			require.Equal(t, strings.Contains(x.Type, "float32"),
				regexp.MustCompile(`\.|\de|NaN|Inf`).MatchString(text), "a real number looks like one: %s", text)
		}
	}
	file := filepath.Join(dir, "all.toml")
	require.NoError(t, os.WriteFile(file, []byte(grid), 0o644))
	status, _, errs := emsim("sweep", file, "-o", filepath.Join(dir, "out"), "--csv", filepath.Join(dir, "all.csv"))
	require.Zero(t, status, errs)
	table, err := os.Open(filepath.Join(dir, "all.csv"))
	require.NoError(t, err)
	defer table.Close()
	rows, err := csv.NewReader(table).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+len(calls))
	for i, c := range calls {
		want := c.want
		if n := strings.Fields(want); len(n) > 4 {
			want = fmt.Sprintf("%s ... %d words]", strings.Join(n[:4], " "), len(n))
		}
		require.Equal(t, want, rows[1+i][cellOf(rows[0], "result")], "%s %v", c.file, c.args)
	}
}

// Every command that shows a result shows the values of the program's type. Only JSON has the raw word, as result.
func TestResultsEverywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	const program = ".result int32\n.arg n, 0, 9, main\nmain: sub r1, r0, r1\n out! r1\n"
	const word, value = "4294967294", "-2"
	for name, text := range map[string]string{
		"minus.s": program, "wrong.s": strings.Replace(program, "sub r1, r0, r1", "nop", 1),
		"sweep.toml": "[[grid]]\nprogram = \"minus.s 2\"\npes = 12\n",
		"task.toml": "title = \"T\"\nlesson = \"own\"\nkind = \"program\"\ntask = \"T\"\nprogram = " +
			"\"wrong.s\"\nsolution = \"minus.s\"\n[[case]]\nargs = [2]\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	run := func(stdin, line string) string {
		var out, errs strings.Builder
		command(strings.Fields(line), strings.NewReader(stdin), &out, &errs)
		require.NotContains(t, errs.String(), word, line)
		return out.String()
	}
	texts := map[string]string{
		"run minus.s 2 --pes 12": "minus.* = -2( .*)?\n", "run minus.s 2 --pes 12 --runs 2": "minus.* = -2( .*)?\n",
		"run minus.s 2 --pes 12 --seeds 2":          "minus.* = -2( .*)?\n",
		"profile minus.s 2 --pes 12":                "minus.* = -2 .*\n",
		"diff minus.s 2 --pes 12 --vs hop_clocks=2": "result +-2 +-2\n",
		"debug minus.s 2 --pes 12":                  `(?s)result -2, after .*the host got -2\n`,
		"grade task.toml wrong.s":                   "the answer is 2, expected -2",
		"grade task.toml minus.s":                   "passed",
		"sweep sweep.toml --csv sweep.csv":          "", "dis minus.emo": `\.result int32\n`,
		"run minus.emo 2 --pes 12": "minus.* = -2( .*)?\n", "run again.s 2 --pes 12": "again.* = -2( .*)?\n",
		"run minus.s 2 --pes 12 --max-clocks 2 --checkpoint ck": "",
		"run --resume ck --max-clocks 0":                        "minus.* = -2( .*)?\n",
	}
	require.Contains(t, run("", "asm minus.s -o minus.emo --json"), `"type": "int32"`)
	require.NoError(t, os.WriteFile("again.s", []byte(run("", "dis minus.emo")), 0o644))
	run("", "run minus.s 2 --pes 12 --checkpoint ck --at 2")
	for line, want := range texts {
		out := run("continue\nwhere\nmachine\n", line)
		require.NotContains(t, out, word, line)
		require.Regexp(t, want, out, line)
	}
	run("", "report minus.s 2 --pes 12 -o report.html")
	for file, want := range map[string]string{"report.html": " = -2 on ", "sweep.csv": ",-2,"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(text), word, file)
		require.Contains(t, string(text), want)
	}
	for _, line := range []string{
		"run minus.s 2 --pes 12", "trace minus.s 2 --pes 12 -o t.txt",
		"profile minus.s 2 --pes 12", "diff minus.s 2 --pes 12 --vs hop_clocks=2",
	} {
		out := run("", line+" --json")
		short := strings.Join(strings.Fields(out), "")
		n := strings.Count(short, word)
		require.Positive(t, n, line)
		require.Equal(t, n, strings.Count(short, `"result":[4294967294],"values":[-2],"type":"int32"`),
			"%s: %s", line, out)
	}
	require.NotContains(t, run("", "run fib 5 --json"), `"values"`, "a program without a type")
}

// cellOf returns the index of a column.
func cellOf(heads []string, name string) int {
	for i, h := range heads {
		if h == name {
			return i
		}
	}
	return -1
}

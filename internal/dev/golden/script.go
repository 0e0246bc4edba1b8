package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Case is one command of a script with its input.
type Case struct {
	Cmd   string
	Args  []Arg
	Input []string // lines between the command and ----
	Place string   // file:line of the command
}

// Arg is one key=value of a command; without "=" the value is empty.
type Arg struct{ Key, Value string }

// Script runs the cases of testdata/name in order and compares the output of
// run for each with the file. A script is text:
//
//	# Comments say what a case is for.
//	command key=value ...
//	input lines, any number
//	----
//	expected output, up to a blank line or the end of the file
//
// With -update the outputs in the file are rewritten.
func Script(t TB, name string, run func(c Case) string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v", err)
	}
	got, err := runScript(file, string(text), run)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatalf("%v", err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, short(diff))
	}
}

// runScript returns the script with the output of run for each command.
func runScript(file, text string, run func(c Case) string) (string, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	var out strings.Builder
	for i := 0; i < len(lines); {
		line := lines[i]
		out.WriteString(line + "\n")
		i++
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c := Case{Place: fmt.Sprintf("%s:%d", file, i)}
		words := strings.Fields(line)
		if len(words) == 0 {
			return "", fmt.Errorf("%s: a line of blanks: expected a command or a comment", c.Place)
		}
		c.Cmd = words[0]
		for _, w := range words[1:] {
			k, v, _ := strings.Cut(w, "=")
			c.Args = append(c.Args, Arg{k, v})
		}
		for ; i < len(lines) && lines[i] != "----"; i++ {
			c.Input = append(c.Input, lines[i])
			out.WriteString(lines[i] + "\n")
		}
		if i == len(lines) {
			return "", fmt.Errorf("%s: the case has no ---- line", c.Place)
		}
		for i++; i < len(lines) && lines[i] != ""; i++ {
			continue // the expected output
		}
		out.WriteString("----\n")
		answer := strings.TrimRight(run(c), "\n")
		if strings.Contains(answer, "\n\n") {
			return "", fmt.Errorf("%s: the output has a blank line, which would end it", c.Place)
		}
		if answer != "" {
			out.WriteString(answer + "\n")
		}
	}
	return out.String(), nil
}

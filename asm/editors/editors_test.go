package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/dev/needs"
	"emsim/isa"
)

// TestMain runs the command itself if the variable is set.
func TestMain(m *testing.M) {
	if os.Getenv("EMSIM_EDITORS") != "" {
		os.Args = append(os.Args[:1], strings.Fields(os.Getenv("EMSIM_EDITORS"))[1:]...)
		main()
	}
	os.Exit(m.Run())
}

// The command exits with the status that run returns.
func TestCommand(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	for args, want := range map[string]int{"": 2, folder: 0, filepath.Join("main.go", "x"): 1} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "EMSIM_EDITORS=editors "+args)
		cmd.Run() //nolint:errcheck // the exit status shows it
		require.Equal(t, want, cmd.ProcessState.ExitCode(), args)
	}
	for path, want := range map[string]os.FileMode{"codemirror": os.ModeDir | 0o700, "codemirror/emsim.js": 0o600} {
		info, err := os.Stat(filepath.Join(folder, path))
		require.NoError(t, err)
		require.Equal(t, want, info.Mode()&^0o077, path)
	}
}

// The files are what go generate writes today.
func TestFilesAreCurrent(t *testing.T) {
	folder := t.TempDir()
	require.Zero(t, run([]string{folder}, io.Discard))
	for name := range files() {
		want, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		have, err := os.ReadFile(filepath.Join("../../docs/syntax", name))
		require.NoError(t, err)
		require.Equal(t, string(want), string(have), "docs/syntax/%s is stale: go generate ./asm", name)
		if filepath.Ext(name) == ".json" {
			require.True(t, json.Valid(have), name)
		}
	}
}

// Usage errors exit with status 2, file errors with status 1, and both print a message.
func TestMistakes(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}} {
		var said strings.Builder
		require.Equal(t, 2, run(args, &said))
		require.Contains(t, said.String(), "usage: editors FOLDER")
	}
	var said strings.Builder
	require.Equal(t, 1, run([]string{"main.go"}, &said))
	require.Contains(t, said.String(), "main.go")
}

// All files of the folder, except its page, are generated.
func TestNoFileIsForgotten(t *testing.T) {
	all := files()
	for _, pattern := range []string{"*/*", "*/*/*"} {
		paths, err := filepath.Glob("../../docs/syntax/" + pattern)
		require.NoError(t, err)
		for _, path := range paths {
			name, err := filepath.Rel("../../docs/syntax", path)
			require.NoError(t, err)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				require.Contains(t, all, filepath.ToSlash(name))
			}
		}
	}
}

// piece is a part of a line with its class; the class is "" for white space and for text that no rule matches.
type piece struct{ class, text string }

// cut splits a line by the rules, as editors do.
func cut(t *testing.T, line string) []piece {
	t.Helper()
	var list []piece
	for line != "" {
		next := piece{"", line[:1]}
		for i, r := range all {
			if m := expressions[i].FindString(line); m != "" && line[0] != ' ' && line[0] != '\t' {
				next = piece{r.class, m}
				break
			}
		}
		list, line = append(list, next), line[len(next.text):]
	}
	return list
}

var (
	all         = rules()
	expressions = func() (list []*regexp.Regexp) {
		for _, r := range all {
			list = append(list, regexp.MustCompile("^(?:"+r.pattern+")"))
		}
		return list
	}()
)

// shown returns the pieces that have a class, as class:text.
func shown(list []piece) string {
	var words []string
	for _, p := range list {
		if p.class != "" {
			words = append(words, p.class+":"+p.text)
		}
	}
	return strings.Join(words, " ")
}

func TestRules(t *testing.T) {
	for line, want := range map[string]string{
		"go:\tsend.l! r1, fp, @join\t; left": "label:go: instruction:send.l! register:r1 " +
			"register:fp node:@join comment:; left",
		".small: blt! r1, r15, .on // x": "label:.small: instruction:blt! register:r1 " +
			"register:r15 name:.on comment:// x",
		"add: loop: add r3, r1, r16": "label:add: label:loop: instruction:add " +
			"register:r3 register:r1 name:r16",
		"got\\which: send.\\form\\()! \\value, \\to, @\\node\\@": "label:got\\which: instruction:send.\\form\\()! " +
			"parameter:\\value parameter:\\to node:@\\node\\@",
		".ok\\@: \\add r3, r1": "label:.ok\\@: parameter:\\add " +
			"register:r3 register:r1",
		".template fib, 0x1f":                         "directive:.template name:fib number:0x1f",
		".words: .word \"a;\\\"b\", ';', -2e3, 0b1_0": `label:.words: directive:.word string:"a;\"b" character:';' operator:- number:2e3 number:0b1_0`,
		".if policy == policy.ring && !x": "directive:.if name:policy operator:== " +
			"name:policy.ring operator:&& operator:! name:x",
		"x = send.go + fib.add * pi.r1": "name:x operator:= name:send.go operator:+ " +
			"name:fib.add operator:* name:pi.r1",
		"  .include \"lib/place.s\"": `directive:.include string:"lib/place.s"`,
		"out! r1":                    "instruction:out! register:r1",
		"wrs! mlpe, r1":              "instruction:wrs! instruction:mlpe register:r1",
	} {
		require.Equal(t, want, shown(cut(t, line)), line)
	}
}

// sample returns a text with every instruction in each form, and every alias, directive and register.
func sample() string {
	var b strings.Builder
	for op := range isa.Table {
		for f := range isa.FormsOf(isa.Op(op)) {
			fmt.Fprintf(&b, "\t%s%s r1\n\t%[1]s%s! r1 ; end\n", isa.Table[op].Name, isa.Suffixes[f])
		}
	}
	for i := range isa.Aliases {
		fmt.Fprintf(&b, "x: %s r1\n", isa.Aliases[i].Name)
	}
	for _, d := range asm.Directives() {
		fmt.Fprintf(&b, "  %s name, 12, 'c', \"text\"\n", d)
	}
	for r := range isa.Registers {
		fmt.Fprintf(&b, "fp r%d @node.x .local\n", r)
	}
	return b.String()
}

func TestEveryWordHasItsClass(t *testing.T) {
	for line := range strings.Lines(sample()) {
		list, fields := cut(t, strings.TrimSpace(line)), strings.Fields(line)
		want := "instruction"
		switch {
		case strings.HasPrefix(fields[0], "."):
			want = "directive"
		case fields[0] == "x:":
			list = list[2:]
			fields = fields[1:]
		case fields[0] == "fp":
			want = "register"
			require.Equal(t, piece{"register", fields[1]}, list[2], line)
		}
		require.Equal(t, piece{want, fields[0]}, list[0], line)
	}
}

// texts returns the sample and all programs included in emsim.
func texts(t *testing.T) []string {
	list := []string{sample()}
	for _, pattern := range []string{"../../programs/*.s", "../../programs/lib/*.s", "../../programs/start/*.s"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			list = append(list, string(text))
		}
	}
	return list
}

// Only brackets and commas in the programs have no class.
func TestProgramsAreCovered(t *testing.T) {
	for _, text := range texts(t) {
		for line := range strings.Lines(text) {
			for _, p := range cut(t, strings.TrimSuffix(line, "\n")) {
				if p.class == "" {
					require.Contains(t, " \t,()", p.text, line)
				}
			}
		}
	}
}

// CodeMirror's parser splits every line as the rules do.
func TestCodeMirror(t *testing.T) {
	node := needs.Tool(t, "node")
	script := strings.Replace(codeMirror(), "export const", "const", 1) + `
const lines = require("fs").readFileSync(0, "utf8").split("\n")
for (const line of lines) {
  const stream = {string: line, pos: 0, next() { this.pos++ }, eatSpace() { const at = this.pos; while (/\s/.test(line[this.pos] ?? "x")) this.pos++; return this.pos > at }}
  let out = ""
  while (stream.pos < line.length) {
    const from = stream.pos, style = emsim.token(stream)
    if (stream.pos <= from) throw new Error("no progress in " + line)
    if (style) out += style + ":" + line.slice(from, stream.pos) + " "
  }
  console.log(out.trimEnd())
}
`
	styles := map[string]string{}
	for _, r := range rules() {
		styles[r.class] = r.style
	}
	text := strings.Join(texts(t), "\n")
	cmd := exec.Command(node, "-e", script)
	cmd.Stdin = strings.NewReader(text)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for i, line := range strings.Split(text, "\n") {
		var words []string
		for _, p := range cut(t, line) {
			if p.class != "" {
				words = append(words, styles[p.class]+":"+p.text)
			}
		}
		require.Equal(t, strings.TrimRight(strings.Join(words, " "), " "), got[i], line)
	}
}

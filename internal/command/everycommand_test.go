package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// works maps every command to a short command line that succeeds, in the folder of everyCommand.
var works = map[string]string{
	"":                      "",
	"again":                 "a.json",
	"asm":                   "p.s -o OUT.emo",
	"ask":                   "held fib 3 --pes 12",
	"balance compare":       "--policy none --workload uneven --workers 2 --grain 3 --seeds 1",
	"balance limit":         "--policy none --workers 2 --grain 3 --seeds 1",
	"balance run":           "--workload loop --workers 3 --grain 3",
	"balance validate":      "--policy power",
	"build":                 "fib.go -o OUT.s",
	"completion bash":       "",
	"completion fish":       "",
	"completion powershell": "",
	"completion zsh":        "",
	"debug":                 "fib 3 --pes 12",
	"diff":                  "fib 3 --pes 12 --vs seed=2",
	"dis":                   "p.s",
	"cite":                  "em4",
	"docs":                  "tour",
	"grade":                 "three",
	"help":                  "run",
	"licenses":              "",
	"machine show":          "",
	"mnc run":               "--items 5 --loops 3",
	"mnc topology":          "",
	"net":                   "--pes 12",
	"net traffic":           "--pes 12 --clocks 5",
	"new":                   "OUT.s",
	"pdes calibrate":        "--shape 2x1",
	"pdes cost":             "--shape 4",
	"pdes patterns":         "",
	"pdes run":              "--slots 5",
	"pdes scatter":          "--runs 2",
	"plot":                  "timeline fib 3 --pes 12 -o OUT.svg",
	"profile":               "fib 3 --pes 12",
	"report":                "fib 3 --pes 12 -o OUT.html",
	"rhinet run":            "--nodes 8 --rows 64 --policy glb --loaded one",
	"run":                   "fib 3 --pes 12",
	"spmd run":              "",
	"sweep":                 "s.toml -o OUT.sweep",
	"trace":                 "fib 3 --pes 12",
	"verify":                "002.t1",
	"version":               "",
}

// lookers maps the commands that inspect runs of the other machines to arguments.
var lookers = map[string]string{
	"ask": "cost", "debug": "", "trace": "", "profile": "--top 2", "plot": "gave -o OUT.svg", "report": "-o OUT.html",
}

func init() {
	eachLooker(func(path, line, kind string) {
		works[path] = line + " " + works[kind+" run"]
	})
}

// eachLooker visits each command of lookers for each machine, with the beginning of a line.
func eachLooker(visit func(path, line, kind string)) {
	for _, kind := range []string{"mnc", "rhinet", "spmd", "pdes", "balance"} {
		for name, line := range lookers {
			visit(kind+" "+name, line, kind)
		}
	}
}

// ofRun reports whether a flag comes from the same machine's 'run', where it is tested.
func ofRun(cmd *cobra.Command, f *pflag.Flag) bool {
	if _, looks := lookers[cmd.Name()]; !looks || !f.Hidden {
		return false
	}
	run, _, err := cmd.Parent().Find([]string{"run"})
	return err == nil && run.Flags().Lookup(f.Name) != nil
}

// long lists the commands for which no line is fast, with the reason.
var long = map[string]string{
	"calibrate": "measures for minutes before its answer",
	"play":      "builds an engine, and serves",
}

// eachCommand calls visit for every command except groups.
func eachCommand(visit func(path string, cmd *cobra.Command)) { eachCommandOf(&app{}, visit) }

func eachCommandOf(a *app, visit func(path string, cmd *cobra.Command)) {
	root := newRootCmd(a)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "emsim"))
		if _, short := works[path]; short || !cmd.HasSubCommands() {
			visit(path, cmd)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// everyCommand calls visit with a valid line for each command, in a folder with the files that the line names. OUT is
// replaced by a new output name in each line. A command that is in neither list fails the test.
func everyCommand(t *testing.T, visit func(path string, args []string)) {
	left := map[string]bool{}
	for path := range works {
		left[path] = true
	}
	goText, err := os.ReadFile("../../programs/go/fib/fib.go")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"p.s": "\n        .start main\nmain:   out! r0\n", "fib.go": string(goText),
		"s.toml": "[[grid]]\nprogram = [\"fib 3\"]\npes = [12]\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	_, out, _ := emsim("net", "--pes", "12", "--json")
	require.NoError(t, os.WriteFile("a.json", []byte(out), 0o600))
	eachCommand(func(path string, _ *cobra.Command) {
		line, short := works[path]
		if long[path] == "" {
			require.True(t, short, "%s wants a line in works, or a reason in long", path)
			delete(left, path)
			visit(path, strings.Fields(path+" "+strings.ReplaceAll(line, "OUT", filepath.Join(t.TempDir(), "out"))))
		}
	})
	require.Empty(t, left, "there are no such commands")
}

// No command succeeds if its answer cannot be written, as text or as JSON.
func TestEveryLostAnswer(t *testing.T) {
	noJSON := map[string]bool{"": true, "help": true, "debug": true, "trace": true}
	eachLooker(func(path, _, _ string) {
		noJSON[path] = strings.HasSuffix(path, "debug") || strings.HasSuffix(path, "trace") ||
			strings.HasSuffix(path, "profile")
	})
	everyCommand(t, func(path string, args []string) {
		var out, errs bytes.Buffer
		forms := [][]string{args}
		if !noJSON[path] && !strings.HasPrefix(path, "completion") {
			forms = append(forms, append(args, "--json"))
		}
		for _, args := range forms {
			if path == "new" {
				require.NoError(t, os.RemoveAll(args[1]))
			}
			errs.Reset()
			require.Equal(t, failing, command(args, strings.NewReader(""), &limited{&out, 0, syscall.ENOSPC}, &errs),
				"%v", args)
			require.Contains(t, errs.String(), "emsim: standard output could not be written: no space left on device\n",
				"%v", args)
		}
	})
}

// If the name of an output is missing, the next flag is not taken for the name: no command creates a file with that
// name, or with a negative number as its name.
func TestForgottenValues(t *testing.T) {
	seen := 0
	everyCommand(t, func(path string, args []string) {
		cmd, _, err := newRootCmd(&app{}).Find(strings.Fields(path))
		require.NoError(t, err)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, ok := f.Annotations[writes]; !ok {
				return
			}
			seen++
			for _, v := range []string{"--json", "-x", "--nothing=3", "-3"} {
				status, out, errs := emsim(append(args, "--"+f.Name, v)...)
				require.Equal(t, wrong, status, "%v --%s %s", args, f.Name, v)
				require.Regexp(t, "-"+f.Name[:1]+".* (is "+v+
					", which looks like a flag or a number|needs a file that ends in)", out+errs, "%v", args)
			}
		})
	})
	require.Greater(t, seen, 30)
	files, err := filepath.Glob("-*")
	require.NoError(t, err)
	require.Empty(t, files)
}

// A dash stands for standard output only where the help says so.
func TestDashIsNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range []string{
		"run fib 3 --pes 12 --stats -", "trace fib 3 --pes 12 -o -", "plot mnc-efficiency -o -",
		"mnc run --items 5 --series -", "balance compare --csv -",
	} {
		status, _, errs := emsim(strings.Fields(line)...)
		require.Equal(t, wrong, status, line)
		require.Regexp(t, "is -, which does not mean standard output here|needs a file that ends in", errs, line)
	}
	require.NoFileExists(t, "-")
}

// A command that prints a list rejects flags that have an effect only with a choice from the list.
func TestListsTakeNoFlags(t *testing.T) {
	for _, path := range []string{"plot"} {
		cmd, _, err := newRootCmd(&app{}).Find(strings.Fields(path))
		require.NoError(t, err)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			value := map[string]string{"stringArray": "a=b", "string": "x.svg", "bool": "true"}[f.Value.Type()]
			if value == "" {
				value = "5"
			}
			status, _, errs := emsim(append(strings.Fields(path), "--"+f.Name+"="+value)...)
			require.Equal(t, wrong, status, "%s --%s", path, f.Name)
			require.Contains(t, errs, "--"+f.Name+" has no effect without the name of ", path)
		})
	}
}

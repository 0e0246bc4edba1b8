//go:build unix

package command

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// readBy maps the flags that name an input file to the ending of such a file.
var readBy = map[string]string{
	"commands": ".cmds", "check": ".csv", "constants": ".toml", "graph": ".txt", "hosts": ".txt", "incidence": ".txt",
	"machine": ".toml", "map": ".txt",
	"policy": ".go", "resume": ".ckp", "switches": ".txt", "topology": ".txt", "trace": ".txt",
	"work": ".txt", "workload-file": ".toml", "arrivals": ".txt",
}

// readNone lists the flags with text that names no file.
var readNone = strings.Fields(`addr algorithm application blocks define explain export form format from guards include
	inputs junit knob loaded method neighbour network objective only parallel param partition pattern pe placement
	reference restraint sbatch-arg scheme send set shape share show slow slow-at dead-at template threads time to vs
	wiring workload x y load`)

// choices lists exceptions: flags of these names that take no file. needed maps flags to the lines that they need
// instead of the lines of works.
var (
	choices = map[string]bool{
		"balance validate --map": true, "mnc run --topology": true,
		"mnc topology --topology": true, "mnc run --policy": true, "rhinet run --policy": true,
		"spmd run --policy": true, "new --policy": true,
		"balance validate --policy": true,
	}
	needed = map[string]string{
		"build --machine": "fib.go -o OUT.s --placement auto", "plot --resume": "timeline -o OUT.svg",
		"report --resume": "-o OUT.html", "trace --resume": "-o OUT.txt",
		"run --resume": "", "debug --resume": "", "profile --resume": "", "mnc run --resume": "",
		"rhinet run --resume": "", "spmd run --resume": "", "pdes run --resume": "",
	}
)

// readAs lists command lines that read a file named odd, as an argument or because another file names it. Lines with
// the folder package have such a file in it.
var readAs = []string{
	"run odd.s", "run odd.go", "run odd.emo", "run odd", "run package", "run package/main.go package/odd.go 3",
	"run includes.s", "run fib 3 --param policy=odd.s",
	"run given.s --param x=odd.s", "asm odd.s", "asm includes.s", "dis odd.emo", "build odd.go", "build package",
	"trace odd.s", "debug odd.s", "profile odd.s",
	"plot timeline odd.s -o OUT.svg", "plot speedup odd.s -o OUT.svg",
	"plot motion odd.s -o OUT.svg", "plot blocks odd.go -o OUT.svg", "plot series odd.csv -o OUT.svg",
	"report odd.s -o OUT.html", "diff odd.ckp odd.ckp",
	"diff odd.s --vs seed=2", "play odd.s --no-open", "play odd.go --no-open", "machine show odd.toml",
	"again odd.json", "again odd.csv", "again input.json",
	"grade odd.toml", "grade solution.toml", "grade program.toml", "sweep odd.toml", "sweep grid.toml",
	"sweep machine.toml",
	"sweep work.toml", "sweep policy.toml", "balance run --workload odd.toml", "new package/x.go",
}

// handedIn lists command lines that grade such a file: it is rejected, and the other files are checked.
var handedIn = []string{"three odd.s", "three odd.go", "three includes.s", "way odd.toml"}

// odd lists files that no user means: a pipe, which waits for a writer; a link to an endless device; and a text of a
// TiB.
var odd = map[string]struct {
	put  func(name string) error
	says string
}{
	"pipe": {func(name string) error { return syscall.Mkfifo(name, 0o600) }, "is a pipe: expected a file"},
	"device": {
		func(name string) error { return os.Symlink("/dev/zero", name) },
		"is a device: expected a file|is a link out of the folder",
	},
	"huge": {func(name string) error {
		err := os.WriteFile(name, []byte(strings.Repeat("\n", 1<<13)), 0o600)
		if err == nil {
			err = os.Truncate(name, 1<<40)
		}
		return err
	}, "too large| is (assembly )?text, not "},
}

// beside maps the files that name the odd file to their texts.
var beside = map[string]string{
	"input.json":    `{"recipe": {"version": "0.1.0", "fingerprint": "x", "command": "emsim run odd.s", "inputs": [{"name": "odd.s", "sha256": "00"}]}}`,
	"includes.s":    "        .start main\nmain:   out! r0\n        .include \"odd.s\"\n",
	"given.s":       "        .param x, zero, \"*.s\"\n        .start main\n        .include x\nmain:   out! r0\n",
	"zero.s":        "",
	"solution.toml": "kind = 'program'\nprogram = 'zero.s'\nsolution = 'odd.s'\n",
	"program.toml":  "kind = 'program'\nprogram = 'odd.s'\nsolution = 'odd.s'\n",
	"grid.toml":     "[[grid]]\nprogram = ['odd.s']\npes = [12]\n",
	"machine.toml":  "[[grid]]\nprogram = ['fib 3']\nmachine = ['odd.toml']\n",
	"work.toml":     "[[grid]]\nmachine = 'mnc'\nfile = {work = ['odd.txt']}\n",
	"policy.toml":   "[[grid]]\nprogram = ['fib 3']\npes = [12]\nparam = {policy = ['odd.s']}\n",
	"s.toml":        "[[grid]]\nprogram = ['fib 3']\npes = [12]\n",
	"fib.go":        "",
}

// Every command that reads a file rejects an odd one at once, and names it, without using memory for its contents.
func TestOddFiles(t *testing.T) {
	main, err := os.ReadFile("../../programs/go/fib/fib.go")
	require.NoError(t, err)
	for kind, o := range odd {
		t.Run(kind, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.Mkdir("package", 0o700))
			require.NoError(t, os.WriteFile("package/main.go", main, 0o600))
			for name, text := range beside {
				require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
			}
			for _, name := range []string{
				"odd", "odd.s", "odd.go", "odd.emo", "odd.ckp", "odd.csv", "odd.json",
				"odd.toml", "odd.txt", "odd.cmds", "package/odd.go", "package/go.mod",
			} {
				require.NoError(t, o.put(name))
			}
			refuse := func(line string) {
				status, out, errs := soon(t, line)
				if said := out + errs; status != wrong || !regexp.MustCompile(o.says).MatchString(said) ||
					!regexp.MustCompile(`odd|go\.mod`).MatchString(said) {
					t.Errorf("emsim %s: status %d, expected %d and %q: %s", line, status, wrong, o.says, said)
				}
			}
			for _, line := range readAs {
				refuse(strings.ReplaceAll(line, "OUT", filepath.Join(t.TempDir(), "out")))
			}
			for _, line := range handedIn {
				status, out, errs := soon(t, "grade "+line)
				require.Equal(t, failing, status, errs)
				require.Regexp(t, o.says, out, line)
			}
			status, _, errs := soon(t, "run package/main.go 3 --pes 12")
			require.Zero(t, status, "what lies beside a program is no matter: %s", errs)
			eachCommand(func(path string, cmd *cobra.Command) {
				cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
					ext, reads := readBy[f.Name]
					if strings.Contains(f.Usage, "FILE.toml: one of your own") {
						ext = ".toml"
					}
					line, short := works[path]
					if !short || !reads || ofRun(cmd, f) {
						return
					}
					if flag := path + " --" + f.Name; choices[flag] {
						return
					} else if given, ok := needed[flag]; ok {
						line = given
					}
					refuse(strings.ReplaceAll(path+" "+line+" --"+f.Name+" odd"+ext,
						"OUT", filepath.Join(t.TempDir(), "out")))
				})
			})
		})
	}
}

// soon runs a command line that must end at once.
func soon(t *testing.T, line string) (status int, out, errs string) {
	ended := make(chan bool)
	go func() {
		status, out, errs = emsim(strings.Fields(line)...)
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Fatalf("emsim %s does not end", line)
	}
	return status, out, errs
}

// Every flag with text is known to the test above, as a file or as other text.
func TestOddFilesHaveAllFlags(t *testing.T) {
	eachCommand(func(path string, cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, writes := f.Annotations[writes]
			number := numbers[f.Value.Type()] != nil || f.Value.Type() == "bool"
			if _, reads := readBy[f.Name]; !reads && !number && !writes && !slices.Contains(laterWritten, f.Name) {
				require.Contains(t, readNone, f.Name, "%s --%s: does it name a file?", path, f.Name)
			}
		})
	})
}

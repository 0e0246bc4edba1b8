//go:build unix

package command

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// strangeNames are parts of file names that shells, flags, tables, TOML files and programs might misread. The first
// contains nearly all special characters.
var strangeNames = []string{
	`-a "b", it's 50%d#=프\c`, "two words", "it's", `a "b"`, "a,b", "50%", "a#b", "-dash", "--json", "a=b", "=1+1",
	"@SUM(1)", "+1", "日本語", "עברית", `c:\dir\b`, "C:x", "a;b", "$HOME", "*", "[1]", "{a}", "a|b", "`b`", "~", "!x",
}

// named lists command lines in which @ stands for a strange name, with the files that 'emsim again' makes again; OUT is
// the answer. Later lines read files that earlier lines wrote.
var named = []struct{ line, again string }{
	{"asm @.s -o @.emo --listing @.lst --json", "OUT"},
	{"asm @-includes.s -o @-includes.emo -I . --json", "OUT"},
	{"dis @.emo --json", ""},
	{"run @.s --machine @.toml --stats @1.csv --series @2.csv --sample 50 --json", "OUT @1.csv @2.csv"},
	{"run @.emo --json", "OUT"},
	{"run @-includes.s -I @.lib --json", "OUT"},
	{"run @.go 3 --pes 12 --json", "OUT"},
	{"run fib 3 --pes 12 --param policy=@-near.s --json", "OUT"},
	{"run fib 3 --pes 12 --policy @-near.s --json", "OUT"},
	{"run fib 4 --pes 12 --checkpoint @.ckp --at 40", "@.ckp"},
	{"run --resume @.ckp --json", "OUT"},
	{"run fib 3 --pes 12 --profile @.prof", ""},
	{"build @.go -o @-built.s --json", "OUT"},
	{"run @-built.s 3 --pes 12 --json", "OUT"},
	{"trace @.s --pes 12 -o @.vcd --json", "OUT @.vcd"},
	{"debug @.s --pes 12 --commands @.cmds", ""},
	{"profile @.s --pes 12 --csv @3.csv --path @4.csv --pprof @.pb --json", "OUT @3.csv @4.csv @.pb"},
	{"plot timeline @.s --pes 12 -o @.svg --json", "OUT @.svg"},
	{"plot speedup @.s --pes 32 -o @-u.svg", "@-u.svg"},
	{"plot motion @.s --pes 12 -o @-m.svg", "@-m.svg"},
	{"plot blocks @.go -o @-b.svg", "@-b.svg"},
	{"report @.s --pes 12 -o @.html --json", "OUT @.html"},
	{"diff @.s --pes 12 --vs seed=2 --json", "OUT"},
	{"machine show @.toml --json", "OUT"},
	{"grade @-task.toml @-good.s --junit @.xml --json", ""},
	{"sweep @-sweep.toml -o @.sweep --csv @5.csv --plot @-p.svg --reference seed=2 --json", "OUT @5.csv"},
	{"sweep @-sweep.toml -o @.sweep --check @5.csv --reference seed=2", ""},
	{"sweep @-sweep.toml -o @.shares --share 1/1", ""},
	{"sweep @-sweep.toml -o @.shares --status --json", ""},
	{"sweep @-sweep.toml -o @.shares --collect --csv @6.csv --json", "OUT @6.csv"},
	{"net traffic --pes 12 --clocks 50 --machine @.toml --stats @7.csv --json", "OUT @7.csv"},
	{"mnc run --items 5 --loops 3 --work @-work.txt --series @8.csv --events @9.csv --json", "OUT @8.csv @9.csv"},
	{"plot series @8.csv -o @-s.svg", "@-s.svg"},
	{"mnc run --items 5 --incidence @.mnc --checkpoint @-m.ckp --at 100 --json", "OUT @-m.ckp"},
	{"mnc run --resume @-m.ckp --json", "OUT"},
	{"mnc plot gave --items 5 -o @-m.svg --json", "OUT @-m.svg"},
	{"mnc trace --items 5 -o @-m.vcd", "@-m.vcd"},
	{"rhinet run --nodes 8 --rows 64 --policy glb --hosts @-rhinet.txt --json", "OUT"},
	{"spmd run --loaded 1 --topology @-ring.txt --hosts @-spmd.txt --json", "OUT"},
	{"spmd report --tasks 3 -o @-s.html --json", "OUT @-s.html"},
	{"pdes cost --graph @-graph.txt --map @-map.txt --shape 2 --json", "OUT"},
	{"pdes patterns --json", ""},
	{"balance compare --policy stealing --workload uneven --workers 2 --grain 3 --seeds 1 --constants @-numbers.toml " +
		"--csv @10.csv --json", "OUT @10.csv"},
	{"balance compare --policy @-rule.toml --workload-file @-load.toml --workers 2 --grain 3 --seeds 1 --json", "OUT"},
	{"balance run --arrivals @-jobs.txt --workers 4 --json", "OUT"},
	{"balance compare --policy none --arrivals @-jobs.txt --workers 4 --seeds 1 --json", "OUT"},
	{"new @-new.s", ""},
	{"verify 002.t1 --json", "OUT"},
}

// contents maps the files of a name to their texts; @ stands for the name, quoted as in TOML and assembly.
var contents = map[string]string{
	"@.s": "        .start main\nmain:   out! r0\n", "@.toml": "machine = \"em4\"\npes = 12\nhop_clocks = 2\n",
	"@.inc.s": "        .equ one, 1\n",
	"@-includes.s": "        .include \"@.inc.s\"\n        .include \"equ.s\"\n        .start main\nmain:   mov r1, " +
		"one + two\n        out! r1\n",
	"equ.s": "        .equ two, 2\n", "@.lib/equ.s": "        .equ two, 2\n",
	"@.cmds": "step\nquit\n", "@-good.s": "        .arg n, 1, 1000, main\nmain:   add r1, r1, r1\n        out! r1\n",
	"@-begin.s": "        .arg n, 1, 1000, main\nmain:   out! r1\n",
	"@-task.toml": "kind = \"program\"\nprogram = \"@-begin.s\"\nsolution = \"@-good.s\"\ncase = [{args = " +
		"[4]}]\nhidden = {cases = 3, args = [[1, 1000]]}\n",
	"@-sweep.toml": "title = \"@\"\n[[grid]]\nprogram = [[\"@.s\"], [\"@-good.s\", 3]]\nmachine = " +
		"[\"@.toml\"]\nseed = [1, 2]\n",
	"@-work.txt": "0 source 100 5\n", "@.mnc": "source in\nsink out\nqpr in: 0\nqpr ab: 0 1\nqpr bc: 1 " +
		"2\nqpr out: 2\n",
	"@-rhinet.txt": "speed 0-2 1.25\n", "@-spmd.txt": "tasks 0 25\n", "@-ring.txt": "0 > 1\n1 > 2\n2 > 0\n",
	"@-graph.txt": "lp a 100\nlp b 100\nchannel a b 0.4\n", "@-map.txt": "a 1\nb 1\n",
	"@-numbers.toml": "interval = 13.2\nhold = 50\n",
	"@-rule.toml": "name = \"two choices\"\ninformation = \"probe\"\nprobes = 2\ntrigger = \"birth\"\namount = " +
		"\"one\"\nrange = \"all\"\n",
	"@-load.toml": "name = \"few\"\nshape = \"bag\"\nunits = 20\n", "@-jobs.txt": "0 10 0\n5 20 1\n",
}

// called replaces @ in a line by a name. It writes ./ before a leading dash, as a user has to.
func called(line, name string) []string {
	words := strings.Fields(line)
	for i, word := range words {
		if strings.HasPrefix(word, "@") && strings.HasPrefix(name, "-") {
			word = "./" + word
		}
		words[i] = strings.ReplaceAll(word, "@", name)
	}
	return words
}

// nameFolder makes a folder with the files of a name, and changes to it.
func nameFolder(t *testing.T, name string) {
	fib, err := os.ReadFile("../../programs/go/fib/fib.go")
	require.NoError(t, err)
	near, err := os.ReadFile("../../docs/sweeps/policies/near.s")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	put := func(file, text string) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	require.NoError(t, os.Mkdir(name+".lib", 0o700))
	for file, text := range contents {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\x1b", `\x1b`, "\x07", `\x07`).Replace(name)
		if strings.HasSuffix(file, ".toml") {
			quoted = strings.ReplaceAll(quoted, `\x`, `\u00`)
		}
		put(strings.ReplaceAll(file, "@", name), strings.ReplaceAll(text, "@", quoted))
	}
	put(name+".go", string(fib))
	put(name+"-near.s", string(near))
}

// everyNamed runs all lines with a name, and makes their files again.
func everyNamed(t *testing.T, name string) {
	nameFolder(t, name)
	for _, x := range named {
		status, out, errs := emsim(called(x.line, name)...)
		if status != 0 {
			t.Errorf("%s, named %s: status %d: %s%s", x.line, name, status, out, errs)
			continue
		}
		for _, file := range strings.Fields(x.again) {
			if file == "OUT" {
				file = "@-out.json"
				require.NoError(t, os.WriteFile(name+"-out.json", []byte(out), 0o600))
			}
			status, out, errs := emsim(called("again "+file, name)...)
			if status != 0 {
				t.Errorf("%s, named %s: again %s: status %d: %s%s", x.line, name, file, status, out, errs)
			}
		}
	}
	files, err := filepath.Glob("*")
	require.NoError(t, err)
	for _, file := range files {
		require.True(t, strings.Contains(file, name) || strings.HasPrefix(file, "equ.s"), "nobody has named %q", file)
	}
}

// Every command that reads or writes a file accepts any file name. This tests one name; the slow test tries all.
func TestAnyName(t *testing.T) { everyNamed(t, strangeNames[0]) }

// The lines use each flag that names a file at least once.
func TestAnyNameHasAllFlags(t *testing.T) {
	without := strings.Fields("switches export dir")
	all := ""
	for _, x := range named {
		all += x.line + " "
	}
	eachCommand(func(path string, cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, reads := readBy[f.Name]
			_, writes := f.Annotations[writes]
			flag := regexp.MustCompile(`--` + f.Name + ` (policy=)?@|-` + f.Shorthand + ` (@|OUT)`)
			if (reads || writes) && !choices[path+" --"+f.Name] && !slices.Contains(without, f.Name) {
				assert.Regexp(t, flag, all, "%s --%s", path, f.Name)
			}
		})
	})
}

// Slurm accepts such names too: its tasks run the shares, and a job makes the table.
func TestAnyNameInSlurm(t *testing.T) { namedInSlurm(t, strings.ReplaceAll(strangeNames[0], `\`, "")) }

func namedInSlurm(t *testing.T, name string) {
	nameFolder(t, name)
	onlyCommands(t, map[string]string{
		"squeue": "", "scancel": "",
		"sbatch": `script=$(/bin/cat)
task() { printf '%s\n' "$script" | SLURM_CPUS_PER_TASK=1 SLURM_ARRAY_TASK_ID=$1 /bin/sh >&2 || exit; }
case "$*" in *--array=*) task 1 && task 2; echo 17;; *) task 0; echo 18;; esac`,
	})
	status, out, errs := emsim(called("sweep @-sweep.toml -o @.sweep --slurm 2 --csv @.csv", name)...)
	if strings.Contains(name, `\`) { // Slurm's own limit
		require.Equal(t, wrong, status)
		require.Contains(t, errs, "its name has a backslash or a control character")
		return
	}
	require.Zero(t, status, "%s%s", out, errs)
	table, err := os.ReadFile(name + ".csv")
	require.NoError(t, err, "%s%s", out, errs)
	require.Equal(t, 5, strings.Count(string(table), "\n"), "four runs, and the head")
	status, out, errs = emsim(called("again @.csv", name)...)
	require.Zero(t, status, "%s%s", out, errs)
	require.NoError(t, os.RemoveAll(name+".sweep"), "it has a copy of the executable")
}

package command

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"emsim/internal/base/lists"
)

// larger lists replacements for lines of works whose runs are too short to show the effect of every knob.
var larger = map[string]string{
	"debug": "fib 5 --pes 12 --commands look.cmds", "mnc run": "--items 3000",
	"net traffic": "--pes 12 --clocks 400 --load 0.3", "pdes calibrate": "--shape 2x2 --slots 20",
	"pdes run":   "--slots 50",
	"plot":       "timeline fib 5 --pes 12 --policy random -o OUT.svg",
	"rhinet run": "--nodes 48 --rows 64 --policy glb --loaded one",
}

// moreModes lists command lines in which other flags matter than in the lines of works.
var moreModes = []string{
	"run fib.go 5 --pes 12", "run p.emo --pes 12", "run fib 5 --pes 12 --mlpe --runs 2", "run --resume fib.ckp",
	"trace --resume fib.ckp",
	"asm lib.s -o OUT.emo", "dis lib.s", "diff fib.ckp fib2.ckp", "diff fib.json fib2.json", "grade three right.s",
	"plot", "plot mnc-efficiency -o OUT.svg", "plot blocks fib.go -o OUT.svg", "plot series load.csv -o OUT.svg",
	"plot speedup fib 5 --pes 80 --policy random -o OUT.svg",
	"plot motion fib 5 --pes 12 --policy random -o OUT.svg",
	"plot links fib 5 --pes 12 --policy random -o OUT.svg",
	"plot load fib 5 --pes 12 --policy random -o OUT.svg", "plot timeline --resume fib.ckp -o OUT.svg",
	"ask cost fib 5 --pes 12 --mlpe", "ask part fib 5 --pes 12 --vs policy=line",
	"profile fib 5 --pes 12 --mlpe", "profile --resume fib.ckp", "report --resume fib.ckp -o OUT.html",
	"net traffic --curve --workers 12 --clocks 200 --warm 50", "machine show mnc", "machine show spmd",
	"machine show m.toml",
	"mnc run --items 3000 --policy naive", "mnc run --work work.txt", "mnc run --incidence own.mnc --items 3000",
	"mnc run --resume mnc.ckp", "mnc topology --topology net16",
	"rhinet run --nodes 48 --rows 64", "rhinet run --nodes 48 --rows 64 --application heat --steps 120",
	"rhinet run --nodes 48 --rows 64 --hosts hosts.txt",
	"rhinet run --nodes 48 --rows 64 --network ethernet --loaded two",
	"spmd run --topology ring.txt --loaded 1", "spmd run --loaded-share 50", "spmd run --policy none",
	"spmd run --resume spmd.ckp",
	"pdes run --slots 50 --migrate-at 100 --objective load",
	"pdes run --slots 50 --map greedy --background 2 --noise-slow 1",
	"pdes run --slots 50 --graph graph.txt", "pdes run --resume pdes.ckp",
	"pdes cost --graph graph.txt", "pdes cost --shape 4 --map greedy", "pdes scatter --runs 2 --graph graph.txt",
	"balance run --policy clb --workload poisson --workers 3 --grain 3",
	"balance run --arrivals jobs.swf --parallel first --policy power --workers 3 --grain 3",
	"balance compare --policy clb --workload poisson --workers 2 --grain 3 --seeds 2",
	"balance compare --policy none --workers 2 --grain 3 --seeds 1 --arrivals jobs.txt",
	"balance compare --policy clb --workload-file few.toml --workers 2 --grain 3 --seeds 2 --precision 0",
	"sweep s.toml -o OUT.sweep --dry-run", "sweep s.toml -o done.sweep --status",
	"sweep s.toml -o done.sweep --collect",
	"verify --score 002",
}

// given maps flags whose type does not determine valid values to such values.
var given = map[string][]string{
	"again --inputs": {"inputs"}, "include": {"lib"}, "define": {"size=4"}, "commands": {"look.cmds"},
	"resume": {"fib.ckp"}, "mnc resume": {"mnc.ckp"}, "spmd resume": {"spmd.ckp"}, "pdes resume": {"pdes.ckp"},
	"rhinet resume": {"rhinet.ckp"},
	"machine":       {"m.toml"}, "net machine": {"m.toml"}, "mnc machine": {"mnc.toml"},
	"rhinet machine": {"rhinet.toml"},
	"spmd machine":   {"spmd.toml"}, "pdes machine": {"pdes.toml"},
	"set": {"hop_clocks=5"}, "net set": {"hop_clocks=5"}, "mnc set": {"cost_loop=9"},
	"rhinet set": {"mpi_message=50us"}, "spmd set": {"interval=1s"}, "pdes set": {"cell=5000", "hop=900"},
	"balance set": {"message=900", "interval=50"},
	"parallel":    {"split"}, "param": {"policy=line"}, "policy": {"line", "own.s"},
	"balance policy": {"two.toml", "mnc-auto"}, "placement": {"auto"}, "vs": {"policy=line", "hop_clocks=5"},
	"mnc vs":    {"pes=3"},
	"rhinet vs": {"seed=2"}, "balance vs": {"policy=power"}, "balance run --policy": {"two.toml", "power"},
	"balance run --workload": {"few.toml", "tree"}, "arrivals": {"jobs.txt"}, "balance run --load": {"0.5"},
	"balance run --set": {"message=900"}, "spmd vs": {"tasks=9"}, "pdes vs": {"cell=80"}, "net vs": {"load=0.3"},
	"explain": {"002.t1.P1"}, "knob": {"hop_clocks"}, "graph": {"graph.txt"},
	"map": {"map.txt", "greedy", "round-robin"}, "hosts": {"hosts.txt"}, "spmd hosts": {"shosts.txt"},
	"incidence": {"own.mnc"}, "work": {"work.txt"}, "topology": {"ring.txt"}, "mnc topology": {"net16", "mnc"},
	"switches": {"switches.txt"}, "slow": {"1=300"}, "slow-at": {"50:1=300"}, "dead-at": {"5:1"},
	"workload": {"tree", "bursty"}, "workload-file": {"few.toml"},
	"constants": {"constants.toml"}, "load": {"0.5"},
	"pdes load": {"0.3"}, "net load": {"0.3"}, "stages": {"2", "4"}, "idle-max": {"64"},
	"pa-min": {"0.95"}, "pa-max": {"1.02"}, "pdes slots": {"30"}, "pattern": {"hotspot", "uniform"}, "pe": {"0.1"},
	"from": {"+3"}, "to": {"+9"}, "shape": {"4x2"}, "grain": {"7"}, "workers": {"12"},
	"balance workers": {"3"}, "only": {"002"},
	"share": {"1/2"}, "check": {"old.csv"}, "reference": {"pes=12"}, "x": {"pes"}, "y": {"clocks"},
	"partition": {"any"}, "time": {"1:00:00"}, "sbatch-arg": {"--mem=4G"}, "loaded": {"1"},
	"rhinet loaded": {"two"},
	"threads":       {"2"}, "format": {"vcd", "perfetto"}, "template": {"loop"},
}

// unused maps flags and commands without a visible effect to the reason.
var unused = map[string]string{
	"threads":   "a promise: the state at every clock is the same with any number",
	"jobs":      "a promise: the answers are the same with any number",
	"include":   "folders to look in, as of other assemblers: a program need not include from each; of Go see below",
	"stall":     "when to give up: a run that goes on is the same with any limit",
	"play":      "serves until it is stopped: its flags have tests of their own",
	"calibrate": "measures for minutes: its flags have tests of their own",
}

// usedFiles maps the files that the lines and values name to their texts.
var usedFiles = map[string]string{
	"lib.s": "\t.param size = 3, 1, 9\n\t.start main\nmain:\tnop\n\tout! r1\n\t.space " +
		"size\nlist:\t.word 7, size\n",
	"right.s":      "",
	"s.toml":       "[[grid]]\nprogram = [\"fib 3\", \"fib 4\"]\npes = [12, 80]\n",
	"ring.txt":     "0 > 1 2\n1 > 2 0\n2 > 0 1\n",
	"two.toml":     "name = \"two\"\ninformation = \"probe\"\nprobes = 2\ntrigger = \"birth\"\namount = \"one\"\n",
	"few.toml":     "name = \"few\"\nshape = \"bag\"\narrivals = \"poisson\"\nload = 70\n",
	"switches.txt": "switch left 0-5\nswitch right 6 7 left\n", "constants.toml": "interval = 50\nmessage = 900\n",
	"jobs.swf": "; Version: 2.2\n1 0 -1 100 1 -1 -1 1 -1 -1 1 1 1 -1 1 -1 -1 -1\n2 5 -1 50 4 -1 -1 4 -1 -1 1 1 1 " +
		"-1 1 -1 -1 -1\n", "jobs.txt": "0 1000 1\n500 3000\n500 2000 1\n8000 10 0\n", "look.cmds": "until got2\nunit\n",
	"mnc.toml": "machine = \"mnc\"\ncost_loop = 9\n", "rhinet.toml": "machine = \"rhinet\"\nmpi_message = \"50us\"\n",
	"spmd.toml": "machine = \"spmd\"\ninterval = \"1s\"\n", "pdes.toml": "machine = \"pdes\"\ncell = 5000\nhop = 900\n",
	"m.toml": "hop_clocks = 5\n",
}

// prepared lists command lines that make further files.
var prepared = []string{
	"asm p.s -o p.emo", "run fib 5 --pes 12 --checkpoint fib.ckp --at 50",
	"run fib 5 --pes 12 --mlpe --checkpoint fib2.ckp --at 50",
	"mnc run --items 60 --loops 30 --checkpoint mnc.ckp --at 50", "spmd run --seed 2 --checkpoint spmd.ckp --at 5s",
	"pdes run --slots 20 --checkpoint pdes.ckp --at 50",
	"rhinet run --nodes 8 --rows 64 --checkpoint rhinet.ckp --at 1us",
	"mnc run --items 60 --loops 30 --series load.csv", "sweep s.toml -o done.sweep --csv old.csv", "new own.s --policy",
}

// valuesOf returns values of a flag that are not its default.
func valuesOf(cmd *cobra.Command, f *pflag.Flag) []string {
	path := strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "emsim"))
	kind, _, _ := strings.Cut(path, " ")
	for _, key := range []string{path + " --" + f.Name, kind + " " + f.Name, f.Name} {
		_, number := numbers[f.Value.Type()]
		if list := given[key]; list != nil && (!number || key != f.Name || strings.HasSuffix(f.Value.Type(), "Slice") ||
			f.Name == "stages" || strings.HasPrefix(f.Name, "pa-") || f.Name == "idle-max") {
			return list
		}
	}
	if _, writes := f.Annotations[writes]; writes {
		return []string{"made.csv", "made.svg", "made.html", "made.txt"}
	}
	if v, err := strconv.ParseFloat(f.DefValue, 64); err == nil && v != 0 && f.Value.Type() != "string" {
		return []string{fmt.Sprint(2 * v), fmt.Sprint(v + 1), fmt.Sprint(v / 2), "3", "1", fmt.Sprint(50 * v)}
	}
	switch f.Value.Type() {
	case "duration":
		return []string{"20ms", "300ms", "7s", "1us"}
	case "string":
		if complete, ok := cmd.GetFlagCompletionFunc(f.Name); ok {
			list, _ := complete(cmd, []string{"fib"}, "")
			list = slices.DeleteFunc(lists.Of(list, func(c cobra.Completion) string {
				v, _, _ := strings.Cut(c, "\t")
				return v
			}), func(v string) bool { return v == f.DefValue })
			if len(list) > 0 {
				return list
			}
		}
	case "float64":
		return []string{"0.5", "20"}
	}
	return []string{"3", "1", "20"}
}

// timings matches output that differs from run to run, or describes how a result was made.
var timings = regexp.MustCompile(`(?m)^(wall time|simulated in|simulated) .*$|` +
	`"(wall_seconds|fast_share|[a-z_]+_per_second)": [-+0-9.e]+|(?s:<metadata>.*?</metadata>)|` +
	`(?s:<script type="application/json".*?</script>)|^.*emsim-recipe.*$|Date: .*|, [0-9,]+ bytes|"bytes": \d+`)

// outcome runs a line, and returns its status and everything visible: what it prints, and the files that it writes.
func outcome(t *testing.T, folder string, args []string) (status int, seen string) {
	before := textsIn(t, folder)
	status, out, errs := emsim(args...)
	all := []string{withoutRecipes(out), errs}
	for name, text := range textsIn(t, folder) {
		if old, was := before[name]; was && old == text {
			continue
		}
		if filepath.Ext(name) != ".json" && filepath.Ext(name) != ".pprof" {
			all = append(all, name+": "+withoutRecipes(text))
		} else {
			all = append(all, name)
		}
		if _, was := before[name]; !was {
			require.NoError(t, os.Remove(filepath.Join(folder, name)))
		}
	}
	slices.Sort(all[2:])
	return status, timings.ReplaceAllString(strings.Join(all, "\n"), "")
}

// inJSON returns the JSON answer of a line, without parts that only repeat the line.
func inJSON(t *testing.T, folder string, args []string) string {
	_, seen := outcome(t, folder, slices.Concat([]string{"--json"}, args))
	return unequal.ReplaceAllString(seen, "")
}

// textsIn returns the texts of the files in a folder.
func textsIn(t *testing.T, folder string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		name, _ = filepath.Rel(folder, name)
		all[name] = string(text)
		return err
	}))
	return all
}

// usedFolder makes a folder with all files that lines and values name.
func usedFolder(t *testing.T) string {
	copied := map[string]string{
		"fib.go": "programs/go/fib/fib.go", "right.s": "internal/machine/exercise/library/three-right.s",
		"graph.txt": "docs/examples/pdes-graph.txt", "map.txt": "docs/examples/pdes-map.txt",
		"hosts.txt": "docs/examples/rhinet-hosts.txt", "shosts.txt": "docs/examples/spmd-hosts.txt",
		"work.txt": "docs/examples/mnc-work.txt",
	}
	texts := map[string]string{}
	for name, from := range copied {
		text, err := os.ReadFile("../../" + from)
		require.NoError(t, err)
		texts[name] = string(text)
	}
	folder := t.TempDir()
	t.Chdir(folder)
	require.NoError(t, os.Mkdir("lib", 0o700))
	require.NoError(t, os.Mkdir("inputs", 0o700))
	require.NoError(t, os.WriteFile("p.s", []byte("\n        .start main\nmain:   out! r0\n"), 0o600))
	for _, files := range []map[string]string{usedFiles, texts} {
		for name, text := range files {
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
	}
	for _, line := range prepared {
		status, _, errs := emsim(strings.Fields(line)...)
		require.Zero(t, status, "%s: %s", line, errs)
	}
	for name, line := range map[string]string{
		"a.json": "net --pes 12 --json", "own.mnc": "mnc topology --pes 14",
		"fib.json": "run fib 5 --pes 12 --json", "fib2.json": "run fib 5 --pes 12 --mlpe --json",
	} {
		_, out, _ := emsim(strings.Fields(line)...)
		require.NoError(t, os.WriteFile(name, []byte(out), 0o600))
	}
	return folder
}

// In every command and mode, every flag that names a file or a value is used, or rejected with the reason: some value
// changes the output, or every value is an error.
func TestEveryFlagIsUsed(t *testing.T) {
	require.LessOrEqual(t, len(unused), 10)
	lines := map[string][]string{}
	eachCommand(func(path string, _ *cobra.Command) {
		if line, short := works[path]; short && unused[path] == "" {
			lines[path] = append(lines[path], strings.TrimSpace(path+" "+cmp.Or(larger[path], line)))
		}
	})
	root := newRootCmd(&app{})
	for _, line := range moreModes {
		cmd, _, err := root.Find(strings.Fields(line))
		require.NoError(t, err, line)
		path := strings.TrimPrefix(cmd.CommandPath(), "emsim ")
		require.Contains(t, lines, path, line)
		lines[path] = append(lines[path], line)
	}
	folder, turn, seen := usedFolder(t), 0, 0
	completing := &app{args: []string{cobra.ShellCompRequestCmd}}
	eachCommandOf(completing, func(path string, cmd *cobra.Command) {
		for _, line := range lines[path] {
			args := strings.Fields(strings.ReplaceAll(line, "OUT", "out"))
			isGo := slices.Contains(args, "fib.go")
			wants := sync.OnceValues(func() (int, string) { return outcome(t, folder, args) })
			cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
				turn++
				if unused[f.Name] != "" && !(isGo && f.Name == "include") || f.Value.Type() == "bool" ||
					ofRun(cmd, f) || turn%everyNthFlag != 0 ||
					slices.ContainsFunc(args, func(arg string) bool {
						return arg == "--"+f.Name || f.Shorthand != "" &&
							arg == "-"+f.Shorthand
					}) {
					return
				}
				seen++
				status, base := wants()
				if status == wrong {
					t.Errorf("%v: %s", args, base)
				} else if text := ignored(t, folder, args, cmd, f, base); text != "" {
					t.Errorf("%v: --%s is taken and changes nothing: tried %s", args, f.Name, text)
				}
			})
		}
	})
	require.Greater(t, seen, 1000/everyNthFlag)
	t.Logf("%d flags", seen)
}

// ignored returns the values with which a flag is accepted but has no effect, or "".
func ignored(t *testing.T, folder string, args []string, cmd *cobra.Command, f *pflag.Flag, base string) string {
	var taken []string
	for _, v := range valuesOf(cmd, f) {
		if v == f.DefValue {
			continue
		}
		with := slices.Concat(args, []string{"--" + f.Name + "=" + v})
		if i := slices.Index(args, "--"); i >= 0 {
			with = slices.Insert(slices.Clone(args), i, "--"+f.Name+"="+v)
		}
		begin := time.Now()
		status, seen := outcome(t, folder, with)
		if d := time.Since(begin); d > 3*time.Second {
			t.Logf("%v took %v", with, d)
		}
		switch {
		case status == wrong:
			require.NotEmpty(t, strings.TrimSpace(seen), "%v", with)
		case seen != base || inJSON(t, folder, with) != inJSON(t, folder, args):
			return ""
		default:
			taken = append(taken, v)
		}
	}
	return strings.Join(taken, ", ")
}

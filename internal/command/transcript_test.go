package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// cores matches a default that is the computer's number of cores.
var cores = regexp.MustCompile(`( at the same time \(default )\d+\)`)

// The help of every command is recorded: its description, its flags, and their defaults.
func TestHelps(t *testing.T) {
	var all strings.Builder
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		var out, errs bytes.Buffer
		args := strings.Fields(cmd.CommandPath())[1:]
		require.Zero(t, command(append(args, "--help"), nil, &out, &errs))
		require.Empty(t, errs.String())
		fmt.Fprintf(&all, "==== %s\n%s\n", cmd.CommandPath(), cores.ReplaceAllString(out.String(), "${1}all)"))
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRootCmd(&app{}))
	golden.Check(t, "helps.txt", []byte(all.String()))
}

// answered lists command lines whose answers in JSON are recorded.
var answered = []string{
	"run fib 7 --pes 12 --mlpe --policy line --runs 2",
	"run fib 9 --pes 12 --max-clocks 300",
	"run fib 12 --pes 12 --set segments=8",
	"machine show spmd --set policy=none",
	"net --pes 32",
	"net traffic --pes 12 --clocks 300 --load .3 --seed 4",
	"net traffic --pes 12 --clocks 1 --load 0",
	"net traffic --pes 12 --clocks 5000 --load 1 --set banks=1",
	"asm p.s -o p.emo -D size=4",
	"dis p.emo",
	"trace fib 4 --pes 12 --pe 0.0,5-7 -o t.txt",
	"trace fib 6 --pes 12 --from +10 --to +40 -o t.vcd",
	"mnc topology --pes 4",
	"mnc run --pes 4 --items 100 --loops 10 --each",
	"rhinet run --nodes 8 --rows 64 --policy glb --loaded one",
	"spmd run --policy static --seeds 2",
	"pdes run --slots 50 --network torus --migrate-at 2000",
	"pdes cost --stages 2",
	"pdes patterns",
	"pdes scatter --stages 2 --runs 2",
	"sweep s.toml -o s.sweep",
	"sweep s.toml -o s.sweep --check s.sweep/s.csv",
	"sweep s.toml -o s.sweep --check other.csv",
	"sweep s.toml -o s.sweep --dry-run",
	"verify 000.exact.1",
	"balance compare --workers 4 --grain 5 --seeds 2 --policy clb,stealing --workload uneven,source",
	"balance compare --workers 4 --grain 5 --seeds 2 --policy none --policy own.toml --workload-file big.toml",
	"balance compare --workers 4 --grain 5 --seeds 3 --policy stealing --policy own.toml --workload " +
		"bursty,poisson --load 0.5,0.905",
	"balance compare --workers 4 --grain 5 --seeds 2 --policy stealing --arrivals jobs.txt",
	"balance compare --workers 4 --grain 5 --seeds 2 --policy stealing --arrivals jobs.txt " +
		"--workload-file pareto.toml " +
		"--workload-file law.toml",
	"balance limit --workers 4 --seeds 2 --grain 3 --policy none,clb,random",
	"balance compare --workers 16 --grain 5 --seeds 2 --policy clb,stealing --workload uneven --set " +
		"interval=13.2 --set hold=50",
	"balance compare --workers 16 --grain 5 --seeds 2 --policy clb,power,stealing --workload uneven --best-intervals",
	"balance compare --workers 16 --grain 5 --seeds 2 --policy clb,stealing --workload uneven --sensitivity",
	"balance validate --policy power",
	"balance validate --policy clb,lp-mapping --map",
}

// unequal matches values that depend on the computer, or that are as long as a machine's table.
var unequal = regexp.MustCompile(`(?s)"(knobs|wall_seconds|fast_share|[a-z_]+_per_second)": (\{.*?\}|[-+0-9.e]+)`)

// recipes matches the recipes in answers and in text traces.
var recipes = regexp.MustCompile(`,\s*"recipe":\s*\{[^{}]*(\{[^{}]*\}[^{}]*)*\}|(?m)^(# |\$comment )emsim-recipe .*\n`)

// withoutRecipes returns a text without its recipes, or the body of a checkpoint.
func withoutRecipes(text string) string {
	if body, ok := strings.CutPrefix(text, "EMSIMCKP"); ok {
		body, _, _ = strings.Cut(body[28:], "emsim-recipe ")
		return body
	}
	return recipes.ReplaceAllString(text, "")
}

// The answers in JSON are recorded, with every key, except for wall times and recipes.
func TestAnswers(t *testing.T) {
	var all strings.Builder
	inFolder(t, func(t *testing.T) {
		for _, line := range answered {
			status, out, errs := emsim(append(strings.Fields(line), "--json")...)
			require.Empty(t, errs, line)
			var short bytes.Buffer
			out = unequal.ReplaceAllString(out, `"$1": null`)
			require.NoError(t, json.Compact(&short, []byte(out)), out)
			fmt.Fprintf(&all, "$ emsim %s (status %d)\n%s\n\n", line, status,
				strings.ReplaceAll(withoutRecipes(short.String()), `},{`, "},\n  {"))
		}
	})
	golden.Check(t, "answers.txt", []byte(all.String()))
}

// inFolder runs a part of a test in a new folder with some files.
func inFolder(t *testing.T, part func(t *testing.T)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) {
		t.Chdir(t.TempDir())
		for name, text := range map[string]string{
			"p.s": "\t.param size = 3, 1, 9\n\t.start main\nmain:\tnop\n\tout! r1\n\t.space " +
				"size\nlist:\t.word 7, size\n",
			"s.toml":      "title = \"two\"\nmax_clocks = 900\n[[grid]]\nprogram = [\"fib 3\", \"fib 9\"]\npes = 12\n",
			"line.mnc":    "source in\nsink out\nqpr in: 0\nqpr ab: 0 1\nqpr out: 1\n",
			"ring.txt":    "0 > 1\n1 > 2\n2 > 0\n",
			"other.csv":   "point,outcome\n1,done\n",
			"own.toml":    "name = \"two\"\ninformation = \"probe\"\ntrigger = \"birth\"\namount = \"one\"\n",
			"wrong.toml":  "information = \"none\"\namount = \"share\"\n",
			"type.toml":   "probes = \"two\"\n",
			"syntax.toml": "probes = \n",
			"taken.toml":  "name = \"stealing\"\n",
			"bag.toml":    "name = \"few\"\nshape = \"bag\"\nslow = [9]\nof = 8\n",
			"rest.toml":   "shape = \"loop\"\nrest = 20\n",
			"big.toml":    "name = \"big\"\nunits = 5_000\n",
			"pareto.toml": "name = \"heavy\"\nshape = \"bag\"\none = true\narrivals = \"even\"\nload = 70\nlaw = " +
				"\"pareto\"\ntail = 1.5\nwarmup = 10\n",
			"law.toml":  "name = \"drawn\"\narrivals = \"poisson\"\nlaw = \"trace\"\n",
			"tail.toml": "law = \"pareto\"\ntail = 1\n",
			"jobs.txt":  "# time work worker\n0 1000 3\n500 3000 # anywhere\n500 2000 1\n8000 10 0\n",
			"bad.txt":   "5 10\n4 10\n6 0 x\n",
			"wrong.cmd": "step\n\nunit 9\n",
			"s.csv":     "[[grid]]\nprogram = \"fib 3\"\n",
			"s.json":    "[[grid]]\nprogram = \"fib 3\"\n",
		} {
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
		part(t)
	})
}

// mistakes lists wrong command lines, by command.
var mistakes = []string{
	"nosuch",
	"machin",
	"run",
	"run fib",
	"run fib x",
	"run fib 5 6",
	"run fib 3 --pes 13",
	"run fib 3 --pes 12 --set pe=1",
	"run fib 3 --pes 12 --set pes",
	"run fib 3 --machine line.mnc",
	"run fib 3 --machine nosuch",
	"run fib 3 --param policy",
	"run fib 3 --param =x",
	"run fib 3 --param policy=ring --param policy=line",
	"run fib 3 --param policy=ring --policy line",
	"run fib 3 --param mlpe=on --mlpe=false",
	"run fib 3 --policy rign",
	"run fib 3 --param grian=large",
	"run fib 3 --threads 65",
	"run fib 3 --threads -1",
	"run fib 3 --threads many",
	"run fib 3 --runs 0",
	"run fib 3 --runs 1.5",
	"run fib 3 --run 2",
	"run fib -3",
	"run fib -x",
	"run fib 3 --seed -1",
	"run fib 3 --mlpe=maybe",
	"run fib 3 --series s.csv --sample 0",
	"run fib 3 --stats x.csv --series x.csv",
	"run fib 3 --stats no/x.csv",
	"run p.s --stats p.s",
	"run fib 3 --at 5",
	"run fib 3 --checkpoint=",
	"run fib 3 --checkpoint c.ckp --at 6 --max-clocks 5",
	"run fib 3 --pes 12 --checkpoint c.ckp --at 5000",
	"run fib 3 --resume=",
	"run fib 3 --resume c.ckp",
	"run --resume nosuch.ckp",
	"run --resume p.s",
	"run --resume a.ckp --seed 2",
	"run --resume a.ckp --at 7",
	"run --resume a.ckp --checkpoint c.ckp --at 59",
	"run --resume a.ckp --stats x.csv",
	"run --resume a.ckp --series x.csv",
	"run --resume a.ckp --threads 65",
	"run fib 3 --stats x.csv --checkpoint c.ckp --runs 100000",
	"trace",
	"trace fib 3 --format vdc",
	"trace fib 3 --format vcd",
	"trace fib 3 --format vcd -o x.kanata",
	"trace fib 3 --json",
	"trace fib 3 --from 1.5",
	"trace fib 3 --to later",
	"trace fib 3 --from 9 --to 8",
	"trace fib 3 --pes 12 --from +10 --to 20",
	"trace fib 3 --pes 12 --pe 0;1",
	"trace fib 3 --pes 12 --pe 12",
	"trace fib 3 --pes 12 --pe 5-3",
	"trace fib 3 --pes 12 --pe [4,0]",
	"trace fib 3 --pes 12 --pe 0.3",
	"trace --resume a.ckp --from 3",
	"trace fib 3 --resume a.ckp",
	"debug",
	"debug fib 3 --json",
	"debug fib 3 --commands=",
	"debug fib 3 --commands nosuch.cmd",
	"debug fib 3 --pes 12 --commands wrong.cmd",
	"net more",
	"net --pes 11",
	"net traffic --load 1.1",
	"net traffic --clocks 0",
	"net traffic --pattern hotpot",
	"net traffic --set bank=2",
	"net traffic --set fifo_words=9",
	"net traffic --threads 65",
	"net traffic --stats no/x.csv",
	"machine shwo",
	"machine show a b",
	"machine show mnc --pes 4",
	"machine show mnc --set pes=0",
	"machine show nosuch",
	"asm",
	"asm p.s q.s",
	"asm nosuch.s",
	"asm p.s -o p.s",
	"asm p.s --listing x -o ./x",
	"asm p.s --listing - --json",
	"asm p.s -D size",
	"asm p.s -D =1",
	"asm p.s -D size=1 -D size=1",
	"asm p.s -D size=10",
	"dis -D x p.s",
	"dis nosuch.emo",
	"verify 000.x",
	"verify 003.t9",
	"help nonsense",
	"completion nonsense",
	"mnc --pes 4",
	"plot nosuch",
	"plot a b",
	"plot pdes-maps",
	"plot pdes-maps -o x.gif",
	"plot pdes-maps -o no/x.svg",
	"calibrate now",
	"calibrate --knob hops",
	"calibrate --jobs 0",
	"calibrate --jobs 1025",
	"calibrate --jobs 1024 --csv no/x.csv",
	"report -o x.txt",
	"report -o x.html --jobs 0",
	"report -o x.html --jobs 1025",
	"report -o no/x.HTM --jobs 1024",
	"report -o x.htm --only 5",
	"sweep",
	"sweep s.toml t.toml",
	"sweep nosuch.toml",
	"sweep p.s",
	"sweep s.toml --jobs 0",
	"sweep s.toml --jobs 1025",
	"sweep s.toml --jobs 1024 --dry-run",
	"sweep s.toml --csv x.txt",
	"sweep s.csv --csv s.csv",
	"sweep s.json --csv s.csv",
	"sweep s.toml --check other.csv --csv other.csv",
	"sweep s.toml --check nosuch.csv",
	"sweep s.toml --csv no/x.csv",
	"mnc now",
	"mnc run --pes 0",
	"mnc run --items -1",
	"mnc run --topology net",
	"mnc run --incidence nosuch.mnc",
	"mnc run --incidence line.mnc --pes 3 --items 10",
	"mnc run --incidence line.mnc --topology mnc --items 10",
	"mnc run --incidence p.s",
	"mnc run --sample 5",
	"mnc run --sample 0 --series x.csv",
	"mnc run --series line.mnc --incidence line.mnc",
	"mnc run --g-pa NaN",
	"mnc run --set loop=3",
	"rhinet run --nodes 65",
	"spmd run --jitter 1",
	"spmd run --jitter -0.1",
	"spmd run --policy all",
	"spmd run --topology nosuch",
	"spmd run --topology p.s",
	"spmd run --seeds 0",
	"spmd run --seeds 2 --events x.csv",
	"spmd run --seeds 2 --series x.csv",
	"spmd run --series x.csv --sample 1ns",
	"spmd run --topology ring.txt --loaded 1 --events ring.txt",
	"spmd run --tasks -1",
	"spmd run --latency 5",
	"pdes run --noise-slow 1001",
	"pdes run --noise-slow -1",
	"pdes run --migrate-at -1",
	"pdes run --shape 0x1",
	"pdes run --network ring",
	"pdes run --map best",
	"pdes cost --all --stages 3",
	"pdes cost --a -1",
	"pdes calibrate --shape 1x1",
	"pdes scatter --runs 1",
	"pdes scatter --runs 100001",
	"balance compar",
	"balance compare --policy stealin",
	"balance compare --workload bush",
	"balance compare --workers 0",
	"balance compare --grain 0",
	"balance compare --seeds 0",
	"balance compare --jobs 0",
	"balance compare --workers x",
	"balance compare --policy nosuch.toml",
	"balance compare --policy s.toml",
	"balance compare --policy own.toml --csv own.toml",
	"balance compare --policy wrong.toml",
	"balance compare --policy type.toml",
	"balance compare --policy syntax.toml",
	"balance compare --policy taken.toml",
	"balance compare --workload-file bag.toml",
	"balance compare --workload-file rest.toml",
	"balance compare --workload-file own.toml",
	"balance compare --workers 2000 --workload-file big.toml",
	"balance compare --load 0.5",
	"balance compare --workload poisson --load 50",
	"balance compare --workload poisson --load 0",
	"balance compare --arrivals bad.txt",
	"balance compare --arrivals nosuch.txt",
	"balance compare --workload-file law.toml",
	"balance compare --workload-file tail.toml",
	"balance limit --workload tree",
	"balance compare --set interval",
	"balance compare --set intervall=3",
	"balance compare --set interval=0",
	"balance compare --set hold=-1",
}

// The messages about mistakes are recorded, with the exit status.
func TestMistakes(t *testing.T) {
	var all strings.Builder
	inFolder(t, func(t *testing.T) {
		require.Zero(t, command(strings.Fields("run fib 5 --pes 12 --checkpoint a.ckp --at 60"), nil, &bytes.Buffer{},
			&bytes.Buffer{}))
		for _, line := range mistakes {
			status, out, errs := emsim(strings.Fields(line)...)
			fmt.Fprintf(&all, "$ emsim %s (status %d)\n%s%s\n", line, status, wall.ReplaceAllString(out, "$1 ..."),
				errs)
		}
	})
	golden.Check(t, "mistakes.txt", []byte(all.String()))
}

// written lists command lines whose output files are recorded.
var written = []struct{ line, file string }{
	{"run fib 5 --pes 12 --mlpe --runs 2 --series x.csv --sample 80", "x.csv"},
	{"asm p.s --listing x.lst -o p.emo", "x.lst"},
	{"mnc run --pes 4 --items 20 --loops 10 --dead-at 300:1 --stall 50000 --series x.csv --sample 20000", "x.csv"},
	{"mnc run --pes 4 --items 0 --every-clock --series x.csv", "x.csv"},
	{"spmd run --topology ring.txt --loaded 1 --tasks 4 --interval 500ms --events x.csv", "x.csv"},
	{"spmd run --topology ring.txt --loaded 1 --tasks 4 --series x.csv", "x.csv"},
	{"sweep s.toml -o d --csv x.csv", "x.csv"},
	{"trace p.s --pes 12 --pe 0 --from 0 -o x.txt", "x.txt"},
}

// The files that commands write are recorded.
func TestFiles(t *testing.T) {
	var all strings.Builder
	inFolder(t, func(t *testing.T) {
		for _, w := range written {
			status, _, errs := emsim(strings.Fields(w.line)...)
			text, err := os.ReadFile(w.file)
			require.NoError(t, err, errs)
			require.NoError(t, os.Remove(w.file))
			fmt.Fprintf(&all, "$ emsim %s (status %d)\n%s\n", w.line, status, withoutRecipes(string(text)))
		}
		status, _, errs := emsim(strings.Fields("net traffic --pes 12 --clocks 200 --load .3 --stats x.csv")...)
		require.Zero(t, status, errs)
		text, err := os.ReadFile("x.csv")
		require.NoError(t, err)
		lines := strings.SplitAfter(string(text), "\n")
		require.Len(t, lines, 1+12*3*2+1)
		fmt.Fprintf(&all, "$ net traffic, the links of [0,0]\n%s", strings.Join(lines[:7], ""))
	})
	golden.Check(t, "files.txt", []byte(all.String()))
}

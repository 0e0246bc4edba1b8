//go:build slow && unix

package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// exampleFiles is a script that makes the user's files that examples name.
const exampleFiles = `set -e
cp -r "$ROOT/docs" docs
mkdir programs machines class ../common
cp "$ROOT/programs/fib.s" prog.s
cp "$ROOT/programs/go/fib/fib.go" "$ROOT/programs/go/queens/queens.go" .
cp "$ROOT/internal/machine/exercise/library/three-right.s" class/
cp docs/examples/mnc-work.txt data.txt
printf '0 > 1\n1 > 2\n2 > 0\n' > ring.txt
printf 'name = "two"\ninformation = "probe"\nprobes = 2\ntrigger = "birth"\namount = "one"\n' > two.toml
printf 'name = "few"\nshape = "bag"\nslow = [1]\nof = 8\n' > few.toml
printf 'name = "slow"\nshape = "bag"\narrivals = "poisson"\nload = 70\n' > slow.toml
printf '[[grid]]\nprogram = ["fib 3", "fib 4"]\npes = [12, 80]\n[grid.param]\npolicy = ["ring", "line"]\n' > big.toml
printf 'step 3\nunit\n' > look.txt
emsim machine show > mine.toml
emsim asm prog.s -o prog.emo
emsim run fib 20 --json > old.json
emsim run fib 20 --mlpe --json > new.json
emsim run fib 8 --pes 12 --checkpoint a.ckp --at 50 > /dev/null
emsim run fib 8 --pes 12 --mlpe --checkpoint b.ckp --at 50 > /dev/null
emsim run fib 20 --checkpoint fib.ckp --at 5000 > /dev/null
emsim trace prog.s 5 --pes 12 --machine mine.toml -o result.vcd.zst
cp prog.s programs/
cp mine.toml machines/
emsim mnc topology --pes 16 > my.mnc
emsim mnc run --items 100 --series load.csv > /dev/null
`

// failingExamples maps the examples that do not exit with status 0 to the reason.
var failingExamples = map[string]string{
	"emsim debug --tui fib 10 --pes 12":                                           "needs a terminal",
	"emsim diff fib 20 --policy line --vs mlpe=on":                                "they part at",
	"emsim diff prog.s 5 --pes 12 --vs hop_clocks=2,seed=7 --json":                `"equal": false`,
	"emsim diff old.json new.json":                                                "they part at",
	"emsim diff a.ckp b.ckp":                                                      "they part at",
	"emsim mnc run --items 100000 --loops 1000 --dead-at 5000000:5":               "the machine stalled",
	"emsim net traffic --load 1 --set banks=1":                                    "deadlock",
	"emsim sweep docs/sweeps/seeds.toml --collect --reference policy=ring":        "runs have no result", // it takes hours
	"emsim sweep big.toml -o big --slurm 12 --time 2:00:00 --sbatch-arg=--mem=4G": "Slurm refuses",       // no cluster
}

// Every example of every help text exits with status 0, in a folder with the files that it names. Examples that do not
// end, or take too long, are interrupted.
func TestExamplesToTheirEnds(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Setenv("ROOT", root)
	folder := filepath.Join(t.TempDir(), "examples")
	require.NoError(t, os.Mkdir(folder, 0o700))
	status, said, _ := runExample(t, folder, exampleFiles, hung)
	require.Zero(t, status, said)
	eachExample(t, func(line string) {
		t.Run(line, func(t *testing.T) {
			limit := 2 * time.Minute // chosen
			if strings.HasPrefix(line, "emsim play") && !strings.Contains(line, "--export") {
				limit = 20 * time.Second // it serves until interrupted
			}
			line = strings.ReplaceAll(line, "/shared/big", "big")
			if strings.Contains(line, "--slurm") {
				needs.Tool(t, "sbatch")
			}
			begin := time.Now()
			status, said, interrupted := runExample(t, folder, line, limit)
			t.Logf("%.1f s, exit status %d", time.Since(begin).Seconds(), status)
			switch why := failingExamples[line]; {
			case why != "":
				require.NotZero(t, status, said)
				require.Contains(t, said, why)
			case interrupted:
				require.LessOrEqual(t, status, 1, said)
			default:
				require.Zero(t, status, said)
			}
		})
	})
}

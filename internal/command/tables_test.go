package command

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/pdes/study"
)

// tables lists command lines whose text answers are recorded, at least one for each table that a command prints.
var tables = []string{
	"run fib 8 --pes 12",
	"run fib 8 --pes 12 --mlpe --policy line --runs 3",
	"run sort 20 --pes 12 --seed 3",
	"run sum 100 --pes 12 --param numbers=counted",
	"ask held fib 6 --pes 12",
	"profile fib 8 --pes 12",
	"profile queens 4 --pes 12 --top 6 --set fifo_words=8",
	"machine show --set banks=2",
	"net --pes 12",
	"net --pes 80",
	"net traffic --pes 12 --clocks 500 --load .2",
	"net traffic --pes 12 --clocks 300 --load .1 --pattern hotspot --drain --seed 2",
	"mnc topology --pes 4",
	"mnc topology --topology net16",
	"mnc run --pes 4 --items 300 --loops 10",
	"mnc run --topology net16 --items 500 --loops 100 --policy naive --slow 3=200",
	"rhinet run --nodes 8",
	"rhinet run --nodes 8 --network ethernet --policy gnolb --loaded two --seed 2",
	"spmd run",
	"spmd run --policy static --topology fano",
	"spmd run --policy none --seeds 3",
	"pdes run --slots 200",
	"pdes run --network torus --slots 300 --map greedy --migrate-at 2000",
	"pdes cost",
	"pdes cost --network hcb",
	"pdes patterns",
	"pdes calibrate --shape 2x2",
	"pdes scatter --runs 2",
	"balance compare --workers 4 --grain 3,30 --seeds 2 --details --policy none,clb,power,stealing,list " +
		"--workload uneven,tree",
	"sweep ../../docs/sweeps/programs.toml --dry-run",
	"plot",
	"verify 000.exact",
}

// wall matches output that depends on the computer.
var wall = regexp.MustCompile(`(?m)^(wall time|simulated in|simulated) .*$`)

// The tables of the commands are recorded, except for wall times.
func TestTables(t *testing.T) {
	var all strings.Builder
	for _, line := range tables {
		var out, errs bytes.Buffer
		status := command(strings.Fields(line), strings.NewReader(""), &out, &errs)
		require.Zero(t, status, "emsim %s: %s", line, errs.String())
		fmt.Fprintf(&all, "$ emsim %s\n%s\n", line, wall.ReplaceAllString(out.String(), "$1 ..."))
	}
	golden.Check(t, "tables.txt", []byte(all.String()))
}

// The rows of all declared lists are in the table of keys of docs/COMMAND.md, which -update writes.
func TestRowsInDocs(t *testing.T) {
	nets, err := study.PatternNets()
	require.NoError(t, err)
	want := "| rows of | keys |\n| --- | --- |\n"
	for _, l := range []struct{ command, keys string }{
		{"`plot` without a figure", figureColumns.Keys()},
		{"`docs` without a page", pageColumns.Keys()},
		{"`pdes cost`", costColumns.Keys()},
		{"`pdes patterns`", patternColumns(nets).Keys()},
		{"`pdes calibrate`: `b_uniform`", uniformB.Keys()},
		{"`pdes calibrate`: `b_own`", ownB.Keys()},
		{"`sweep`: `ranking`", rankColumns("").Keys()},
		{"`sweep --dry-run`", pointColumns(nil).Keys()},
		{"`sweep --status`: `failures`", failureColumns.Keys()},
		{"`again`: `difference`", differenceColumns.Keys()},
		{"`profile`: `templates`, `blocks`, `lines`", placeColumns.Keys()},
	} {
		want += fmt.Sprintf("| %s | %s |\n", l.command, l.keys)
	}
	golden.Block(t, "../../docs/COMMAND.md", "rows", want)
}

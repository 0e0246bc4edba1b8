package programs_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/programs"
)

var (
	countRow  = regexp.MustCompile("(?m)^\\| `(\\w+) (\\d+)` \\| ([^|]+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$")
	leavesRow = regexp.MustCompile("(?m)^\\| `(\\w+) (\\d+)` \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$")
)

// The table of counts in docs/PROGRAMS.md, all programs but the paper's, is what
// the machine does.
func TestCountsInDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/PROGRAMS.md")
	require.NoError(t, err)
	rows := countRow.FindAllStringSubmatch(string(text), -1)
	list := slices.DeleteFunc(programs.List(), func(i programs.Info) bool { return i.Name == "fib" })
	require.Len(t, rows, len(list))
	for i, info := range list {
		row := rows[i]
		num := func(s string) uint64 {
			v, err := strconv.ParseUint(s, 10, 64)
			require.NoError(t, err)
			return v
		}
		require.Equal(t, info.Name, row[1])
		require.Equal(t, info.Typical, num(row[2]))
		m, o := ready(t, info.Name, 80, variant{})
		r := check(t, m, o, info.Name, 80, variant{}, info.Typical)
		if len(r.Words) == 1 {
			require.Equal(t, num(row[3]), r.Words[0], info.Name)
		}
		var got [4]uint64 // to the end, the packets behind the answer included
		for pe := range 80 {
			p := m.PE(pe)
			for i, n := range []uint64{p.Calls, p.Blocks, p.Instructions, p.Sent} {
				got[i] += n
			}
		}
		require.Equal(t, [4]uint64{num(row[4]), num(row[5]), num(row[6]), num(row[7])}, got, info.Name)
	}
}

// So is the table of what leaves cost.
func TestLeavesInDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/PROGRAMS.md")
	require.NoError(t, err)
	rows := leavesRow.FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, 3)
	for _, row := range rows {
		n, err := strconv.ParseUint(row[2], 10, 64)
		require.NoError(t, err)
		for i, leaves := range []string{"instances", "inline"} {
			m, o := started(t, row[1], 80, params{"leaves": leaves})
			r := check(t, m, o, row[1], 80, variant{}, n)
			require.Equal(t, row[3+2*i:5+2*i], []string{strconv.FormatUint(r.Clocks, 10), strconv.FormatUint(r.Calls, 10)}, "%s, %s", row[0], leaves)
		}
	}
}

package isa

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/TIMING.md lists every instruction once, with the table's clocks.
func TestTimingPageHasTheTablesClocks(t *testing.T) {
	page, err := os.ReadFile("../docs/TIMING.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), "## Instructions")
	require.True(t, found)
	section, _, _ := strings.Cut(rest, "\n## ")
	names := regexp.MustCompile("`([a-z]+)`")
	seen := map[string]bool{}
	for _, line := range strings.Split(section, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 5 || !strings.Contains(cells[1], "`") {
			continue
		}
		clocks, err := strconv.Atoi(regexp.MustCompile(`^\d+`).FindString(strings.TrimSpace(cells[2])))
		require.NoError(t, err, line)
		port, err := strconv.Atoi(strings.TrimSpace(cells[3]))
		require.NoError(t, err, line)
		for _, m := range names.FindAllStringSubmatch(cells[1], -1) {
			op, ok := Lookup(m[1])
			require.True(t, ok, "no instruction %s", m[1])
			require.False(t, seen[m[1]], "%s twice", m[1])
			seen[m[1]] = true
			row := Table[op]
			require.Equal(t, 1+int(row.Mem)+int(row.Extra), clocks, m[1])
			require.Equal(t, 1+int(row.Mem), port, m[1])
			require.Equal(t, row.Assumed, strings.Contains(cells[4], "assumed"), m[1])
		}
	}
	for _, row := range Table {
		require.True(t, seen[row.Name], "docs/TIMING.md, Instructions: no row has %s", row.Name)
	}
}

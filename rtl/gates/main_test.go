package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// A unit has as many flip-flops as docs/RTL.md says, and nearly as many gates:
// versions of Yosys differ in those.
func TestGates(t *testing.T) {
	needs.Tool(t, "yosys")
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, false, []string{"port"}))
	var gates, flips int
	_, err := fmt.Sscanf(out.String(), "| `port` | %d | %d |\n", &gates, &flips)
	require.NoError(t, err, out.String())
	page, err := os.ReadFile("../../docs/RTL.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| `port`: .* \\| ([\\d,]+) \\| ([\\d,]+) \\|$").FindStringSubmatch(string(page))
	require.NotNil(t, row)
	require.Equal(t, row[2], strconv.Itoa(flips))
	published, err := strconv.Atoi(row[1])
	require.NoError(t, err)
	require.InEpsilon(t, published, gates, 0.1)
}

// A module that does not exist is named in the error.
func TestNoSuchModule(t *testing.T) {
	needs.Tool(t, "yosys")
	var out strings.Builder
	err := run(t.Context(), &out, false, []string{"alarm"})
	require.ErrorContains(t, err, "yosys, alarm: ")
	require.Empty(t, out.String())
}

// Without Yosys the error says what to install.
func TestNoYosys(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	require.ErrorContains(t, run(t.Context(), nil, false, nil), "apt-get install yosys")
}

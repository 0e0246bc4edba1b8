//go:build slow

package command

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every line of "What else was tried" in docs/CALIBRATION.md gives the stated result.
func TestWhatElseWasTried(t *testing.T) {
	page, err := os.ReadFile("../../docs/CALIBRATION.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), "<!-- tried -->\n\n")
	require.True(t, found)
	table, _, _ := strings.Cut(rest, "\n\n")
	var run map[string]any
	for _, line := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(strings.ReplaceAll(line, "`", ""), "|")
		if args := strings.Fields(cells[2]); len(args) > 0 {
			run = jsonOf(t, append([]string{"run"}, args...)...)
		}
		value := any(run)
		for _, key := range strings.Split(strings.TrimSpace(cells[3]), ".") {
			value = value.(map[string]any)[key]
		}
		says := strings.TrimSpace(cells[4])
		_, digits, _ := strings.Cut(says, ".")
		require.Equal(t, says, fmt.Sprintf("%.*f", len(digits), value), line)
	}
}

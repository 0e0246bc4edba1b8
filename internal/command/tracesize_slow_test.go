//go:build slow

package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The sizes of traces in docs/TRACING.md are correct.
func TestTraceSizes(t *testing.T) {
	page, err := os.ReadFile("../../docs/TRACING.md")
	require.NoError(t, err)
	for run, form := range map[string]string{"fib 10 --pes 12": " | %.2f", "fib 20": " | %.1f"} {
		var events, row string
		for _, ending := range strings.Fields(".txt .txt.gz .txt.zst .vcd .vcd.gz .vcd.zst .pftrace .kanata " +
			".kanata.gz .kanata.zst") {
			x := jsonOf(t, append(strings.Fields("trace "+run), "-o", filepath.Join(t.TempDir(), "t"+ending))...)
			events = count(uint64(x["events"].(float64)))
			row += fmt.Sprintf(form, x["bytes"].(float64)/1e6)
		}
		row = "| `" + run + "` | " + events + row + " |\n"
		require.True(t, strings.Contains(string(page), row), "docs/TRACING.md lacks %s", row)
	}
}

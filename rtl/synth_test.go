package rtl_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
	"emsim/rtl"
)

// readModules returns the Yosys command that reads the files of the chip and the machine, without the benches.
func readModules(chip rtl.Sources) string {
	return "read_verilog -sv -noassert " + strings.Join(chip.Modules(), " ") + "; "
}

// Yosys reads every file and builds a machine of four PEs with its links. Every pin has exactly one driver, and no path
// forms a loop.
func TestSynthesisReads(t *testing.T) {
	chip, err := rtl.UnderTest()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, chip.Write(dir))
	out, _ := runTool(t.Context(), t, dir, needs.Tool(t, "yosys"), "-p", readModules(chip)+
		"chparam -set K 1 -set FIFO_MAX 4 machine; hierarchy -check -top machine; proc; flatten; check -assert; "+
		"select -assert-count 8 m:*fifo_*")
	for _, name := range chip.Modules() {
		if module := strings.TrimSuffix(filepath.Base(name), ".sv"); !strings.HasSuffix(module, "_pkg") {
			require.Contains(t, out, fmt.Sprintf(`Generating RTLIL representation for module `+"`"+`\%s'`, module))
		}
	}
}

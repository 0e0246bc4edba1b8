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

// readModules returns the command by which Yosys reads the files of the chip and the machine, all but the benches.
func readModules(chip rtl.Sources) string {
	return "read_verilog -sv -noassert " + strings.Join(chip.Modules(), " ") + "; "
}

// Yosys reads every file and puts a machine of four PEs together, links and all: every pin is driven, once, and no
// path goes round.
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

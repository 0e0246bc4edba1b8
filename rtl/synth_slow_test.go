//go:build slow

package rtl_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/plural"
	"emsim/internal/dev/golden"
	"emsim/internal/dev/needs"
	"emsim/rtl"
)

// synthesised lists the rows of the table of gates in docs/RTL.md. A row does not count the modules in boxes.
var synthesised = []struct{ what, top, boxes string }{
	{"`su`: switching unit", "su", ""},
	{"`port`: registers between switch and PE", "port", ""},
	{"`ibu`: input buffer with a FIFO of 32 words", "ibu", ""},
	{"`fmu`: fetch and matching", "fmu", ""},
	{"`exu`: execution", "exu", ""},
	{"of this `alu` (with a multiplier of one clock)", "alu", ""},
	{"of this `fpu` (adder and multiplier)", "fpu", ""},
	{"of this `divider`", "divider", ""},
	{"`mcu`: memory port", "mcu", ""},
	{"`segment`: operand segments", "segment", ""},
	{"`prefetch`: special register `mlpe`", "prefetch", ""},
	{"`load`: the load value", "load", ""},
	{"`emcr`: the whole chip, optimised together", "emcr", ""},
	{"the same without `alu`, `fpu` and `divider`", "emcr", "alu fpu divider"},
}

var cellCount = regexp.MustCompile(`\$_(NAND|NOT|\w*DFF\w*)_\w* +(\d+)`)

// gates synthesises a unit with the prototype's parameters, and returns the number of two-input NAND gates and of
// flip-flops. An inverter counts as one gate.
func gates(t *testing.T, chip rtl.Sources, top, boxes string) (gates, registers uint64) {
	dir := t.TempDir()
	require.NoError(t, chip.Write(dir))
	if boxes != "" {
		boxes = "blackbox " + boxes + "; "
	}
	out, _ := runTool(t.Context(), t, dir, needs.Tool(t, "yosys"), "-q", "-p", readModules(chip)+fmt.Sprintf(
		"chparam -set FIFO_MAX 16 ibu pe; %[2]shierarchy -top %[1]s; delete -output %[1]s/o:probe*; synth -flatten "+
			"-top %[1]s; abc -g NAND; opt_clean; tee -o /dev/stdout stat", top, boxes))
	for _, m := range cellCount.FindAllStringSubmatch(out, -1) {
		n, err := strconv.ParseUint(m[2], 10, 64)
		require.NoError(t, err)
		if m[1] == "NAND" || m[1] == "NOT" {
			gates += n
		} else {
			registers += n
		}
	}
	return gates, registers
}

// Open tools can synthesise the chip, as a whole and unit by unit, and its size is within 5 % of the size in the page:
// every change, even of a name, changes ABC's counts a little.
func TestSynthesis(t *testing.T) {
	chip, err := rtl.UnderTest()
	require.NoError(t, err)
	_, page, _ := pagePart(t, "gates")
	rows := make([]string, len(synthesised))
	t.Run("units", func(t *testing.T) {
		slots := make(chan struct{}, runtime.NumCPU())
		for i, x := range synthesised {
			t.Run(strings.TrimSpace(x.top+" "+x.boxes), func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				gates, registers := gates(t, chip, x.top, x.boxes)
				rows[i] = fmt.Sprintf("| %s | %s | %s |\n", x.what, plural.Commas(gates), plural.Commas(registers))
				if golden.Update() {
					return
				}
				row := regexp.MustCompile(regexp.QuoteMeta("| "+x.what+" | ") +
					`([0-9,]+) \| ([0-9,]+) \|`).FindStringSubmatch(page)
				require.NotNil(t, row, "the page has no row %q", x.what)
				for column, n := range []uint64{gates, registers} {
					want, err := strconv.Atoi(strings.ReplaceAll(row[column+1], ",", ""))
					require.NoError(t, err)
					require.InDelta(t, want, n, 0.05*float64(want),
						"go test -tags slow ./rtl -run TestSynthesis -update writes the page's row %s", rows[i])
				}
			})
		}
	})
	if golden.Update() {
		pageTable(t, "gates", "", "| unit | gates | flip-flops |\n|---|--:|--:|\n"+strings.Join(rows, ""))
	}
}

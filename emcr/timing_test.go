package emcr

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"emsim/isa"
)

// Every event of the PE, clock by clock: docs/TIMING.md names these files.
func TestTiming(t *testing.T) { scripts(t, "timing") }

// What waits for what at the start of each clock, in the words of a hang report.
func TestWaits(t *testing.T) { scripts(t, "waits") }

// The trace events, and the counters at the end.
func TestTrace(t *testing.T) { scripts(t, "trace") }

// What can be inspected: registers, operands, segments.
func TestLook(t *testing.T) { scripts(t, "look") }

// The clock by which a PE must be simulated.
func TestLate(t *testing.T) { scripts(t, "late") }

// What a restore says to a state with one damaged word.
func TestDamage(t *testing.T) { scripts(t, "damage") }

// The clocks of every instruction are shown in instructions.txt, or in send.txt
// if it makes a packet.
func TestEveryInstructionIsTimed(t *testing.T) {
	shown := map[string]bool{}
	for _, name := range []string{"instructions.txt", "send.txt"} {
		text, err := os.ReadFile("testdata/timing/" + name)
		require.NoError(t, err)
		for _, word := range strings.FieldsFunc(string(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
			shown[word] = true
		}
	}
	for op := range isa.Table {
		require.True(t, shown[isa.Table[op].Name], "emcr/testdata/timing/instructions.txt does not time %s",
			isa.Table[op].Name)
	}
}

package emcr

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"emsim/isa"
)

// The scripts record every event of the PE, clock by clock. docs/TIMING.md names these files.
func TestTiming(t *testing.T) { scripts(t, "timing") }

// The scripts record what waits for what at the start of each clock, in the words of a hang report.
func TestWaits(t *testing.T) { scripts(t, "waits") }

// The scripts record the trace events, and the counters at the end.
func TestTrace(t *testing.T) { scripts(t, "trace") }

// The scripts record what can be inspected: registers, operands, segments.
func TestLook(t *testing.T) { scripts(t, "look") }

// The scripts record the clock by which a PE must be simulated.
func TestLate(t *testing.T) { scripts(t, "late") }

// The scripts record how a state with one damaged word is restored.
func TestDamage(t *testing.T) { scripts(t, "damage") }

// Each instruction's clocks are recorded in instructions.txt, or in send.txt if the instruction makes a packet.
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

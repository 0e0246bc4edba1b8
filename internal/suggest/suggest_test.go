package suggest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	knobs := []string{"hop_clocks", "banks", "mib_words", "fifo_words"}
	for name, want := range map[string]string{
		"hop_clock":  "hop_clocks",
		"hopclocks":  "hop_clocks",
		"BANKS":      "banks",
		"bnaks":      "banks",
		"mibwords":   "mib_words",
		"colour":     "",
		"":           "",
		"fifo_words": "", // it is the candidate itself
	} {
		require.Equal(t, want, Nearest(name, knobs), "for %q", name)
	}
	require.Equal(t, `; did you mean "banks"?`, DidYouMean("bank", knobs))
	require.Empty(t, DidYouMean("x", nil))
}

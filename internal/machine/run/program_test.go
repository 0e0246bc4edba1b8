package run

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseInt(t *testing.T) {
	for text, want := range map[string]int64{
		"20": 20, "020": 20, "-5": -5, "+5": 5, "0x14": 20, "-0x14": -20,
		"0b101": 5, "0o17": 15,
	} {
		got, err := ParseInt(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "-", "1.5", "1e3", "1_000", "x", "0x", "9223372036854775808"} {
		_, err := ParseInt(text)
		require.Error(t, err, text)
	}
}

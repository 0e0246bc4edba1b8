package verify

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A reading finds the value in an answer, and says in a formula how.
func TestReading(t *testing.T) {
	answer := []byte(`{"a": {"b": [1, 2.5]}, "calls": 7, "by": 4, "zero": 0, "word": "free", "yes": true, "error": {"kind": "segment_overflow"}}`)
	for formula, x := range map[string]struct {
		r    Reading
		want any
	}{
		"a.b.1":                                {Reading{Key: "a.b.1"}, 2.5},
		"0.5 × (calls -1)":                     {Reading{Key: "calls", Plus: -1, Times: 0.5}, 3.0},
		"100 × calls / by":                     {Reading{Key: "calls", Times: 100, Over: "by"}, 175.0},
		"calls and by":                         {Reading{Key: "calls", And: "by"}, "7/4"},
		"word":                                 {Reading{Key: "word"}, "free"},
		"error.kind; without an error it runs": {Reading{Key: "error.kind", Ends: true}, "segment overflow"},
		"other.kind; without an error it runs": {Reading{Key: "other.kind", Ends: true}, "runs"},
	} {
		require.Equal(t, formula, x.r.String())
		got, err := x.r.Value(answer)
		require.NoError(t, err, formula)
		require.Equal(t, x.want, got, formula)
	}
	for key, says := range map[string]string{
		"a.c": "the answer has no a.c", "a.b.2": "no a.b.2", "a.b.-1": "no a.b.-1", "a.b.x": "no a.b.x", "calls.x": "no calls.x", "yes": "yes of the answer is not a number",
	} {
		_, err := Reading{Key: key}.Value(answer)
		require.ErrorContains(t, err, says)
	}
	for _, over := range []string{"zero", "word", "nothing"} {
		_, err := Reading{Key: "calls", Over: over}.Value(answer)
		require.ErrorContains(t, err, "no number "+over+" to divide by")
	}
	_, err := Reading{Key: "a"}.Value([]byte("{"))
	require.ErrorContains(t, err, "not an answer")
}

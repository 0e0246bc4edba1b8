package command

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/verify"
)

// readValue returns the value of a row from the answer of its command.
func readValue(r verify.Reading, answer []byte) (any, error) {
	var x any
	if err := json.Unmarshal(answer, &x); err != nil {
		return nil, fmt.Errorf("not an answer: %w", err)
	}
	v, ok := followKey(x, r.Key)
	switch word, words := v.(string); {
	case r.Ends && !ok:
		return "runs", nil
	case !ok:
		return nil, fmt.Errorf("the answer has no %s", r.Key)
	case r.Ends:
		return strings.ReplaceAll(word, "_", " "), nil
	case words:
		return word, nil
	case r.And != "":
		second, _ := followKey(x, r.And)
		return fmt.Sprintf("%.0f/%.0f", v, second), nil
	}
	f, ok := v.(float64)
	if !ok {
		return nil, fmt.Errorf("%s of the answer is not a number", r.Key)
	}
	f += r.Plus
	if r.Times != 0 {
		f = float64(f * r.Times)
	}
	if r.Over != "" {
		d, _ := followKey(x, r.Over)
		by, ok := d.(float64)
		if !ok || by == 0 {
			return nil, fmt.Errorf("the answer has no number %s to divide by", r.Over)
		}
		f /= by
	}
	return f, nil
}

// followKey returns the value of a key in an answer.
func followKey(x any, key string) (any, bool) {
	for name := range strings.SplitSeq(key, ".") {
		switch v := x.(type) {
		case map[string]any:
			next, ok := v[name]
			if !ok {
				return nil, false
			}
			x = next
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			x = v[i]
		default:
			return nil, false
		}
	}
	return x, true
}

// A reading finds the value in an answer, and describes the computation as a formula.
func TestReading(t *testing.T) {
	answer := []byte(`{"a": {"b": [1, 2.5]}, "calls": 7, "by": 4, "zero": 0, "word": "free", "yes": true, "error": {"kind": "segment_overflow"}}`)
	for formula, x := range map[string]struct {
		r    verify.Reading
		want any
	}{
		"a.b.1":                                {verify.Reading{Key: "a.b.1"}, 2.5},
		"0.5 × (calls -1)":                     {verify.Reading{Key: "calls", Plus: -1, Times: 0.5}, 3.0},
		"100 × calls / by":                     {verify.Reading{Key: "calls", Times: 100, Over: "by"}, 175.0},
		"calls and by":                         {verify.Reading{Key: "calls", And: "by"}, "7/4"},
		"word":                                 {verify.Reading{Key: "word"}, "free"},
		"error.kind; without an error it runs": {verify.Reading{Key: "error.kind", Ends: true}, "segment overflow"},
		"other.kind; without an error it runs": {verify.Reading{Key: "other.kind", Ends: true}, "runs"},
	} {
		require.Equal(t, formula, x.r.String())
		got, err := readValue(x.r, answer)
		require.NoError(t, err, formula)
		require.Equal(t, x.want, got, formula)
	}
	for key, says := range map[string]string{
		"a.c": "the answer has no a.c", "a.b.2": "no a.b.2", "a.b.-1": "no a.b.-1", "a.b.x": "no a.b.x",
		"calls.x": "no calls.x", "yes": "yes of the answer is not a number",
	} {
		_, err := readValue(verify.Reading{Key: key}, answer)
		require.ErrorContains(t, err, says)
	}
	for _, over := range []string{"zero", "word", "nothing"} {
		_, err := readValue(verify.Reading{Key: "calls", Over: over}, answer)
		require.ErrorContains(t, err, "no number "+over+" to divide by")
	}
	_, err := readValue(verify.Reading{Key: "a"}, []byte("{"))
	require.ErrorContains(t, err, "not an answer")
}

package verify

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A Reading says where the answer of a row's command with --json holds the
// row's value: Times × (Key + Plus) / Over.
type Reading struct {
	Key   string  // names and list positions joined by points, as in "bands.time_ms.mean" or "tasks.3"
	Plus  float64 // usually 0
	Times float64 // 0: once
	Over  string  // another key; "": not divided
	// And is a second key of a value in words, which is Key/And.
	And string
	// Ends is set for a claim about how a run ends: the kind of its error, or
	// "runs".
	Ends bool
}

// String is the reading as a formula of keys.
func (r Reading) String() string {
	s := r.Key
	if r.Plus != 0 {
		s = fmt.Sprintf("(%s %+g)", s, r.Plus)
	}
	if r.Times != 0 {
		s = fmt.Sprintf("%g × %s", r.Times, s)
	}
	switch {
	case r.Over != "":
		s += " / " + r.Over
	case r.And != "":
		s += " and " + r.And
	case r.Ends:
		s += "; without an error it runs"
	}
	return s
}

// Value reads the value in an answer.
func (r Reading) Value(answer []byte) (any, error) {
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

// followKey follows a key into an answer.
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

package knob

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"emsim/internal/base/lists"
)

// Text returns the value in the form that --set accepts.
func (r Row) Text() string {
	switch v := r.Get().(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []string:
		return strings.Join(v, ",")
	default:
		return fmt.Sprint(v)
	}
}

// TOML returns the value in the form of a machine file.
func (r Row) TOML() string {
	switch v := r.Get().(type) {
	case string:
		return strconv.Quote(v)
	case time.Duration:
		return strconv.Quote(v.String())
	case []string:
		return "[" + strings.Join(lists.Of(v, strconv.Quote), ", ") + "]"
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(s, ".eIN") {
			s += ".0"
		}
		return s
	}
	return r.Text()
}

// JSON returns the value in the form that a JSON encoder needs.
func (r Row) JSON() any {
	switch v := r.Get().(type) {
	case time.Duration:
		return v.String()
	case []string:
		return append([]string{}, v...)
	default:
		return v
	}
}

// Set sets the value from text, as "--set KEY=VALUE" does. It rejects words that are not among Values; ranges of
// numbers are checked by Check.
func (r Row) Set(text string) error {
	v, err := r.parse(text)
	if err != nil {
		return err
	}
	if s, ok := v.(string); ok {
		if err := r.checkWord(s); err != nil {
			return err
		}
	}
	err = r.Put(v)
	if _, isWord := r.ref.(Word); err == nil || isWord { // the error of a Word names its parameter
		return err
	}
	return fmt.Errorf("%s: %w", r.Key, err)
}

// Takes reports whether a word is possible, as far as Values say. With Also, the row's Word checks it.
func (r Row) Takes(word string) bool {
	return r.Values == nil || r.Also != "" || slices.Contains(r.Values, word)
}

// checkWord rejects a word that the row does not take.
func (r Row) checkWord(s string) error {
	if !r.Takes(s) {
		return fmt.Errorf("%s is one of %s, not %q", r.Key, strings.Join(r.Values, ", "), s)
	}
	return nil
}

func (r Row) parse(text string) (v any, err error) {
	switch r.Get().(type) {
	case int64:
		if _, isInt := r.ref.(*int); isInt {
			v, err = strconv.ParseInt(text, 0, strconv.IntSize)
		} else {
			v, err = strconv.ParseInt(text, 0, 64)
		}
	case uint64:
		v, err = strconv.ParseUint(text, 0, 64)
	case float64:
		v, err = strconv.ParseFloat(text, 64)
	case bool:
		if text != "true" && text != "false" {
			return nil, fmt.Errorf("%s is true or false, not %q", r.Key, text)
		}
		v = text == "true"
	case time.Duration:
		if v, err = time.ParseDuration(text); err != nil {
			return nil, fmt.Errorf("%s must be a duration such as 1.5ms, not %q", r.Key, text)
		}
	case []string:
		if text == "" {
			return []string{}, nil
		}
		v = strings.Split(text, ",")
	default:
		v = text
	}
	if err != nil && r.Unit != "" {
		return nil, fmt.Errorf("%s must be a number of %s, not %q", r.Key, r.Unit, text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s must be a number, not %q", r.Key, text)
	}
	return v, nil
}

// bounded reports whether integers and durations of the row have bounds.
func (r Row) bounded() bool { return r.Min != 0 || r.Max != 0 }

// Range describes the values that the row accepts, or returns "" if it accepts any.
func (r Row) Range() string {
	switch r.Get().(type) {
	case int64:
		if r.Max == math.MaxInt64 {
			return fmt.Sprintf("at least %d", r.Min)
		}
		if r.bounded() {
			return fmt.Sprintf("%d..%d", r.Min, r.Max)
		}
	case uint64:
		return "0..18446744073709551615"
	case bool:
		return "true, false"
	case string:
		return strings.TrimSuffix(strings.Join(append(slices.Clip(r.Values), r.Also), ", "), ", ")
	case time.Duration:
		if r.bounded() {
			return fmt.Sprintf("%v..%v", time.Duration(r.Min), time.Duration(r.Max))
		}
	case float64:
		return r.Real.String()
	}
	return ""
}

// String describes the numbers in the interval.
func (i Interval) String() string {
	low, high := "at least", "at most"
	switch {
	case i == Interval{}:
		return ""
	case !i.OpenLow && !i.OpenHigh && !math.IsInf(i.High, 1):
		return number(i.Low) + ".." + number(i.High)
	}
	if i.OpenLow {
		low = "above"
	}
	if i.OpenHigh {
		high = "below"
	}
	text := low + " " + number(i.Low)
	if !math.IsInf(i.High, 1) {
		text += " and " + high + " " + number(i.High)
	}
	return text
}

// number returns x as text. A power of ten that strconv writes with an exponent becomes 10^n.
func number(x float64) string {
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if exponent, ok := strings.CutPrefix(s, "1e+"); ok {
		return "10^" + strings.TrimLeft(exponent, "0")
	}
	if exponent, ok := strings.CutPrefix(s, "1e-"); ok {
		return "10^-" + strings.TrimLeft(exponent, "0")
	}
	return s
}

// Holds reports whether x lies in the interval. It is false for NaN and infinities if there are bounds.
func (i Interval) Holds(x float64) bool {
	if i == (Interval{}) {
		return true
	}
	low := x > i.Low || !i.OpenLow && x == i.Low
	high := x < i.High || !i.OpenHigh && x == i.High
	return low && high && !math.IsInf(x, 0)
}

// Check returns an error if the value is out of the row's range.
func (r Row) Check() error {
	out := false
	shown := r.Text()
	switch v := r.Get().(type) {
	case int64:
		out = r.bounded() && (v < r.Min || v > r.Max)
	case time.Duration:
		out = r.bounded() && (int64(v) < r.Min || int64(v) > r.Max)
	case float64:
		out = !r.Real.Holds(v)
	case string:
		out = !r.Takes(v)
		shown = strconv.Quote(v)
	}
	if !out {
		return nil
	}
	must := r.Range()
	switch r.Get().(type) {
	case string:
		must = "one of " + must
	case int64, float64:
		if r.Unit != "" {
			must += " " + r.Unit
		}
	}
	return fmt.Errorf("%s is %s, it must be %s", r.Key, shown, must)
}

// CheckAll returns the error of the first row whose value is out of its range.
func CheckAll(rows []Row) error {
	for _, r := range rows {
		if err := r.Check(); err != nil {
			return err
		}
	}
	return nil
}

// About returns a line with the unit, the range, the meaning of zero, and the source.
func (r Row) About() string {
	var parts []string
	for _, p := range [][2]string{
		{"unit: ", r.Unit},
		{"range: ", r.Range()},
		{Nothing(r.Get()) + ": ", r.Zero},
		{"source: ", r.Source},
	} {
		if p[1] != "" {
			parts = append(parts, p[0]+p[1])
		}
	}
	return strings.Join(parts, "; ")
}

// Nothing returns the zero value of v's type, as users write it.
func Nothing(v any) string {
	switch v.(type) {
	case string:
		return `""`
	case []string:
		return "[]"
	case time.Duration:
		return "0s"
	}
	return "0"
}

// Usage returns the help of the row's flag: its meaning, then range, unit and the meaning of zero. The flag package
// adds the default.
func (r Row) Usage() string {
	unit, what := r.Unit, r.Range()
	if _, isBool := r.Get().(bool); isBool {
		what = ""
	}
	var parts []string
	switch {
	case what != "" && unit != "":
		parts = append(parts, what+" "+unit)
	case what+unit != "":
		parts = append(parts, what+unit)
	}
	switch _, isList := r.Get().([]string); {
	case r.Zero == "":
	case isList:
		parts = append(parts, "default: "+r.Zero)
	default:
		parts = append(parts, Nothing(r.Get())+": "+r.Zero)
	}
	if len(parts) == 0 {
		return r.Doc
	}
	return r.Doc + " [" + strings.Join(parts, "; ") + "]"
}

// Set sets the parameter with the given key from text.
func Set[C any](table []Knob[C], c *C, key, text string) error {
	rows := Bind(table, c)
	r, ok := Find(rows, key)
	if !ok {
		return fmt.Errorf("a machine has no knob %q; it has %s", key, strings.Join(Keys(rows), ", "))
	}
	return r.Set(text)
}

// Error says which parameter has an impossible value, and why.
type Error struct {
	Key     string
	Problem string // what was wrong and what was expected
}

func (e *Error) Error() string { return e.Key + ": " + e.Problem }

// Kind returns the kind in JSON.
func (e *Error) Kind() string { return "usage" }

// Errorf returns an error about an impossible value of a parameter.
func Errorf(key, format string, args ...any) error {
	return &Error{key, fmt.Sprintf(format, args...)}
}

package machinefile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"emsim/em4"
	"emsim/internal/located"
	"emsim/internal/suggest"
)

// Errors are all errors of a machine file, in the order of their places.
type Errors = located.Errors

// Read makes a machine from a file's text. The error is Errors: all unknown
// keys, and either the first value of a wrong type or all values out of
// range.
func Read(file string, text []byte) (em4.Config, error) {
	r := reader{file: file, text: text, config: em4.Prototype80()}
	if r.keys() && r.values() {
		r.ranges()
	}
	if r.errs != nil {
		slices.SortStableFunc(r.errs, func(a, b located.Error) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		return em4.Config{}, r.errs.First()
	}
	return r.config, nil
}

// reader is the state of one reading.
type reader struct {
	file   string
	text   []byte
	config em4.Config
	places map[string][2]int // of the file's keys: line, column
	errs   Errors
}

func (r *reader) fail(line, column int, format string, args ...any) {
	if r.full() {
		return
	}
	r.errs = append(r.errs, located.AtLine(r.file, r.text, line, column, fmt.Sprintf(format, args...)))
}

// full reports whether there are so many errors that the search stops.
func (r *reader) full() bool { return len(r.errs) >= located.Most }

// decode reads the text into v; unknown keys are errors.
func (r *reader) decode(v any) error {
	return toml.NewDecoder(bytes.NewReader(r.text)).DisallowUnknownFields().Decode(v)
}

// keys finds the places of all keys: for a struct without fields every key is
// unknown, and the decoder reports its place. It returns false if the text is
// not TOML.
func (r *reader) keys() bool {
	r.places = map[string][2]int{}
	err := r.decode(&struct{}{})
	var all *toml.StrictMissingError
	if err == nil {
		return true
	}
	if !errors.As(err, &all) {
		r.syntax(err)
		return false
	}
	var known []string
	for _, k := range em4.Knobs() {
		known = append(known, k.Key)
	}
	for i := 0; i < len(all.Errors) && !r.full(); i++ {
		e := &all.Errors[i]
		key := strings.Join(e.Key(), ".")
		line, column := e.Position()
		switch {
		case slices.Contains(known, key) && strings.HasSuffix(e.Error(), "missing table"):
			r.fail(line, column, "%s is a value, not a table: write %s = ...", key, key)
		case slices.Contains(known, key):
			r.places[key] = [2]int{line, column}
		case strings.HasSuffix(e.Error(), "missing table"):
			r.fail(line, column, "a machine has no table %q: its keys belong at the top of the file, as in 'emsim machine show'", key)
		default:
			r.fail(line, column, "a machine has no knob %q%s", key, hint(key, known))
		}
	}
	return true
}

func hint(key string, known []string) string {
	if h := suggest.DidYouMean(key, known); h != "" {
		return h
	}
	return "; it has " + strings.Join(known, ", ")
}

// wrongType is the decoder's message for a value of a wrong type.
var wrongType = regexp.MustCompile(`cannot decode TOML (.+) into`)

// values reads the values. It returns false if one has a wrong type.
func (r *reader) values() bool {
	err := r.decode(&r.config)
	var unknown *toml.StrictMissingError
	if err == nil || errors.As(err, &unknown) { // unknown keys have been reported by name
		return true
	}
	var d *toml.DecodeError
	if errors.As(err, &d) {
		r.wrongValue(d)
	}
	if r.errs == nil { // otherwise it has been reported by its key
		r.syntax(err)
	}
	return false
}

// wrongValue reports a knob's value of a wrong type.
func (r *reader) wrongValue(d *toml.DecodeError) {
	key, _, _ := strings.Cut(strings.Join(d.Key(), "."), ".")
	line, column := d.Position()
	found := ": " + strings.TrimPrefix(d.Error(), "toml: ")
	if m := wrongType.FindStringSubmatch(d.Error()); m != nil {
		found = ", not " + article(m[1])
	}
	for _, k := range em4.Knobs() {
		if k.Key == key && r.places[k.Key] != [2]int{} {
			r.fail(line, column, "%s is %s%s", k.Key, want(k), found)
		}
	}
}

// want says what a knob's value must be.
func want(k em4.Knob) string {
	var c em4.Config
	unit := ""
	if k.Unit != "" {
		unit = " (" + k.Unit + ")"
	}
	switch k.Ref(&c).(type) {
	case *bool:
		return "true or false"
	case *float64:
		return "a number" + unit
	case *string:
		return "text in quotes, one of " + strings.Join(k.Values, ", ")
	}
	return "a whole number" + unit
}

func article(what string) string {
	if strings.ContainsRune("aeiou", rune(what[0])) {
		return "an " + what
	}
	return "a " + what
}

// ranges checks the values of the file, each with its place, and then the
// whole machine.
func (r *reader) ranges() {
	for _, k := range em4.Knobs() {
		at, given := r.places[k.Key]
		if p, ok := k.Ref(&r.config).(*int); ok && given && (*p < k.Min || *p > k.Max) {
			r.fail(at[0], at[1], "%s is %d, it must be %d..%d %s", k.Key, *p, k.Min, k.Max, k.Unit)
		}
	}
	if r.errs != nil {
		return
	}
	if err := r.config.Validate(); err != nil {
		key, _, _ := strings.Cut(err.Error(), " ")
		if strings.HasPrefix(err.Error(), "no circular omega network") {
			key = "pes"
		}
		at := r.places[key]
		r.fail(at[0], at[1], "%v", err)
	}
}

// syntax reports text that is not TOML.
func (r *reader) syntax(err error) {
	var line, column int
	var d *toml.DecodeError
	if errors.As(err, &d) {
		line, column = d.Position()
	}
	r.fail(line, column, "this is not TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
}

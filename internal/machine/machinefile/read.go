package machinefile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
	"emsim/internal/base/suggest"
)

// Errors are all errors of a machine file, in the order of their places.
type Errors = srcerr.Errors

// Read makes an EM-4 machine from a file's text, see Machine.Read.
func Read(file string, text []byte) (em4.Config, error) {
	m := Kinds()[0].Make()
	if err := m.Read(file, text); err != nil {
		return em4.Config{}, err
	}
	return *m.Config.(*em4.Config), nil
}

// Read gives the machine the values of a file's text. The error is Errors in a
// *simerr.Usage: either that the file describes another kind of machine; or all
// unknown keys, and either the first value of a wrong type or all values out of
// range.
func (m *Machine) Read(file string, text []byte) error {
	r := reader{file: file, text: text, Machine: m}
	if r.keys() && r.values() {
		r.ranges()
	}
	if r.errs == nil {
		return nil
	}
	slices.SortStableFunc(r.errs, func(a, b srcerr.Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return &simerr.Usage{Err: r.errs.First()}
}

// reader is the state of one reading.
type reader struct {
	*Machine
	file   string
	text   []byte
	places map[string][2]int // of the file's keys: line, column
	errs   Errors
}

func (r *reader) fail(line, column int, format string, args ...any) {
	if r.full() {
		return
	}
	r.errs = append(r.errs, srcerr.AtLine(r.file, r.text, line, column, fmt.Sprintf(format, args...)))
}

// full reports whether there are so many errors that the search stops.
func (r *reader) full() bool { return len(r.errs) >= srcerr.Most }

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
	known := knob.Keys(r.Rows)
	if r.foreign(all) {
		return false
	}
	for i := 0; i < len(all.Errors) && !r.full(); i++ {
		e := &all.Errors[i]
		key := strings.Join(e.Key(), ".")
		line, column := e.Position()
		switch {
		case slices.Contains(known, key) && isTable(e):
			r.fail(line, column, "%s is a value, not a table: write %s = ...", key, key)
		case isTable(e):
			r.fail(line, column, "%s has no table %q: its keys belong at the top of the file, as in 'emsim machine show'", r.Kind.A, key)
		case slices.Contains(known, key) || key == header:
			r.places[key] = [2]int{line, column}
		default:
			r.fail(line, column, "%s has no knob %q%s", r.Kind.A, key, hint(key, known))
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

// isTable reports whether an unknown key begins a table.
func isTable(e *toml.DecodeError) bool { return strings.HasSuffix(e.Error(), "missing table") }

// foreign reports a file of another kind of machine: either its key machine
// names another kind, or it has no such key and all its keys are knobs of
// another kind.
func (r *reader) foreign(all *toml.StrictMissingError) bool {
	var file struct {
		Machine any `toml:"machine"`
	}
	_ = toml.Unmarshal(r.text, &file) // it has been checked that it is TOML
	for i := range all.Errors {
		if key := all.Errors[i].Key(); len(key) == 1 && key[0] == header && !isTable(&all.Errors[i]) {
			line, column := all.Errors[i].Position()
			return r.named(file.Machine, line, column)
		}
	}
	for _, k := range Kinds() {
		keys := knob.Keys(k.Make().Rows)
		theirs, ours := true, true
		for i := range all.Errors {
			key := strings.Join(all.Errors[i].Key(), ".")
			theirs = theirs && slices.Contains(keys, key)
			_, own := knob.Find(r.Rows, key)
			ours = ours && own
		}
		if theirs && !ours {
			line, column := all.Errors[0].Position()
			r.fail(line, column, "all keys of this file are knobs of %s, not of %s: '%s %s'", k.Doc, r.Kind.Doc, k.Command, r.file)
			return true
		}
	}
	return false
}

// named checks the value of the key machine.
func (r *reader) named(name any, line, column int) (wrong bool) {
	word, _ := name.(string)
	k, ok := KindOf(word)
	switch {
	case word == r.Kind.Name:
		return false
	case ok:
		r.fail(line, column, "this is a machine file of %s (machine = %q), not of %s: '%s %s'", k.Doc, word, r.Kind.Doc, k.Command, r.file)
	default:
		var names []string
		for _, k := range Kinds() {
			names = append(names, k.Name)
		}
		r.fail(line, column, "machine is the kind of machine in quotes, one of %s%s", strings.Join(names, ", "), suggest.DidYouMean(word, names))
	}
	return true
}

// values reads the values. It returns false if one has a wrong type.
func (r *reader) values() bool {
	fields := make([]reflect.StructField, len(r.Rows))
	for i, row := range r.Rows {
		kind := reflect.TypeOf(row.Get())
		if isDuration(row) {
			kind = reflect.TypeFor[string]()
		}
		fields[i] = reflect.StructField{Name: "K" + strconv.Itoa(i), Type: kind, Tag: reflect.StructTag(`toml:"` + row.Key + `"`)}
	}
	into := reflect.New(reflect.StructOf(fields))
	err := r.decode(into.Interface())
	var unknown *toml.StrictMissingError
	if err == nil || errors.As(err, &unknown) { // unknown keys have been reported by name
		r.put(into.Elem())
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

// put sets the rows to the values in the file.
func (r *reader) put(values reflect.Value) {
	for i, row := range r.Rows {
		at, given := r.places[row.Key]
		if !given {
			continue
		}
		v := values.Field(i).Interface()
		word, isText := v.(string)
		switch {
		case isText && isDuration(row):
			d, err := time.ParseDuration(word)
			if err != nil {
				r.fail(at[0], at[1], "%s is %q, it must be %s", row.Key, word, want(row))
				continue
			}
			v = d
		case isText && row.Values != nil && !slices.Contains(row.Values, word):
			r.fail(at[0], at[1], "%s is %q, it must be one of %s", row.Key, word, strings.Join(row.Values, ", "))
			continue
		}
		if err := row.Put(v); err != nil {
			r.fail(at[0], at[1], "%s: %v", row.Key, err)
		}
	}
}

// isDuration reports whether a file has the row's value as a text.
func isDuration(row knob.Row) bool {
	_, is := row.Get().(time.Duration)
	return is
}

// wrongType is the decoder's message for a value of a wrong type.
var wrongType = regexp.MustCompile(`cannot decode TOML (.+) into`)

// wrongValue reports a knob's value of a wrong type.
func (r *reader) wrongValue(d *toml.DecodeError) {
	key, _, _ := strings.Cut(strings.Join(d.Key(), "."), ".")
	line, column := d.Position()
	found := ": " + strings.TrimPrefix(d.Error(), "toml: ")
	if m := wrongType.FindStringSubmatch(d.Error()); m != nil {
		found = ", not " + article(m[1])
	}
	if row, ok := knob.Find(r.Rows, key); ok && r.places[key] != [2]int{} {
		r.fail(line, column, "%s is %s%s", key, want(row), found)
	}
}

// want says what a knob's value must be.
func want(row knob.Row) string {
	unit := ""
	if row.Unit != "" {
		unit = " (" + row.Unit + ")"
	}
	switch row.Get().(type) {
	case bool:
		return "true or false"
	case float64:
		return "a number" + unit
	case time.Duration:
		return `a duration in quotes, as "1.5ms"`
	case []string:
		return "a list of texts in quotes"
	case string:
		if row.Values == nil {
			return "text in quotes"
		}
		return "text in quotes, one of " + strings.Join(row.Values, ", ")
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
	for _, row := range r.Rows {
		if at, given := r.places[row.Key]; given {
			if err := row.Check(); err != nil {
				r.fail(at[0], at[1], "%v", err)
			}
		}
	}
	if r.errs != nil {
		return
	}
	if err := r.Validate(); err != nil {
		key, _, _ := strings.Cut(err.Error(), " ")
		key = strings.ReplaceAll(strings.TrimSuffix(key, ":"), "-", "_")
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

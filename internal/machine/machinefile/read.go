package machinefile

import (
	"slices"
	"strings"
	"time"

	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/srcerr"
	"emsim/internal/base/suggest"
	"emsim/internal/base/tomlfile"
)

// Errors holds all errors of a machine file, ordered by place.
type Errors = srcerr.Errors

// Read sets the machine to the values in the text of a file. It returns Errors in a *simerr.Usage. If the file
// describes another kind of machine, that is the only error. Otherwise the errors are all unknown keys, and either all
// values of a wrong type or all values out of range.
func (m *Machine) Read(file string, text []byte) error {
	r := reader{Machine: m, File: tomlfile.File{Name: file, Text: text}}
	if root := r.Tree(); root != nil && !r.foreign(root) {
		r.unknown(root)
		if r.values(root) {
			r.ranges(root)
		}
	}
	return r.Err()
}

// reader is the state of Read for one file.
type reader struct {
	*Machine
	tomlfile.File
}

// failAt adds an error at the beginning of a place.
func (r *reader) failAt(at tomlfile.Range, format string, args ...any) {
	r.Failf(tomlfile.Point(at), format, args...)
}

// unknown adds an error for every key or table that is not a knob.
func (r *reader) unknown(root *tomlfile.Node) {
	known := knob.Keys(r.Rows)
	for _, e := range root.Keys {
		isKnob := slices.Contains(known, e.Name)
		switch {
		case isKnob && e.Tables():
			r.failAt(e.At, "%s is a value, not a table: write %s = ...", e.Name, e.Name)
		case e.Tables():
			r.failAt(e.At, "%s has no table %q: its keys belong at the top of the file, as in 'emsim machine show'",
				r.Kind.A, e.Name)
		case !isKnob && e.Name != header:
			r.failAt(e.At, "%s has no knob %q%s", r.Kind.A, e.Name, tomlfile.OrList(e.Name, known))
		}
	}
}

// foreign adds an error if the file describes another kind of machine, and reports whether it did. Either the key
// machine names another kind, or the key is missing and all keys are knobs of another kind.
func (r *reader) foreign(root *tomlfile.Node) bool {
	for _, e := range root.Keys {
		if e.Name == header && !e.Tables() {
			return r.checkKind(e)
		}
	}
	for _, k := range Kinds() {
		keys := knob.Keys(k.NewMachine().Rows)
		theirs, ours := len(root.Keys) > 0, true
		for _, e := range root.Keys {
			theirs = theirs && slices.Contains(keys, e.Name)
			_, own := knob.Find(r.Rows, e.Name)
			ours = ours && own
		}
		if theirs && !ours {
			r.failAt(root.Keys[0].At, "all keys of this file are knobs of %s, not of %s: '%s %s'", k.Doc, r.Kind.Doc,
				k.Command, r.Name)
			return true
		}
	}
	return false
}

// checkKind checks the value of the key machine, and reports whether it is wrong.
func (r *reader) checkKind(e tomlfile.Entry) (wrong bool) {
	word, _ := e.Value.(string)
	k, ok := KindOf(word)
	switch {
	case word == r.Kind.Name:
		return false
	case ok:
		r.failAt(e.At, "this is a machine file of %s (machine = %q), not of %s: '%s %s'", k.Doc, word, r.Kind.Doc,
			k.Command, r.Name)
	default:
		names := lists.Of(Kinds(), func(k Kind) string { return k.Name })
		r.failAt(e.At, "machine is the kind of machine in quotes, one of %s%s", strings.Join(names, ", "),
			suggest.DidYouMean(word, names))
	}
	return true
}

// values sets the rows from the file. It returns false if a value has a wrong type.
func (r *reader) values(root *tomlfile.Node) (right bool) {
	right = true
	for _, e := range root.Keys {
		row, ok := knob.Find(r.Rows, e.Name)
		if !ok || e.Tables() {
			continue
		}
		v, ok := valueOf(row, e.Node)
		text, isText := v.(string)
		switch {
		case !ok:
			r.failAt(e.Node.At, "%s is %s, not %s", e.Name, expectedValue(row), e.KindName())
			right = false
		case isText && !row.Takes(text):
			r.failAt(e.At, "%s is %q, it must be one of %s", e.Name, text, row.Range())
		default:
			if err := row.Put(v); err != nil {
				r.failAt(e.At, "%s: %v", e.Name, err)
			}
		}
	}
	return right
}

// valueOf returns a value in the type that a row takes; ok is false if its type is wrong.
func valueOf(row knob.Row, n *tomlfile.Node) (v any, ok bool) {
	whole, isWhole := n.Value.(int64)
	text, isText := n.Value.(string)
	switch row.Get().(type) {
	case int64:
		return whole, isWhole && (!row.IsInt() || int64(int(whole)) == whole)
	case uint64:
		return uint64(whole), isWhole && whole >= 0
	case float64:
		if isWhole {
			return float64(whole), true
		}
		v, ok = n.Value.(float64)
	case bool:
		v, ok = n.Value.(bool)
	case time.Duration:
		d, err := time.ParseDuration(text)
		return d, err == nil
	case []string:
		var list []string
		for _, x := range n.List {
			word, isWord := x.Value.(string)
			if !isWord {
				return nil, false
			}
			list = append(list, word)
		}
		return list, n.IsList
	default:
		return text, isText
	}
	return v, ok
}

// expectedValue describes the values of a knob, for errors.
func expectedValue(row knob.Row) string {
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
		return "a list of strings in quotes"
	case string:
		if row.Values == nil {
			return "text in quotes"
		}
		return "text in quotes, one of " + row.Range()
	case uint64:
		return "a whole number, 0 or more" + unit
	}
	return "a whole number" + unit
}

// ranges checks the values of the file, with their places, and then the whole machine.
func (r *reader) ranges(root *tomlfile.Node) {
	at := map[string]tomlfile.Range{}
	for _, e := range root.Keys {
		row, ok := knob.Find(r.Rows, e.Name)
		if !ok || e.Tables() {
			continue
		}
		at[e.Name] = e.At
		if err := row.Check(); err != nil {
			r.failAt(e.At, "%v", err)
		}
	}
	if r.Failed() {
		return
	}
	if err := r.Validate(); err != nil {
		key, _, _ := strings.Cut(err.Error(), " ")
		key = strings.ReplaceAll(strings.TrimSuffix(key, ":"), "-", "_")
		if strings.HasPrefix(err.Error(), "no circular omega network") {
			key = "pes"
		}
		r.failAt(at[key], "%v", err)
	}
}

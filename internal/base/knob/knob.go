// Package knob describes the parameters of a machine in a table, from which flags, --set, machine files, sweeps, pages
// and random tests are derived.
//
//	knob.go   a row of the table, and the row bound to one configuration
//	value.go  types of values, and parameters that are stored in a different form from the written one
//	text.go   values as text: --set, TOML, ranges, errors
//	draw.go   random values
package knob

import "emsim/internal/base/lists"

// Knob documents one parameter of a configuration C.
type Knob[C any] struct {
	Key      string       // key in files, --set, sweeps and JSON
	Flag     string       // name of its flag; "" if only files and --set have it
	Unit     string       // "" if the value has none
	Min, Max int64        // bounds of integers, and of durations in nanoseconds; if both are 0, there are none
	Real     Interval     // bounds of real numbers
	Values   []string     // possible words; nil means any text
	Also     string       // what a Word takes besides Values, such as "a list"; "" for nothing
	Zero     string       // meaning of the zero value, if special
	Source   string       // where the default comes from
	Doc      string       // one line
	Ref      func(*C) any // *int, *int64, *uint64, *float64, *bool, *string, *time.Duration, *[]string or a Value
}

// Interval bounds real numbers. The zero value sets no bound.
type Interval struct {
	Low, High         float64
	OpenLow, OpenHigh bool // the bound itself is not a value
}

// Row is a knob bound to one configuration: its methods read and change that
// configuration's field.
type Row struct {
	Key, Flag, Unit   string
	Min, Max          int64
	Real              Interval
	Values            []string
	Also              string
	Zero, Source, Doc string
	ref               any
}

// Bind returns the rows of a table, bound to a configuration.
func Bind[C any](table []Knob[C], c *C) []Row {
	return lists.Of(table, func(k Knob[C]) Row { return k.Bind(c) })
}

// Bind returns the row, bound to a configuration.
func (k Knob[C]) Bind(c *C) Row {
	return Row{k.Key, k.Flag, k.Unit, k.Min, k.Max, k.Real, k.Values, k.Also, k.Zero, k.Source, k.Doc, k.Ref(c)}
}

// Words returns a list of constants as strings, for Values.
func Words[T ~string](list ...T) []string {
	return lists.Of(list, func(w T) string { return string(w) })
}

// Keys returns the keys of the rows.
func Keys(rows []Row) []string {
	return lists.Of(rows, func(r Row) string { return r.Key })
}

// Find returns the row with the given key, and whether there is one.
func Find(rows []Row, key string) (Row, bool) {
	return lists.Find(rows, func(r Row) bool { return r.Key == key })
}

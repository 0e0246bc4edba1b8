// Package answer declares once what a run says: each number with its key in JSON, its
// name for people, its unit, its meaning and its weight. The text of a terminal, JSON and
// the columns of tables follow from the declaration; package terminal writes the text.
//
//	answer.go  what an answer holds, how one is declared, and its JSON
//	number.go  numbers for people
//	list.go    tables, and the columns of rows
//	mean.go    the mean of several answers
//	limit.go   which part of the workers' time limited the run
package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/ordered"
)

// An Answer is what a run says.
//
// The answers of all machines share five numbers, each in the machine's own terms:
//
//	time        until the last one was done, in the machine's unit
//	efficiency  share of the processors' time until then that went into the work itself
//	transfers   units of work that changed processor
//	messages    what processors sent each other, data and control
//	imbalance   work of the busiest processor over the mean; 1 is even
type Answer struct {
	Title   string          // what ran
	Result  string          // what it gave; "" without one
	Stopped string          // of a run that did not come to its end: how far it got; "" of others
	Machine string          // on which machine, with which settings
	Says    []string        // sentences under the title
	Whole   string          // whose time the parts divide: "the PEs' time"
	SoFar   string          // how far a run got that was interrupted
	Keys    map[string]any  // what JSON's error has of that
	Far     Far             // how much of the run is done
	Fields  []*Field        // in the order of JSON
	Papers  []Paper         // what a paper says of the same run
	Lists   []List          // tables for people
	Bands   map[string]Band // of a mean: of its numbers by key
	Runs    int             // of a mean: the number of runs; 0 for one run
	Next    Next            // what to try next
}

// Next is a command that continues where an answer ends, and what it shows.
type Next struct{ Command, Why string }

// Far is how far a run is: Done of a Total of steps, which is 0 if its end is not known.
type Far struct {
	Done, Total int64
	Text        string
}

// Place is where people see a field.
type Place uint8

// The places.
const (
	Data     Place = iota // in JSON and tables only
	Headline              // in the first rows, with a name on the left
	Detail                // in the rows after them, with the number on the left
)

// Work is the part of the workers' time that went into the work itself.
const Work = "work"

// A Field is a key of an answer.
type Field struct {
	Key   string // in JSON; states.idle is the key idle of the object states
	Value any
	// Of a number, which tables show and sweeps tabulate; others have no Doc.
	Unit, Doc string
	Of        []string // keys whose product it is a part of
	IsShare   bool     // 0..1, or a little more
	Instead   string   `json:",omitempty"` // what tables show in place of a number that has no meaning: "saturated"

	Label string // for people; "" is the key with blanks
	Note  string // short, about this run: "16.0 a call"
	Place Place
	Shown bool   // also where it is 0
	Part  string // of the workers' time: Work, or a name for what limits the run
	Cause string // why such time passes: "no packet to work on"
}

// A Paper is a number that a paper gives for the same program and settings.
type Paper struct {
	Key      string  `json:"-"`        // of the answer's number
	Printed  string  `json:"-"`        // the number as the paper prints it
	ID       string  `json:"id"`       // of the row of 'emsim verify'
	Source   string  `json:"source"`   // table 1
	Quantity string  `json:"quantity"` // time, pe_utilisation
	Unit     string  `json:"unit"`
	Paper    float64 `json:"paper"`
	Model    float64 `json:"model"`         // of this run, in the same unit
	Gap      int     `json:"gap,omitempty"` // number of the known gap
}

// Percent is a share, 0..1, that a table shows in per cent.
type Percent float64

// Say adds a key that is no number of the run.
func (x *Answer) Say(key string, value any) *Field {
	f := &Field{Key: key, Value: value}
	x.Fields = append(x.Fields, f)
	return f
}

// Number adds a number, which is a part of the product of others if there are any.
func (x *Answer) Number(key string, value any, unit, doc string, of ...string) *Field {
	f := &Field{Key: key, Value: value, Unit: unit, Doc: doc, Of: of}
	x.Fields = append(x.Fields, f)
	return f
}

// Share adds a share, 0..1.
func (x *Answer) Share(key string, value float64, doc string) *Field {
	f := x.Number(key, value, "", doc)
	f.IsShare = true
	return f
}

// Head puts a field into the first rows, under a name.
func (f *Field) Head(label, format string, args ...any) *Field {
	f.Place, f.Shown = Headline, true
	return f.named(label, format, args)
}

// Detail puts a field into the rows after them, where it is not 0.
func (f *Field) Detail(label, format string, args ...any) *Field {
	f.Place = Detail
	return f.named(label, format, args)
}

// Always lets the field be seen where it is 0, too.
func (f *Field) Always() *Field {
	f.Shown = true
	return f
}

// PartOf makes the field a part of the workers' time: Work, or a name for what limits the
// run and why such time passes.
func (f *Field) PartOf(part, cause string) *Field {
	f.Part, f.Cause = part, cause
	return f
}

// Called gives a field a name for people without showing it to them first.
func (f *Field) Called(label string) *Field {
	f.Label = label
	return f
}

func (f *Field) named(label, format string, args []any) *Field {
	f.Label, f.Note = label, fmt.Sprintf(format, args...)
	return f
}

// Weighty returns the fields that people see without asking for all: first rows, then details, then
// parts of the workers' time.
func (x *Answer) Weighty() []*Field {
	rank := func(f *Field) int {
		switch {
		case f.Place == Headline:
			return 0
		case f.Place == Detail:
			return 1
		case f.Part != "":
			return 2
		}
		return 3
	}
	list := slices.DeleteFunc(slices.Clone(x.Fields), func(f *Field) bool { return rank(f) == 3 })
	slices.SortStableFunc(list, func(a, b *Field) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// Name returns the field's name for people.
func (f *Field) Name() string {
	if f.Label != "" {
		return f.Label
	}
	return strings.NewReplacer("_", " ", ".", " ").Replace(f.Key)
}

// End labels the answer of a run that did not end well with the share that is done.
func (x *Answer) End(err error) {
	if err != nil {
		x.Stopped = x.Far.Label()
		x.Say("done_share", x.Far.Share())
	}
}

// Share returns the share of the run that is done, nil if its end is not known.
func (f Far) Share() *float64 {
	if f.Total <= 0 {
		return nil
	}
	share := float64(min(f.Done, f.Total)) / float64(f.Total)
	return &share
}

// Label returns how far a run is that was stopped, for its headline.
func (f Far) Label() string {
	if share := f.Share(); share != nil {
		return fmt.Sprintf("%.0f %% done", 100**share)
	}
	return "not complete"
}

// Heading says on which machine the run was, and what ran, in one line.
func (x *Answer) Heading() string { return x.Machine + ": " + x.Ran() }

// Ran says what ran, and how far it got if it did not come to its end.
func (x *Answer) Ran() string {
	if x.Stopped != "" {
		return x.Title + ": " + x.Stopped
	}
	return x.Title
}

// Numbers returns the fields that are numbers.
func (x *Answer) Numbers() []*Field {
	return slices.DeleteFunc(slices.Clone(x.Fields), func(f *Field) bool { return f.Doc == "" })
}

// Field returns the field of a key, or nil.
func (x *Answer) Field(key string) *Field {
	for _, f := range x.Fields {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// Value returns the value of a key, or nil.
func (x *Answer) Value(key string) any {
	if f := x.Field(key); f != nil {
		return f.Value
	}
	return nil
}

// Float returns the number of a key; false if the answer has none.
func (x *Answer) Float(key string) (float64, bool) { return number(x.Value(key)) }

// MarshalJSON writes the keys in their order. An object stands where its first key was added.
func (x *Answer) MarshalJSON() ([]byte, error) {
	var o ordered.Object
	inner := map[string]*ordered.Object{}
	for _, f := range x.Fields {
		at, key := &o, f.Key
		if object, own, inside := strings.Cut(f.Key, "."); inside {
			if inner[object] == nil {
				inner[object] = &ordered.Object{}
				o = append(o, object, inner[object])
			}
			at, key = inner[object], own
		}
		*at = append(*at, key, f.Value)
	}
	if x.Papers != nil {
		o = append(o, "paper", x.Papers)
	}
	return o.MarshalJSON()
}

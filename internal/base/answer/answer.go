// Package answer declares the results of a run once: each number with its key in JSON, its display name, its unit, its
// meaning and its place. The terminal text, the JSON and the columns of tables follow from the declaration; package
// terminal writes the text.
//
//	answer.go  an answer's fields, how they are declared, and its JSON
//	number.go  numbers as displayed
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

// An Answer holds the results of a run.
//
// The answers of all machines share five numbers, each in the machine's own terms:
//
//	time        until the last processor was done, in the machine's unit
//	efficiency  share of the processors' time until then that was spent on the work itself
//	transfers   units of work that moved to another processor
//	messages    messages between processors, data and control
//	imbalance   work of the busiest processor over the mean; 1 is even
type Answer struct {
	Title   string          // the program that ran
	Result  string          // its result; "" without one
	Stopped string          // how far a run got that did not complete; "" if it did
	Machine string          // the machine that ran it, with its settings
	Says    []string        // sentences under the title
	Whole   string          // the time that the parts divide: "the PEs' time"
	SoFar   string          // how far an interrupted run got
	Keys    map[string]any  // SoFar, as keys of the JSON error
	Far     Far             // how much of the run is done
	Fields  []*Field        // in the order of JSON
	Papers  []Paper         // numbers of a paper about the same run
	Lists   []List          // tables to display
	Bands   map[string]Band // of a mean: the bands of its numbers, by key
	Runs    int             // of a mean: the number of runs; 0 for one run
	Next    Next            // what to try next
}

// Next is a command that continues where an answer ends, with the reason to run it.
type Next struct{ Command, Why string }

// Far is the progress of a run: Done of Total steps. Total is 0 if the end is not known.
type Far struct {
	Done, Total int64
	Text        string
}

// Place says where a field is displayed.
type Place uint8

// The places where fields are displayed.
const (
	Data     Place = iota // in JSON and tables only
	Headline              // in the first rows, with its name on the left
	Verdict               // in the first rows, after what limited the run
	Detail                // in the rows after them, with its number on the left
)

// Work is the part of the workers' time that was spent on the work itself.
const Work = "work"

// A Field is one key of an answer and its value.
type Field struct {
	Key   string // in JSON; states.idle is the key idle of the object states
	Value any
	// The next fields are set for numbers only, which tables show and sweeps tabulate. Other fields have no Doc.
	Unit, Doc string
	Of        []string // the field is a part of the product of these keys
	IsShare   bool     // 0..1, or a little more
	Instead   string   `json:",omitempty"` // what tables show instead of a meaningless number: "saturated"

	Label string // display name; "" stands for the key with spaces
	Note  string // short, about this run: "16.0 a call"
	Place Place
	Shown bool   // shown even if it is 0
	Part  string // of the workers' time: Work, or a name for what limits the run
	Cause string // why this time passes: "no packet to work on"
}

// A Paper is a number that a paper reports for the same program and settings.
type Paper struct {
	Key      string  `json:"-"`        // of the answer's number
	Printed  string  `json:"-"`        // the number as the paper prints it
	ID       string  `json:"id"`       // of the row of 'emsim verify'
	Source   string  `json:"source"`   // place in the paper, such as table 1
	Quantity string  `json:"quantity"` // for example time, pe_utilisation
	Unit     string  `json:"unit"`
	Paper    float64 `json:"paper"`
	Model    float64 `json:"model"`                          // of this run, in the same unit
	Gap      int     `json:"gap,omitempty"`                  // number of the known gap
	Best     bool    `json:"best_of_several_runs,omitempty"` // the paper prints the fastest of several runs
}

// Percent is a share, 0..1, that tables show as a percentage.
type Percent float64

// Say adds a key that is not a number of the run.
func (x *Answer) Say(key string, value any) *Field {
	f := &Field{Key: key, Value: value}
	x.Fields = append(x.Fields, f)
	return f
}

// SayAll adds keys that are not numbers of the run: a key and its value in turn.
func (x *Answer) SayAll(pairs ...any) *Answer {
	for i := 0; i < len(pairs); i += 2 {
		x.Say(pairs[i].(string), pairs[i+1])
	}
	return x
}

// Number adds a number. If of has keys, the number is a part of the product of their numbers.
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

// Head puts a field into the first rows, under a label.
func (f *Field) Head(label, format string, args ...any) *Field {
	f.Place, f.Shown = Headline, true
	return f.setLabel(label, format, args)
}

// Conclude puts a field into the first rows, after what limited the run.
func (f *Field) Conclude(label, format string, args ...any) *Field {
	f.Place, f.Shown = Verdict, true
	return f.setLabel(label, format, args)
}

// Detail puts a field into the rows after the first ones, where it is shown unless it is 0.
func (f *Field) Detail(label, format string, args ...any) *Field {
	f.Place = Detail
	return f.setLabel(label, format, args)
}

// Always shows the field even if it is 0.
func (f *Field) Always() *Field {
	f.Shown = true
	return f
}

// PartOf makes the field a part of the workers' time: Work, or the name of something that limits the run, with the
// reason why this time passes.
func (f *Field) PartOf(part, cause string) *Field {
	f.Part, f.Cause = part, cause
	return f
}

// Called sets a field's display name without moving the field to the first rows.
func (f *Field) Called(label string) *Field {
	f.Label = label
	return f
}

func (f *Field) setLabel(label, format string, args []any) *Field {
	f.Label, f.Note = label, fmt.Sprintf(format, args...)
	return f
}

// Weighty returns the important fields: headlines first, then details, then parts of the workers' time. It leaves out
// all others.
func (x *Answer) Weighty() []*Field {
	rank := func(f *Field) int {
		switch {
		case f.Place == Headline, f.Place == Verdict:
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

// Name returns the field's display name: its label, or else its key with spaces for underscores and dots.
func (f *Field) Name() string {
	if f.Label != "" {
		return f.Label
	}
	return strings.NewReplacer("_", " ", ".", " ").Replace(f.Key)
}

// End marks the answer as stopped if err is not nil, and adds the share of the run that is done.
func (x *Answer) End(err error) {
	if err != nil {
		x.Stopped = x.Far.Label()
		x.Say("done_share", x.Far.Share())
	}
}

// Share returns the share of the run that is done, or nil if its end is not known.
func (f Far) Share() *float64 {
	if f.Total <= 0 {
		return nil
	}
	share := float64(min(f.Done, f.Total)) / float64(f.Total)
	return &share
}

// Label returns the progress of a stopped run, for its headline.
func (f Far) Label() string {
	if share := f.Share(); share != nil {
		return fmt.Sprintf("%.0f %% done", 100**share)
	}
	return "not complete"
}

// Heading returns one line with the machine and the program.
func (x *Answer) Heading() string { return x.Machine + ": " + x.Ran() }

// Ran returns the program, and how far the run got if it did not complete.
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

// Field returns the field with the given key, or nil.
func (x *Answer) Field(key string) *Field {
	for _, f := range x.Fields {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// Value returns the value of the given key, or nil.
func (x *Answer) Value(key string) any {
	if f := x.Field(key); f != nil {
		return f.Value
	}
	return nil
}

// Float returns the number of the given key, and whether the answer has one.
func (x *Answer) Float(key string) (float64, bool) { return number(x.Value(key)) }

// MarshalJSON writes the keys in order. A nested object is written where its first key was added.
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

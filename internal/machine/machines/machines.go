package machines

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"emsim/internal/machine/machinefile"
)

// A Model is what the driver knows about a machine: from it follow 'emsim NAME run',
// its help, flags, tables, JSON, series and events, and sweeps.
type Model struct {
	Short, Long, Example string   // help of the command
	Answer               Answer   // an empty one, for its tags
	Time                 string   // the key that says how long the run took
	Ends                 []string // kinds of errors that say how a run ended
	Files                []FileKind
	Sampling             Sampling
	Events               []string  // columns of --events
	ListFlag             [2]string // the flag that also prints the answer's lists, and its help; without one they are always printed
	Steps                bool      // can go clock by clock, with the same result

	run   func(ctx context.Context, config any, w Watch) (Answer, error)
	idles func(config any) []Idle
}

// An Answer is what a run gives: its fields, with the tags json, unit and doc.
type Answer interface {
	Title() string                                 // what ran, on which machine
	Progress() (soFar string, keys map[string]any) // of a run that was interrupted
	Lists() []List                                 // tables for people
}

// A List is a table of an answer; cells are texts, numbers and Percents.
type List struct {
	Heads []string
	Rows  [][]any
}

// Percent is a share, 0..1, that a table shows in per cent.
type Percent float64

// Sampling is how --series looks at a machine.
type Sampling struct {
	Flag    string // from one sample to the next
	Usual   any    // its default: a time.Duration, or an int64 in clocks
	Columns []string
}

// A Watch is told what happens in a run. It changes nothing.
type Watch struct {
	Every  int64              // clocks or nanoseconds from one sample to the next
	Sample func(cells ...any) // a row of --series; nil for none
	Event  func(cells ...any) // a row of --events; nil for none
	Step   bool               // go clock by clock
	Lists  bool               // the answer has the lists that are left out of long answers
}

// Idle are knobs that change nothing in some machines, and why.
type Idle struct {
	Keys []string
	Is   bool
	Why  string
}

// models are the machines by name, see machinefile.Kinds.
var models = map[string]*Model{"mnc": &mncModel, "rhinet": &rhinetModel, "spmd": &spmdModel, "pdes": &pdesModel, "net": &netModel}

// ModelOf returns the machine of a name, nil for the EM-4, which runs programs.
func ModelOf(name string) *Model { return models[name] }

// Kinds lists what sweeps vary: the five machines, the EM-4 first, and its
// network.
func Kinds() []machinefile.Kind { return append(machinefile.Kinds(), NetKind()) }

// KindOf returns the kind of a name.
func KindOf(name string) (machinefile.Kind, bool) {
	if k := NetKind(); k.Name == name {
		return k, true
	}
	return machinefile.KindOf(name)
}

// KindOfName returns the kind of a name, or of the machine file of that name.
func KindOfName(name string) (machinefile.Kind, bool) {
	if k, ok := KindOf(name); ok {
		return k, true
	}
	return machinefile.KindOfName(name)
}

// Run runs a machine that Use has checked. When the context ends, the answer is
// that of the run so far, or nil, beside the error, which is the machine's own or
// the context's.
func Run(ctx context.Context, m *machinefile.Machine, w Watch) (Answer, error) {
	x := models[m.Kind.Name]
	if x == nil {
		return nil, fmt.Errorf("%s runs programs: use 'emsim run'", m.Kind.Doc)
	}
	start := time.Now()
	answer, err := x.run(ctx, m.Config, w)
	if answer != nil {
		reflect.ValueOf(answer).Elem().FieldByName("WallSeconds").SetFloat(time.Since(start).Seconds())
	}
	return answer, err
}

// IdleKnobs lists the knobs that change nothing in a machine, and why.
func (x *Model) IdleKnobs(config any) []Idle {
	if x.idles == nil {
		return nil
	}
	return x.idles(config)
}

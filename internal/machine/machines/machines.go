package machines

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"emsim/internal/base/answer"
	"emsim/internal/base/input"
	"emsim/internal/base/moves"
	"emsim/internal/base/state"
	"emsim/internal/machine/machinefile"
)

// A Model is what the driver knows about a machine: from it follow the command that
// runs it, its help, flags, tables, JSON and files of rows, and sweeps.
type Model struct {
	Summary, About            string   // of the group of its commands, in the list of all and in its own help
	Use, Short, Long, Example string   // of the command that runs it
	Machines                  []string // names that --machine takes, the default first; nil for the kind's own
	Time                      string   // the key that says how long the run took
	Ends                      []string // kinds of errors that say how a run ended
	Files                     []FileKind
	Sampling                  Sampling
	Rows                      []Rows
	Switches                  []Switch
	Saved                     bool     // a run can be saved, and be continued
	Threads                   bool     // several threads can step it, with the same result
	Again                     []string // flags of knobs that a resumed run may change
	Terms                     Terms
	Next                      answer.Next // what to try after a run, with its flags: "ask held"
	Beside                    string      // a change of a run, as an example of --vs
	Recorded                  string      // flags of a run that can be recorded, if the default one is too large

	Run      func(ctx context.Context, config any, w *Watch) (*answer.Answer, error)
	Describe func(x *answer.Answer)  // the fields of an answer, without values
	Idles    func(config any) []Idle // nil: every knob counts
}

// Terms are what a machine calls the things in a moves.Record; without them it keeps none.
type Terms struct {
	Worker      string
	Item, Items string // of its load
	Kind        string // of these items' moves
	Measure     string // what workers know of each other
	IsSpeed     bool   // that is how fast a load is done: a level load takes all the same time
	Unit        string // clocks, or s
	PerUnit     int64  // of the record's times in a unit
}

// Sampling says when the rows of --series are written.
type Sampling struct {
	Flag  string // from one sample to the next; "" if there is no --series
	Usual any    // its default: a time.Duration, or an int64 in clocks
}

// Rows are a CSV file that a run can write.
type Rows struct {
	Flag, Doc string
	Columns   []string
}

// Series returns the rows of --series.
func Series(columns ...string) Rows {
	return Rows{"series", "write what each worker holds and does over time to this CSV `FILE`", columns}
}

// Events returns the rows that a record is told, whose times have the unit of the first
// column.
func Events(time string) Rows {
	return Rows{
		"events", "write what everybody does, and what moves and why, to this CSV `FILE`",
		[]string{time, "worker", "event", "since", "from", "to", "what", "why", "knew"},
	}
}

// EventLog returns a record that writes events and keeps nothing.
func (x *Model) EventLog(write func(cells ...any)) *moves.Record {
	inSeconds := slices.ContainsFunc(x.Rows, func(r Rows) bool { return r.Flag == "events" && r.Columns[0] == "s" })
	time := func(t int64) any {
		switch {
		case t == moves.OnTheWay:
			return ""
		case inSeconds:
			return float64(t) / float64(x.Terms.PerUnit)
		}
		return t
	}
	return &moves.Record{Tell: func(e moves.Entry) {
		var knew []string
		for _, k := range e.Knew {
			knew = append(knew, strings.Trim(fmt.Sprintf("%d: %.6g at %v, %s", k.Worker, k.Load, time(k.At), k.Detail),
				", "))
		}
		write(time(e.At), e.Worker, e.Event, time(e.Since), numberOrNone(e.From), numberOrNone(e.To), e.What, e.Why,
			strings.Join(knew, "; "))
	}}
}

// numberOrNone writes a number, and nothing for one below 0.
func numberOrNone(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// A Switch is a flag without a value that changes how a run is done or shown.
type Switch struct {
	Flag, Doc string
	OneRun    bool // it says nothing of several
}

// resumes is the help of a machine whose runs can be saved.
const resumes = `

--checkpoint FILE saves the state of a run, at the time --at or when Ctrl-C or a
limit of the machine stops it, and --resume FILE continues it, with the same
answer as without the interruption. The file fixes the machine, its files and the
seed. A run goes from event to event, on one thread; sweeps do many at once.`

// A Watch is told what happens in a run. It does not change what happens.
type Watch struct {
	Every     int64                         // clocks or nanoseconds from one sample to the next
	Rows      map[string]func(cells ...any) // that write a row, by the flag of the file
	On        map[string]bool               // switches
	Threads   int                           // that step the machine; 0: as many as are fastest
	Progress  func(ask func() answer.Far)   // is told now and then that the run can be asked how far it is
	Record    *moves.Record                 // what moves, and why; nil for none; not together with rows of events
	Snapshots *state.Snapshots              // when it shows its state, and from which it continues
}

// progress returns the Look of a model that is asked by Progress.
func (w *Watch) progress(say func(now int64) string) func(now, done, total int64) {
	if w.Progress == nil {
		return nil
	}
	return func(now, done, total int64) {
		w.Progress(func() answer.Far { return answer.Far{Done: done, Total: total, Text: say(now)} })
	}
}

// Idle are knobs that change nothing in some machines, and why.
type Idle struct {
	Keys []string
	Is   bool
	Why  string
}

// models are the machines by name, see machinefile.Kinds.
var models = map[string]*Model{
	"em4": &em4Model, "mnc": &mncModel, "rhinet": &rhinetModel, "spmd": &spmdModel, "pdes": &pdesModel,
	"net": &netModel, "balance": &groundModel,
}

// Add adds a machine to all that emsim can do with one: run, sweeps, figures, reports, checkpoints, the debugger. It is
// for the beginning of a program, before anybody asks.
func Add(kind machinefile.Kind, x *Model) {
	machinefile.Add(kind)
	models[kind.Name] = x
}

// Models returns the names of the machines that have a Model, in alphabetical order.
func Models() []string { return slices.Sorted(maps.Keys(models)) }

// ModelOf returns the machine of a name.
func ModelOf(name string) *Model { return models[name] }

// Kinds lists what sweeps vary: the five machines, the EM-4 first, its network, and the
// common ground of their schemes.
func Kinds() []machinefile.Kind { return append(machinefile.Kinds(), NetKind(), GroundKind()) }

// KindOf returns the kind of a name.
func KindOf(name string) (machinefile.Kind, bool) {
	i := slices.IndexFunc(Kinds(), func(k machinefile.Kind) bool { return k.Name == name })
	if i < 0 {
		return machinefile.Kind{}, false
	}
	return Kinds()[i], true
}

// KindOfName returns the kind of a name, or of the machine file of that name.
func KindOfName(name string) (machinefile.Kind, bool) {
	if k, ok := KindOf(name); ok {
		return k, true
	}
	return machinefile.KindOfName(name)
}

// Run runs a machine that GiveFiles has checked. When the context ends, or the machine
// has failed in a way that it can tell more about, the answer tells of the run so far;
// the error with it is the machine's own or the context's.
func Run(ctx context.Context, m *machinefile.Machine, w Watch) (said *answer.Answer, err error) {
	defer w.Snapshots.Guard(&err)
	x := models[m.Kind.Name]
	if x == nil || x.Run == nil {
		return nil, fmt.Errorf("%s runs programs: use 'emsim run'", m.Kind.Doc)
	}
	if event := w.Rows["events"]; event != nil {
		w.Record = x.EventLog(event)
	}
	start := time.Now()
	said, err = x.Run(ctx, m.Config, &w)
	if said != nil {
		said.End(err)
		if f := said.Field("wall_seconds"); f != nil {
			f.Value = time.Since(start).Seconds()
		}
	}
	return said, err
}

// IdleKnobs lists the knobs that change nothing in a machine, and why.
func (x *Model) IdleKnobs(config any) []Idle {
	if x.Idles == nil {
		return nil
	}
	return x.Idles(config)
}

// A File is a file of a user's own that a machine takes.
type File struct {
	Flag string // of the command that runs the machine, without dashes
	Name string // of the file, as the user wrote it
	Path string // where it is
	Text []byte
}

// FileKind is what a machine does with such a file.
type FileKind struct {
	Flag    string
	Doc     string // help of the flag
	Want    input.Want
	Decides []string // knobs that the file leaves nothing to say

	use func(config any,
		f File) error // gives the file to a machine that lacks only this one and the later ones of the list
}

func textFile(what string, most int64, why string) input.Want {
	return input.Want{What: what, Kinds: []input.Kind{input.Text}, Most: most, Why: why}
}

// FileKinds lists the files that a machine takes; each may depend on those before
// it.
func FileKinds(machine string) []FileKind {
	if x := models[machine]; x != nil {
		return x.Files
	}
	return nil
}

// ReadFile reads the file of a flag.
func ReadFile(machine, flag, name string) ([]byte, error) {
	all := FileKinds(machine)
	return all[slices.IndexFunc(all, func(k FileKind) bool { return k.Flag == flag })].Want.Read(name)
}

// GiveFiles gives files to a machine whose knobs are set, and checks it as
// machinefile.Machine.Check does. The error is a *simerr.Usage.
func GiveFiles(m *machinefile.Machine, files []File) error {
	if err := m.CheckRanges(); err != nil {
		return err
	}
	for _, k := range FileKinds(m.Kind.Name) {
		for _, f := range files {
			if f.Flag != k.Flag {
				continue
			}
			if err := k.use(m.Config, f); err != nil {
				return err
			}
		}
	}
	return m.Validate()
}

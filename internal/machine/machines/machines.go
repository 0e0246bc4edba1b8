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
	"emsim/internal/base/ordered"
	"emsim/internal/base/state"
	"emsim/internal/machine/machinefile"
)

// A Model describes a machine to the driver. The command that runs the machine, its help, flags, tables, JSON, files of
// rows, and sweeps are derived from it.
type Model struct {
	Summary, About            string   // of its group of commands, in the list of all commands and in its own help
	Use, Short, Long, Example string   // of the command that runs it
	Machines                  []string // names that --machine takes, the default first; nil for the kind's name
	Time                      string   // the key of the number that says how long the run took
	Ends                      []string // kinds of errors that count as the outcome of a run
	Files                     []FileKind
	Sampling                  Sampling
	Rows                      []Rows
	Switches                  []Switch
	Saved                     bool     // a run can be saved and continued
	Threads                   bool     // several threads can step the machine, with the same result
	Again                     []string // flags of knobs that a resumed run may change
	Terms                     Terms
	Next                      answer.Next // command to try after a run, such as "ask held"; it gets the run's flags
	Beside                    string      // a change of a run, as an example for --vs
	Recorded                  string      // flags of a run that can be recorded, if the default run is too large

	Run      func(ctx context.Context, config any, w *Watch) (*answer.Answer, error)
	Describe func(x *answer.Answer)  // declares the fields of an answer, without values
	Idles    func(config any) []Idle // nil if every knob has an effect
}

// Terms are a machine's words for the things in a moves.Record. A machine without Terms keeps no record.
type Terms struct {
	Worker      string
	Item, Items string // of the machine's load
	Kind        string // of these items' moves
	Measure     string // what workers know about each other
	IsSpeed     bool   // Measure is the speed at which load is done: when balanced, all loads take the same time
	Unit        string // of the column time in CSV files: clocks, ticks or s
	PerUnit     int64  // units of the record's times per Unit
	Placed      bool   // an item cannot be given to a worker that waits, so no question is asked about idle workers
}

// Sampling says when the rows of --series are written.
type Sampling struct {
	Flag  string // the flag for the time between samples; "" if there is no --series
	Usual any    // its default: a time.Duration, or an int64 in clocks
}

// Rows describes a CSV file that a run can write.
type Rows struct {
	Flag, Doc string
	Columns   []string
}

// Series returns the rows of --series, in which the columns given here follow the time and the worker.
func Series(columns ...string) Rows {
	return Rows{
		"series", "write what each worker holds and does over time to this CSV `FILE`",
		append([]string{"time", "worker"}, columns...),
	}
}

// Events returns the rows of --events.
func Events() Rows {
	return Rows{
		"events", "write what each worker does, and what moves and why, to this CSV `FILE`",
		[]string{"time", "worker", "event", "since", "from", "to", "what", "why", "knew"},
	}
}

// Terms returns what a file of rows does not say: the unit of its times, and the paper's word for its workers.
func (r Rows) Terms(x *Model) (list ordered.Object) {
	if slices.Contains(r.Columns, "time") {
		list = append(list, "time_unit", x.Terms.Unit)
	}
	if slices.Contains(r.Columns, "worker") {
		list = append(list, "worker", x.Terms.Worker)
	}
	return list
}

// EventLog returns a record that writes events and stores nothing.
func (x *Model) EventLog(write func(cells ...any)) *moves.Record {
	time := func(t int64) any {
		switch {
		case t == moves.OnTheWay:
			return ""
		case x.Terms.Unit == "s":
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

// numberOrNone returns a number as text, or "" if it is negative.
func numberOrNone(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// A Switch is a flag without a value that changes how a run is done or displayed.
type Switch struct {
	Flag, Doc string
	OneRun    bool // it has no meaning for several runs
}

// resumes is the help for a machine whose runs can be saved.
const resumes = `

--checkpoint FILE saves the state of a run, at the time --at or when Ctrl-C or a
limit of the machine stops it, and --resume FILE continues it, with the same
answer as without the interruption. The file fixes the machine, its files and the
seed. A run goes from event to event, on one thread; sweeps make many runs at once.`

// A Watch receives the events of a run. It does not change the run.
type Watch struct {
	Every     int64                         // clocks or nanoseconds between samples
	Rows      map[string]func(cells ...any) // functions that write a row, by the flag of the file
	On        map[string]bool               // switches
	Threads   int                           // threads that step the machine; 0 means the fastest number
	Progress  func(ask func() answer.Far)   // called now and then; ask returns how far the run is
	Record    *moves.Record                 // the moves and their reasons; nil for none; excludes rows of events
	Snapshots *state.Snapshots              // when to show the state, and the state to continue from
}

// progress returns a function that a model calls now and then, which calls Progress, or nil if there is no Progress.
func (w *Watch) progress(say func(now int64) string) func(now, done, total int64) {
	if w.Progress == nil {
		return nil
	}
	return func(now, done, total int64) {
		w.Progress(func() answer.Far { return answer.Far{Done: done, Total: total, Text: say(now)} })
	}
}

// Idle is a group of knobs that have no effect in a machine if Is is true, and the reason.
type Idle struct {
	Keys []string
	Is   bool
	Why  string
}

// models holds the machines by name; see machinefile.Kinds.
var models = map[string]*Model{
	"em4": &em4Model, "mnc": &mncModel, "rhinet": &rhinetModel, "spmd": &spmdModel, "pdes": &pdesModel,
	"net": &netModel, "balance": &groundModel,
}

// Add adds a machine to everything that emsim can do with machines: runs, sweeps, figures, reports, checkpoints, the
// debugger. It must be called at the beginning of a program, before machines are looked up.
func Add(kind machinefile.Kind, x *Model) {
	machinefile.Add(kind)
	models[kind.Name] = x
}

// Models returns the names of the machines that have a Model, in alphabetical order.
func Models() []string { return slices.Sorted(maps.Keys(models)) }

// ModelOf returns the Model of the machine with the given name, or nil.
func ModelOf(name string) *Model { return models[name] }

// Kinds returns the kinds that sweeps vary: the kinds of machinefile.Kinds, the EM-4's network, and the common ground
// of the balancing policies.
func Kinds() []machinefile.Kind { return append(machinefile.Kinds(), NetKind(), GroundKind()) }

// KindOf returns the kind with the given name, and whether there is one.
func KindOf(name string) (machinefile.Kind, bool) {
	i := slices.IndexFunc(Kinds(), func(k machinefile.Kind) bool { return k.Name == name })
	if i < 0 {
		return machinefile.Kind{}, false
	}
	return Kinds()[i], true
}

// KindOfName returns the kind with the given name, or the kind that the machine file of that name states.
func KindOfName(name string) (machinefile.Kind, bool) {
	if k, ok := KindOf(name); ok {
		return k, true
	}
	return machinefile.KindOfName(name)
}

// Run runs a machine that GiveFiles has checked. If the context ends, or the machine fails with partial results, Run
// returns both the answer so far and the error. The error is the machine's or the context's.
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

// IdleKnobs returns the groups of knobs that may have no effect. For each group it says whether the group has no effect
// in the given machine, and why.
func (x *Model) IdleKnobs(config any) []Idle {
	if x.Idles == nil {
		return nil
	}
	return x.Idles(config)
}

// A File is a user's own file that a machine takes.
type File struct {
	Flag string // of the command that runs the machine, without dashes
	Name string // of the file, as the user wrote it
	Path string // path at which it can be read
	Text []byte
}

// FileKind describes a kind of File that a machine takes.
type FileKind struct {
	Flag    string
	Doc     string // help of the flag
	Want    input.Want
	Decides []string // knobs whose values the file determines

	use func(config any,
		f File) error // applies the file; files before this one in the list have been applied
}

func textFile(what string, most int64, why string) input.Want {
	return input.Want{What: what, Kinds: []input.Kind{input.Text}, Most: most, Why: why}
}

// FileKinds returns the kinds of files that a machine takes. A file may depend on files before it in the list.
func FileKinds(machine string) []FileKind {
	if x := models[machine]; x != nil {
		return x.Files
	}
	return nil
}

// ReadFile reads the file for a flag.
func ReadFile(machine, flag, name string) ([]byte, error) {
	all := FileKinds(machine)
	return all[slices.IndexFunc(all, func(k FileKind) bool { return k.Flag == flag })].Want.Read(name)
}

// GiveFiles applies files to a machine whose knobs are set, and then checks the machine as machinefile.Machine.Check
// does. It returns a *simerr.Usage.
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

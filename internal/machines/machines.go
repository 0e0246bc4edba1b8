package machines

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"emsim/internal/machinefile"
	"emsim/internal/simerr"
)

// kind is what this package knows about a kind of machine.
type kind struct {
	run     func(ctx context.Context, config any) (any, error)
	answer  reflect.Type
	time    string   // the key that says how long the run took
	results []string // kinds of errors that say how a run ended
}

// kinds are the machines by name, see machinefile.Kinds.
var kinds = map[string]kind{
	"mnc":    {runMNC, reflect.TypeFor[MNC](), "clocks", []string{"stalled"}},
	"rhinet": {runRHiNET, reflect.TypeFor[RHiNET](), "total_s", []string{"no_convergence"}},
	"spmd":   {runSPMD, reflect.TypeFor[SPMD](), "finish_s", nil},
	"pdes":   {runPDES, reflect.TypeFor[PDES](), "clocks", []string{simerr.KindDeadlock, simerr.KindMaxClocks, "no_proof", "no_migration"}},
	"net":    {runNet, reflect.TypeFor[Net](), "latency_mean", []string{simerr.KindDeadlock}},
}

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

// Known reports whether Run runs machines of the kind of that name.
func Known(name string) bool { return kinds[name].run != nil }

// Run runs a machine as the command 'run' of its kind does without further
// flags. The answer is an *MNC, *RHiNET, *SPMD or *PDES, which is that
// command's JSON. The error is the machine's own or the context's.
func Run(ctx context.Context, m *machinefile.Machine) (any, error) {
	k := kinds[m.Kind.Name]
	if k.run == nil {
		return nil, fmt.Errorf("%s runs programs: use 'emsim run'", m.Kind.Doc)
	}
	return k.run(ctx, m.Config)
}

// Time is the key of the answer that says how long a run took on the machine.
func Time(name string) string { return kinds[name].time }

// Ends lists the kinds of errors that are a run's result on such a machine, and
// no mistake of the user or of the model: it stalled, or reached a bound.
func Ends(name string) []string { return kinds[name].results }

// Number is a number of an answer.
type Number struct {
	Key  string // in JSON
	Unit string
	Doc  string
}

// Numbers lists the numbers at the top of the answer of a kind, in its order,
// without the wall time.
func Numbers(name string) []Number {
	var list []Number
	for f := range kinds[name].answer.Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		isNumber := reflect.Int <= of.Kind() && of.Kind() <= reflect.Float64
		if isNumber && key != "wall_seconds" {
			list = append(list, Number{key, f.Tag.Get("unit"), f.Tag.Get("doc")})
		}
	}
	return list
}

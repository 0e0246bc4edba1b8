// Package fingerprint tells whether two builds of emsim model the machines alike. The fingerprint is a digest of a few
// fixed runs on every machine.
package fingerprint

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"reflect"
	"slices"

	"emsim/em4"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
)

// Recorded is the digest of this version's models. A test measures it again. Anyone who changes a model on purpose must
// record the new digest here and mention it in CHANGELOG.md.
const Recorded = "44a9eb6ead94"

// programRuns lists the runs on the EM-4 [chosen: together they use static placement, MLPE, the memory input buffer,
// structure memory and random numbers].
var programRuns = []struct {
	program, arg string
	pes          int
	params       map[string]string
}{
	{"fib", "12", 80, map[string]string{"policy": "ring"}},
	{"fib", "10", 12, map[string]string{"policy": "random", "mlpe": "on"}},
	{"sort", "40", 12, nil},
}

// otherRuns lists the runs on the other machines, as changes of their defaults [chosen: short runs in which load
// moves], and the numbers of the answer that enter the digest.
var otherRuns = []struct {
	machine string
	changes []string
	numbers []string
}{
	{
		"net",
		[]string{"pes=12", "clocks=300"},
		[]string{"injected", "delivered", "latency_mean", "latency_max", "flit_hops"},
	},
	{"mnc", []string{"pes=16", "items=2000", "loops=50"}, []string{"clocks", "efficiency", "transfers"}},
	{
		"rhinet",
		[]string{"nodes=8", "rows=64", "policy=glb", "loaded=one"},
		[]string{"total_s", "efficiency", "transfers", "messages"},
	},
	{"spmd", []string{"policy=proposed", "seed=3"}, []string{"finish_s", "efficiency", "transfers", "messages"}},
	{"pdes", []string{"slots=50", "migrate_at=1000"}, []string{"clocks", "drops", "sunk", "transfers", "messages"}},
}

// Measure computes the digest of this build. It takes some tenths of a second.
func Measure(ctx context.Context) (string, error) {
	h := sha256.New()
	for _, r := range programRuns {
		spec := run.Spec{
			Machine: run.Machine{Name: "emc-r", PEs: &r.pes}, Program: r.program, Args: []string{r.arg},
			Params: r.params, Seed: 1, Threads: 1,
		}
		if err := states(ctx, h, spec); err != nil {
			return "", fmt.Errorf("%s %s: %w", r.program, r.arg, err)
		}
	}
	for _, r := range otherRuns {
		if err := observations(ctx, h, r.machine, r.changes, r.numbers); err != nil {
			return "", fmt.Errorf("%s: %w", r.machine, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// between is the number of clocks between two hashed states [chosen: a prime, so that sampling does not fall into step
// with a program's loops].
const between = 97

// states adds the states of a run on the EM-4 to the hash, including the last one.
func states(ctx context.Context, h hash.Hash, spec run.Spec) error {
	t, err := spec.Load(ctx)
	if err != nil {
		return err
	}
	if err := t.Boot(ctx, em4.ToEnd); err != nil {
		return err
	}
	b := run.New(t, run.Plan{Runs: 1, Window: 1})
	if err := b.Begin(); err != nil {
		return err
	}
	var sum uint64
	var buf []byte
	for clock := uint64(0); !b.Current.Ended(); clock += between {
		if err := b.Advance(ctx, clock); err != nil {
			return err
		}
		sum, buf = b.Hash(buf)
		h.Write(binary.LittleEndian.AppendUint64(nil, sum))
	}
	return nil
}

// observations adds the output of a run of another machine to the hash: its samples, its events and the given numbers
// of its answer.
func observations(ctx context.Context, h hash.Hash, name string, changes, numbers []string) error {
	kind, _ := machines.KindOf(name)
	m := kind.NewMachine()
	if err := m.Set(changes); err != nil {
		return err
	}
	w, x := machines.Watch{}, *machines.ModelOf(name)
	if name == "spmd" {
		x.Terms.Unit = "us" // of the events that are in the recorded fingerprint; files have seconds
	}
	if usual := reflect.ValueOf(x.Sampling.Usual); usual.IsValid() {
		seen := func(cells ...any) { fmt.Fprintln(h, cells...) }
		w = machines.Watch{
			Every: usual.Int(), Rows: map[string]func(cells ...any){"series": seen}, Record: x.EventLog(seen),
		}
	}
	said, err := machines.Run(ctx, m, w)
	if err != nil {
		return err
	}
	for _, n := range machines.Numbers(name) {
		if v, ok := said.Float(n.Key); ok && slices.Contains(numbers, n.Key) {
			fmt.Fprintln(h, n.Key, v)
		}
	}
	return nil
}

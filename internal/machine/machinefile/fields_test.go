package machinefile

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/internal/base/knob"
	"emsim/mnc"
	"emsim/pdes"
)

// Every field of a machine has a row in its Knobs, except fields that are computed from others or cannot be written as
// text.
func TestEveryFieldHasARow(t *testing.T) {
	without := func(list ...string) []string { return list }
	require.ElementsMatch(t, without(
		"Config.Wiring.Name", "Config.Wiring.PENames", "Config.Wiring.PEs", "Config.Wiring.Boards",
		"Config.Wiring.Source", "Config.Wiring.Sink",
		"Config.Wiring.MoreSources", "Config.Wiring.MoreSinks", "Config.Work", "Config.Give", "Config.Slow",
		"Config.Events",
	), uncovered(mnc.Knobs(), mnc.DefaultSetup()))
	require.ElementsMatch(t, without("Own", "Torus.Switches"), uncovered(rhinet.Knobs(), rhinet.Default()))
	require.ElementsMatch(t, without("Config.Topology", "Config.Request", "Config.Hosts"),
		uncovered(spmd.Knobs(), spmd.DefaultSetup()))
	require.ElementsMatch(t, without("Config.Net", "Config.Graph", "Config.Map", "Config.Migrate", "GraphName"),
		uncovered(pdes.Knobs(), pdes.DefaultSetup()))

	type outer struct {
		A, B int
		In   struct{ X, Y bool }
		Text string
		List []string
	}
	require.Equal(t, []string{"B", "In.Y", "List"}, uncovered([]knob.Knob[outer]{
		{Key: "a", Ref: func(o *outer) any { return &o.A }},
		{Key: "x", Ref: func(o *outer) any { return &o.In.X }},
		{Key: "text", Ref: func(o *outer) any { return &o.Text }},
	}, outer{}))
}

// uncovered returns the fields of a configuration that no row of its table changes.
func uncovered[C any](table []knob.Knob[C], c C) []string {
	pick := rand.New(rand.NewPCG(1, 2)).Uint64N
	changed := map[string]bool{}
	for _, k := range table {
		for range 20 {
			was, now := c, c
			change(k.Bind(&now), pick)
			differ(reflect.ValueOf(was), reflect.ValueOf(now), "", changed)
		}
	}
	var list []string
	leaves(reflect.TypeFor[C](), "", func(name string) {
		if !changed[name] {
			list = append(list, name)
		}
	})
	return list
}

// change gives a row another value, even if Draw would not change it.
func change(r knob.Row, pick knob.Pick) {
	switch v := r.Get().(type) {
	case int64:
		if r.Min == 0 && r.Max == 0 {
			_ = r.Put(v + 1)
		}
	case string:
		if r.Values == nil {
			_ = r.Set(v + "1")
		}
	case []string:
		_ = r.Put(append(v, "x"))
	}
	r.Draw(pick)
}

// leaves visits the fields of a struct and of the structs in it.
func leaves(t reflect.Type, prefix string, visit func(name string)) {
	for f := range t.Fields() {
		if name := prefix + f.Name; f.Type.Kind() == reflect.Struct {
			leaves(f.Type, name+".", visit)
		} else {
			visit(name)
		}
	}
}

// differ records the fields in which two values differ.
func differ(a, b reflect.Value, prefix string, changed map[string]bool) {
	for i := range a.NumField() {
		name := prefix + a.Type().Field(i).Name
		if a.Field(i).Kind() == reflect.Struct {
			differ(a.Field(i), b.Field(i), name+".", changed)
		} else if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			changed[name] = true
		}
	}
}

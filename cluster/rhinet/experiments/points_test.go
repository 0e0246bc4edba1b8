package experiments

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/internal/dev/golden"
)

// What each experiment runs: machine by machine, and what a setting changes.
func TestPointsInWords(t *testing.T) {
	var b bytes.Buffer
	for _, e := range All() {
		fmt.Fprintf(&b, "%s (%s): %s\n", e.Name, e.Source, e.Title)
		var changes []string
		last := ""
		for _, p := range e.points() {
			c := p.cfg
			if machine := fmt.Sprintf("%v on %d", c.Load, c.Nodes); machine != last {
				fmt.Fprintf(&b, "\n  %-13s", machine+":")
				last = machine
			}
			fmt.Fprintf(&b, " %s", strings.TrimSpace(string(c.Algorithm)+" "+p.setting)+",")
			plain := rhinet.Default()
			plain.Nodes, plain.Load, plain.Algorithm = c.Nodes, c.Load, c.Algorithm
			change := fmt.Sprintf("  %q:%s\n", p.setting, changed(reflect.ValueOf(plain), reflect.ValueOf(c), ""))
			if !slices.Contains(changes, change) {
				changes = append(changes, change)
			}
		}
		fmt.Fprintf(&b, "\n%s\n", strings.Join(changes, ""))
	}
	golden.Check(t, "points.txt", b.Bytes())
}

// changed lists the fields in which two structs differ.
func changed(a, b reflect.Value, path string) string {
	if a.Kind() != reflect.Struct {
		if a.Equal(b) {
			return ""
		}
		return fmt.Sprintf(" %s %v -> %v", strings.TrimPrefix(path, "."), a, b)
	}
	out := ""
	for i := range a.NumField() {
		out += changed(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name)
	}
	return out
}

// An observation is the mean of its runs, and its spread theirs.
func TestObservationIsAMean(t *testing.T) {
	c := baseConfig(8, rhinet.OneLoad, rhinet.WLB)
	c.SOR.Rows, c.Every = 200, 20
	c.Host.RowCost *= 40
	c.Host.SliceOn, c.Host.SliceOff = 400*time.Millisecond, 2*time.Second
	c.Network = rhinet.Ethernet
	got, err := observe(context.Background(), point{c, "short"}, 3)
	require.NoError(t, err)
	var total, calc, share, rest, squares float64
	for seed := range uint64(3) {
		c.Seed = seed + 1
		r, err := rhinet.Run(context.Background(), c)
		require.NoError(t, err)
		total, calc, share = total+r.Total()/3, calc+r.Calc()/3, share+r.Other()/r.Total()/3
		squares += r.Total() * r.Total() / 3
		for _, n := range r.Ranks {
			if n.Rows == 0 {
				rest += 1.0 / 3
			}
		}
	}
	require.Equal(t, []string{"sor", "ethernet", "oneload", "wlb", "short"}, []string{got.Application, got.Network, got.Load, got.Algorithm, got.Setting})
	require.Equal(t, 8, got.Nodes)
	require.InDelta(t, total, got.TotalS, 1e-9)
	require.InDelta(t, calc, got.CalcS, 1e-9)
	require.InDelta(t, share, got.OtherShare, 1e-9)
	require.InDelta(t, rest, got.Resting, 1e-9)
	require.Positive(t, got.Resting, "the loaded rank rests")
	require.InDelta(t, (squares-total*total)*3/2, got.SpreadS*got.SpreadS, 1e-6)
	alone, err := observe(context.Background(), point{c, ""}, 1)
	require.NoError(t, err)
	require.Zero(t, alone.SpreadS)
}

// A point that no machine can be built for ends an experiment with its reason.
func TestBadPoint(t *testing.T) {
	none := rhinet.Default()
	none.Nodes = 0
	_, err := observe(context.Background(), point{cfg: none}, 1)
	require.ErrorContains(t, err, "nodes is 0, it must be 1..1024 hosts")
	_, err = Experiment{Name: "x", points: func() []point { return []point{{}} }}.Run(context.Background(), Options{Seeds: 1})
	require.ErrorContains(t, err, "nodes is 0, it must be 1..1024 hosts")
	_, err = Experiment{Name: "x"}.Run(context.Background(), Options{Seeds: 0})
	require.EqualError(t, err, "experiment x: 0 seeds, expected at least 1")
}

// Rows and columns are what comes first; what was not observed is a dash, and
// the spread is told where there is one.
func TestTableLayout(t *testing.T) {
	list := []Observation{
		{Load: "oneload", Nodes: 8, Algorithm: "clb", Setting: "stays", TotalS: 1.234, SpreadS: 0.056},
		{Load: "oneload", Nodes: 8, Algorithm: "dlb", Setting: "stays", TotalS: 2},
		{Load: "oneload", Nodes: 16, Algorithm: "dlb", Setting: "20 s", TotalS: 3.5},
	}
	var b bytes.Buffer
	require.NoError(t, Experiment{across: algorithm, Note: "A note."}.Table(&b, list))
	require.Equal(t, `load     nodes  setting  clb        dlb
oneload  8      stays    1.23±0.06  2.00
oneload  16     20 s     -          3.50

total run time in seconds
A note.
`, b.String())
	b.Reset()
	require.NoError(t, Experiment{across: setting, Note: "Another."}.Table(&b, list))
	require.Equal(t, `load     nodes  algorithm  stays      20 s
oneload  8      clb        1.23±0.06  -
oneload  8      dlb        2.00       -
oneload  16     dlb        -          3.50

total run time in seconds
Another.
`, b.String())
	require.ErrorContains(t, Experiment{across: setting}.Table(full{}, list), "no room")
	require.ErrorContains(t, Experiment{across: setting}.Table(&full{after: 1 << 20}, nil), "no room")
}

// full is a writer that fails, at once or when the table itself is written.
type full struct{ after int }

func (f full) Write(p []byte) (int, error) {
	if f.after > 0 && !bytes.Contains(p, []byte("seconds")) {
		return len(p), nil
	}
	return 0, fmt.Errorf("no room")
}

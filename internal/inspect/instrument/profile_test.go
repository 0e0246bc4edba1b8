package instrument

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/answer"
	"emsim/internal/base/moves"
	"emsim/internal/base/ordered"
	"emsim/internal/machine/machines"
)

// anyRun draws the settings of a small run of a machine.
func anyRun(t *rapid.T, kind string) (sets []string) {
	draw := func(key string, from, to int) {
		sets = append(sets, fmt.Sprintf("%s=%d", key, rapid.IntRange(from, to).Draw(t, key)))
	}
	pick := func(key string, from ...string) { sets = append(sets, key+"="+rapid.SampledFrom(from).Draw(t, key)) }
	switch kind {
	case "mnc":
		draw("pes", 4, 9)
		draw("items", 1, 90)
		draw("loops", 1, 200)
		pick("policy", "auto", "none")
	case "rhinet":
		pick("loaded", "none", "one")
		pick("policy", "clb", "dlb", "gnolb", "wlb")
		pick("application", "sor", "heat")
		draw("rows", 16, 40)
		draw("interval", 2, 6)
		sets = append(sets, "steps=10")
	case "spmd":
		draw("tasks", 1, 20)
		draw("seed", 1, 1000)
		pick("interval", "500ms", "5s")
		pick("policy", "static", "proposed")
	case "pdes":
		draw("slots", 30, 60)
		draw("stages", 2, 3)
		pick("migrate_at", "0", "900", "1500")
	case "balance":
		pick("workload", "uneven", "source", "stream", "tree", "loop", "poisson")
		pick("policy", "ring", "stealing", "power", "mnc-auto", "two-choices")
		draw("workers", 2, 9)
		draw("grain", 2, 20)
	}
	return sets
}

// The critical path is a chain without gaps from the end of the run to its beginning. Each of its steps is in the
// record, and the parts of all tables add up to the whole run.
func TestProfileAddsUp(t *testing.T) {
	all := maps.Clone(small)
	all["balance"] = nil // its workers' spans are recorded when they end, so messages come before what they interrupt
	for kind := range all {
		held := 0
		runs := rapid.Custom(func(t *rapid.T) []string { return anyRun(t, kind) })
		for i := range 10 {
			m := machine(t, kind, runs.Example(i)...)
			r, err := Record(t.Context(), m)
			require.NoError(t, err)
			x, err := machines.Run(t.Context(), m, machines.Watch{})
			require.NoError(t, err)
			length, _ := x.Float("time")
			require.InDelta(t, length, float64(r.End)/float64(r.PerUnit), 1e-9)
			at, sum := r.End, int64(0)
			for _, s := range r.Path() {
				require.Equal(t, at, s.To)
				require.Less(t, s.From, s.To)
				busy := func(w int, same func(o moves.Span) bool) bool { return slices.ContainsFunc(r.spans[w], same) }
				switch s.What {
				case underWay:
					held++
					require.True(t, busy(s.Worker,
						func(o moves.Span) bool { return o.From == s.To && o.Sent == s.From && o.Peer == s.Peer }))
				case "wait":
					require.False(t, busy(s.Worker, func(o moves.Span) bool { return o.From < s.To && o.To > s.From }),
						"%+v", s)
				default:
					require.True(t, busy(s.Worker, func(o moves.Span) bool {
						return o.Doing == s.What && o.Use == s.Use && o.From == s.From && s.To <= o.To
					}))
				}
				sum += s.To - s.From
				at = s.From
			}
			require.Equal(t, []int64{0, r.End}, []int64{at, sum})
			total := int64(0)
			for _, p := range sumsOf(r.Path()) {
				total += p.time
			}
			require.Equal(t, r.End, total)
			for w := range r.Workers {
				total := int64(0)
				for _, p := range sumsOf(r.did(w)) {
					total += p.time
				}
				require.Equal(t, r.End, total, "worker %d", w)
			}
		}
		if kind != "mnc" {
			require.Positive(t, held)
		}
	}
}

// For a handmade run, every number in the tables is known.
func TestProfileByHand(t *testing.T) {
	r := made()
	r.Spans = append(r.Spans, moves.Span{
		Worker: 1, Doing: "note", Use: moves.Exchange, From: 32, To: 32, Peer: 0,
		Sent: 31,
	}, moves.Span{Worker: 1, Doing: "work", Use: moves.Work, From: 33, To: 40, Peer: 0, Sent: 12})
	r.order()
	x := r.Profile()
	require.Equal(t, answer.List{
		Heads: []string{"what PE 1 did", "for", "clocks", "share", "mean of all", "mean share"},
		Rows: [][]any{
			{"work", "work", clocks(30), answer.Percent(.75), clocks(10), answer.Percent(.25)},
			{"wait before work", "wait", clocks(8), answer.Percent(.2), clocks(3), answer.Percent(8. / 120)},
			{"wait before note", "wait", clocks(2), answer.Percent(.05), clocks(1), answer.Percent(2. / 120)},
			{"wait at the end", "wait", "-", "-", clocks(23), answer.Percent(69. / 120)},
			{"give", "balance", "-", "-", clocks(2), answer.Percent(5. / 120)},
			{"wait before take", "wait", "-", "-", clocks(2), answer.Percent(5. / 120)},
			{"take", "balance", "-", "-", clocks(0), answer.Percent(1. / 120)},
		},
	}, x.Lists[0], "the note took no time")
	// The message for the last work had arrived before the worker waited. The message for the note, which took no time,
	// had not.
	require.Equal(t, []Step{
		{1, "work", moves.Work, moves.Outside, 33, 40},
		{1, "wait", waiting, 0, 32, 33},
		{1, underWay, moves.Exchange, 0, 31, 32},
		{0, "wait", waiting, moves.Outside, 11, 31},
		{0, "take", moves.Balance, moves.Outside, 10, 11},
		{0, underWay, moves.Balance, 1, 9, 10},
		{1, "work", moves.Work, moves.Outside, 7, 9}, // the message left in the middle of the work
		{1, underWay, moves.Work, 0, 5, 7},
		{0, "give", moves.Balance, moves.Outside, 0, 5},
	}, r.Path())
	heads := []string{"the critical path", "PE", "from", "for", "steps", "clocks", "share", "longest", "begins at"}
	require.Equal(t, heads, x.Lists[1].Heads)
	require.Equal(t, []any{"wait", 0, "-", "wait", 1, clocks(20), answer.Percent(.5), clocks(20), clocks(11)},
		x.Lists[1].Rows[0])
	require.Equal(t, []any{"work", 1, "-", "work", 2, clocks(9), answer.Percent(.225), clocks(7), clocks(33)},
		x.Lists[1].Rows[1])
	pieces := x.Value("pieces").([]ordered.Object)
	require.Len(t, pieces, 9)
	require.Equal(t, ordered.Object{
		"part", "wait", "PE", 0, "from", "-", "for", "wait", "begins", clocks(11),
		"time", clocks(20), "share", answer.Percent(.5),
	}, pieces[0])
	require.InDelta(t, .5, x.Value("chain"), 1e-12)
	text, err := json.Marshal(x)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text),
		`{"machine":"mnc","chain":0.5,"says":["PE 1 finished last, at 40 clocks. The critical path to it has 9 steps, through 2 PEs."],"did":[{"part":"work","for":"work","time":30,"share":0.75,"mean_of_all":10,"mean_share":0.25},`),
		string(text))
}

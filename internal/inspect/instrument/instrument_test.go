package instrument

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/base/moves"
	"emsim/internal/base/simerr"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// small lists runs of milliseconds in which load moves, also back.
var small = map[string][]string{
	"mnc":    {"pes=8", "items=200", "loops=100"},
	"rhinet": {"nodes=8", "rows=128", "loaded=one", "interval=10"},
	"spmd":   {"tasks=20", "interval=5s", "request_again=true"},
	"pdes":   {"network=torus", "shape=4x2", "stages=3", "slots=100", "migrate_at=5000", "interval=20000"},
}

func machine(t testing.TB, kind string, sets ...string) *machinefile.Machine {
	k, ok := machines.KindOf(kind)
	require.True(t, ok)
	m := k.NewMachine()
	require.NoError(t, m.Set(small[kind]))
	require.NoError(t, m.Set(sets))
	return m
}

func recorded(t testing.TB, kind string, sets ...string) *Run {
	r, err := Record(t.Context(), machine(t, kind, sets...))
	require.NoError(t, err)
	require.NoError(t, r.Err)
	return r
}

// eachKind runs a test on every machine.
func eachKind(t *testing.T, visit func(t *testing.T, kind string)) {
	for _, kind := range slices.Sorted(maps.Keys(small)) {
		t.Run(kind, func(t *testing.T) { visit(t, kind) })
	}
}

// The moves are consistent: what was given arrives once, and every item is in at most one place at any time. A worker's
// initial, received, given and finished items add up to the samples of its load, and the number of moves is the
// machine's own.
func TestMovesConserve(t *testing.T) {
	check := func(t *testing.T, kind string, sets ...string) {
		r := recorded(t, kind, sets...)
		type key struct {
			kind string
			item int
		}
		at, moved := map[key]int{}, 0
		for _, m := range r.Moves {
			require.NotEqual(t, int64(moves.OnTheWay), m.Came, "%+v", m)
			require.NotEmpty(t, m.Rule)
			require.LessOrEqual(t, m.At, m.Left, "%+v", m)
			require.LessOrEqual(t, m.Left, m.Came, "%+v", m)
			if kind == "mnc" && m.To != moves.Outside && m.Via != "" || kind == "mnc" && m.Via != "" && m.Kind == "Y" ||
				kind != "mnc" && m.Moved() {
				moved += m.Count
			}
			for n := range m.Count {
				k := key{m.Kind, m.Item + n}
				where, held := at[k]
				require.Equal(t, m.From != moves.Outside, held, "%+v", m)
				require.True(t, !held || where == m.From, "%v was at %d: %+v", k, where, m)
				if at[k] = m.To; m.To == moves.Outside {
					delete(at, k)
				}
			}
			for _, k := range m.Knew {
				require.LessOrEqual(t, k.At, m.At, "nobody knows the future: %+v", m)
			}
		}
		samples := 0
		every := map[string]int64{"mnc": 97, "rhinet": 500_000, "spmd": 700_000_000, "pdes": 977}[kind]
		x, err := machines.Run(t.Context(), machine(t, kind, sets...),
			machines.Watch{Every: every, Rows: map[string]func(cells ...any){"series": func(cells ...any) {
				samples++
				tick, ok := cells[0].(int64)
				if !ok {
					tick = int64(cells[0].(float64)*float64(r.PerUnit) + 0.5)
				}
				onTheWay := kind == "rhinet" &&
					slices.ContainsFunc(r.Moves, func(m *moves.Move) bool { return m.Left <= tick && tick <= m.Came })
				if !onTheWay { // between giver and taker, rows belong to no worker
					require.InDelta(t, valueAt(r.load[cells[1].(int)], tick), cells[2], 0, "%v", cells)
				}
			}}})
		require.NoError(t, err)
		require.Greater(t, samples, 10*r.Workers)
		transfers, _ := x.Float("transfers")
		require.InDelta(t, transfers, moved, 0)
		require.Positive(t, moved, "%v", sets)
	}
	eachKind(t, func(t *testing.T, kind string) {
		check(t, kind)
		if kind == "rhinet" {
			for _, algorithm := range []string{"dlb", "glb", "igclb", "igdlb", "wlb"} {
				check(t, kind, "policy="+algorithm)
				check(t, kind, "policy="+algorithm, "application=heat", "steps=60", "group=4")
			}
		}
	})
}

// The workers' operations add up to the machine's counts, and no worker did two things at once. Recording does not
// change the run.
func TestSpans(t *testing.T) {
	eachKind(t, func(t *testing.T, kind string) {
		r := recorded(t, kind)
		x, err := machines.Run(t.Context(), machine(t, kind), machines.Watch{})
		require.NoError(t, err)
		again, err := machines.Run(t.Context(), machine(t, kind), machines.Watch{Record: &moves.Record{}})
		require.NoError(t, err)
		plain := func(x *answer.Answer) string {
			x.Fields = slices.DeleteFunc(x.Fields, func(f *answer.Field) bool { return f.Key == "wall_seconds" })
			b, err := json.Marshal(x)
			require.NoError(t, err)
			return string(b)
		}
		efficiency, _ := x.Float("efficiency")
		time, _ := x.Float("time")
		require.Equal(t, plain(x), plain(again))
		sum := int64(0)
		for w := range r.Workers {
			last := int64(0)
			for _, s := range r.spans[w] {
				require.LessOrEqual(t, last, s.From, "%+v", s)
				require.True(t, s.Peer == moves.Outside || s.Sent <= s.From, "%+v", s)
				if last = s.To; s.Use == moves.Work {
					sum += s.To - s.From
				}
			}
		}
		require.InEpsilon(t, efficiency*time*float64(r.Workers), float64(sum)/float64(r.PerUnit), 1e-6)
	})
}

// The nine questions work on every machine. The first rows of each answer are recorded.
func TestQuestions(t *testing.T) {
	item := map[string]string{"mnc": "7", "rhinet": "112", "spmd": "79", "pdes": "8"}
	when := map[string]string{"mnc": "3000", "rhinet": "0.103015", "spmd": "9.04", "pdes": "68370"}
	vs := map[string]string{
		"mnc": "policy=none", "rhinet": "policy=gnolb", "spmd": "policy=static",
		"pdes": "migrate_at=9000",
	}
	eachKind(t, func(t *testing.T, kind string) {
		r := recorded(t, kind)
		var b strings.Builder
		for _, q := range Questions() {
			if !q.Suits(r.Terms) {
				continue
			}
			var args []string
			switch q.Args {
			case "ITEM":
				args = []string{item[kind]}
			case "WORKER [TIME]":
				args = []string{
					map[string]string{"mnc": "1", "rhinet": "0", "spmd": "1", "pdes": "0"}[kind],
					when[kind],
				}
			case "TIME":
				args = []string{when[kind]}
			}
			r.Beside = recorded(t, kind, vs[kind])
			x, err := r.Ask(append([]string{q.Name}, args...)...)
			require.NoError(t, err)
			fmt.Fprintf(&b, "%s %s\n  %s\n", q.Name, strings.Join(args, " "), strings.Join(x.Says, "\n  "))
			for i, row := range append([][]any{lists.Of(x.Heads, func(h string) any { return h })}, x.Rows...) {
				require.Len(t, row, len(x.Heads))
				if i < 6 {
					fmt.Fprintln(&b, "  |",
						strings.Join(lists.Of(row, func(c any) string { return fmt.Sprint(c) }), " | "))
				}
			}
		}
		golden.Check(t, kind+".txt", []byte(b.String()))
		r.Beside = recorded(t, kind)
		x, err := r.Ask("part")
		require.NoError(t, err)
		require.Contains(t, x.Says[0], "The runs are the same")
	})
}

// made returns a handmade run of two workers, and a third that has nothing to do.
func made() *Run {
	c := &moves.Cause{Rule: "r", By: 0, At: 4, Knew: []moves.Belief{{Worker: 1, Load: 0, At: 1}}}
	begin := &moves.Cause{Rule: "b", By: moves.Outside}
	r := &Run{Machine: &machinefile.Machine{Kind: machinefile.Kind{Name: "mnc"}}, Terms: machines.Terms{
		Worker: "PE", Item: "datum", Items: "data", Kind: "X", Measure: "X", Unit: "clocks",
		PerUnit: 1,
	}, Record: &moves.Record{
		Workers: 3,
		Moves: []*moves.Move{
			{Cause: begin, Kind: "X", Item: 0, Count: 4, From: moves.Outside, To: 0},
			{Cause: c, Kind: "X", Item: 0, Count: 2, From: 0, To: 1, Left: 5, Came: 7},
			{Cause: c, Kind: "X", Item: 1, Count: 1, From: 1, To: 0, Left: 10, Came: 11},
			{Cause: begin, Kind: "X", Item: 0, Count: 1, From: 1, To: moves.Outside, Left: 20, Came: 20},
			{Cause: c, Kind: "X", Item: 1, Count: 1, From: 0, To: 1, Left: 21, Came: moves.OnTheWay},
		},
		Spans: []moves.Span{
			{Worker: 0, Doing: "give", Use: moves.Balance, From: 0, To: 5, Peer: moves.Outside},
			{Worker: 1, Doing: "work", Use: moves.Work, From: 7, To: 30, Peer: 0, Sent: 5},
			{Worker: 0, Doing: "take", Use: moves.Balance, From: 10, To: 11, Peer: 1, Sent: 9},
		},
		Learned: []moves.Learned{{Belief: moves.Belief{Worker: 0, Load: 2, At: 6}, By: 1, Told: 6}},
	}}
	r.order()
	return r
}

func TestQuestionsByHand(t *testing.T) {
	r := made()
	ask := func(words ...string) *Answer {
		x, err := r.Ask(words...)
		require.NoError(t, err)
		return x
	}
	require.Equal(t, []Step{
		{1, "work", moves.Work, moves.Outside, 7, 30},
		{1, underWay, moves.Work, 0, 5, 7},
		{0, "give", moves.Balance, moves.Outside, 0, 5},
	}, r.Path())
	require.Equal(t, [][]any{
		{"X 0-1", "PE 0", "PE 1", clocks(5), clocks(7), ""},
		{"message: work", "PE 0", "PE 1", clocks(5), clocks(7), ""},
	}, ask("way", "6").Rows)
	require.Equal(t, [][]any{{"X 1", "PE 0", "PE 1", clocks(21), "-", ""}}, ask("way", "21").Rows)
	// PE 0 had 4 until 5, then 2 until 11, then 3, then 2. PE 1 had none until 7, then 2, 1 from 10, and none from 20.
	require.Equal(t, [][]any{
		{0, clocks(24), clocks(0), clocks(0)},
		{1, clocks(7), clocks(7), clocks(7)},
		{2, clocks(30), clocks(30), clocks(30)},
	}, ask("idle").Rows)
	require.Equal(t, []any{"0 to 1 to 0", 1}, ask("back").Rows[0])
	require.Contains(t, ask("back").Says[0], "2 of 4 moves")
	require.Equal(t, [][]any{{"PE 0", 2., clocks(6), 3., clocks(11)}},
		ask("truth", "1", "12").Rows) // 2 was right until the third item came
	require.Equal(t, [][]any{{"PE 0", 2., clocks(6), 2., clocks(30)}}, ask("truth", "1").Rows) // and is right again
	require.Equal(t, [][2]int64{{10, 11}}, r.Level(), "the loads are 2, 1 and 0")
	require.Contains(t, ask("cost").Says[0], "11 clocks of all PEs together")
	require.Equal(t, [][]any{{"X 0-1: 0 to 1", clocks(4), "PE 0", "PE 1", 0., clocks(1), clocks(3), 0., ""}},
		ask("knew", "0").Rows)
	require.Contains(t, ask("why", "1").Says[0], "changed its PE 3 times")
	b, err := json.Marshal(r.Said(ask("idle")))
	require.NoError(t, err)
	require.Contains(t, string(b), `"while_another_had_more":30`)
	shown, err := r.AskToRead("idle")
	require.NoError(t, err)
	require.Equal(t, []string{"PE", "waited, clocks", "while another had more, clocks", "last, clocks"}, shown.Heads)
	for _, wrong := range [][]string{
		{"why"},
		{"why", "-1"},
		{"why", "4"},
		{"why", "x"},
		{"truth", "3"},
		{"way", "soon"},
		{"way", "1.5"},
		{"way", "-1"},
		{"idle", "1"},
		{"whi"},
		{"part"},
		{},
	} {
		_, err := r.Ask(wrong...)
		require.ErrorAs(t, err, new(*simerr.Usage), "%v", wrong)
	}
	_, err = r.Ask("whi")
	require.ErrorContains(t, err, `did you mean "why"`)
}

// A run that fails is recorded up to its failure. A run that is too large for a record is rejected.
func TestRecordEnds(t *testing.T) {
	r, err := Record(t.Context(), machine(t, "mnc", "dead_at=3000:2"))
	require.NoError(t, err)
	require.Error(t, r.Err)
	require.Greater(t, r.End, int64(3000))
	_, err = Record(t.Context(), machine(t, "mnc", "pes=5000"))
	require.ErrorAs(t, err, new(*simerr.Usage))
}

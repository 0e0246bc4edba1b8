package engine

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/plural"
)

// The pane of a PE is well-formed at any clock, has the four units in order, says who has the memory port, and folds
// long queues.
func TestPane(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12})
	held, more := 0, 0
	for range 60 {
		do(t, s, "step 20")
		for pe := range 12 {
			x, err := s.Inside(pe)
			require.NoError(t, err)
			wellFormed(t, x.HTML)
			require.Regexp(t, `(?s)data-unit="IBU".*data-unit="FMU".*data-unit="EXU".*data-unit="SU"`, x.HTML)
			require.Contains(t, x.HTML, "<h2>PE "+x.PE)
			require.Contains(t, x.HTML, strings.ReplaceAll(x.Why, "&", "&amp;"))
			for _, p := range x.Queues.FIFO {
				require.Contains(t, x.HTML, fmt.Sprintf(`data-act="follow %s"`, p.ID))
			}
			waits := 0
			for _, u := range x.Units {
				if strings.HasPrefix(u.Waits, "the memory port, which the ") {
					waits++
				}
			}
			require.Equal(t, waits > 0, strings.Contains(x.HTML, `class="held"`))
			held += waits
			if n := len(x.Queues.FIFO); n > seenAtOnce {
				more++
				require.Contains(t, x.HTML, fmt.Sprintf("<summary>and %d more</summary>", n-seenAtOnce))
			}
			if n := len(x.Queues.MIB); n > 0 {
				require.Equal(t, x.Queues.MIB[n-1].ID, x.Last)
			}
		}
	}
	require.Positive(t, held)
	require.Positive(t, more)
	evil := Inside{Why: `<script>alert("x")</script>`}
	require.NotContains(t, s.pane(&evil), "<script>")
}

// The result says how the run ended, with the numbers of the run, or that it goes on.
func TestOutcome(t *testing.T) {
	s := opened(t, fib)
	text, err := s.outcome()
	require.NoError(t, err)
	require.Contains(t, text, "The run continues. The host has received no word.")
	r := do(t, s, "continue").Frame.Result
	text, err = s.outcome()
	require.NoError(t, err)
	wellFormed(t, text)
	require.Contains(t, text, fmt.Sprintf("<td>packets</td><td>%d</td>", r.Packets))
	require.Contains(t, text, fmt.Sprintf("<td>PE utilisation</td><td>%.1f %%</td>", 100*r.Utilisation))
	s = opened(t, faulty)
	failure := do(t, s, "continue").Frame.Failure
	text, err = s.outcome()
	require.NoError(t, err)
	require.Contains(t, text, "<pre>"+failure+"</pre>")
}

// Two ends are compared with their numbers: the table, the maps, whose colours are proportional, and the curves, which
// end where the runs do.
func TestCompared(t *testing.T) {
	ctx := context.Background()
	p := pairOf(t, nothing, func(s *Setup) { s.Params["policy"] = "line" })
	_, err := p[0].Part(ctx, 2000)
	require.NoError(t, err)
	for _, s := range p {
		do(t, s, "goto 300")
	}
	html, err := p[1].Compared(3)
	require.NoError(t, err)
	wellFormed(t, html)
	require.Contains(t, html, "PEs that differ now (◤): 3.")
	require.Contains(t, html, "<td>at clock 300</td>")
	require.NotContains(t, html, "times as fast")
	require.Contains(t, html, fmt.Sprintf(`data-act="at %d %d"`, p[0].pair.parting.Clock, p[0].pair.parting.PE))
	html, err = p[0].Ends(room{1200, 400})
	require.NoError(t, err)
	require.Empty(t, html, "they have not ended")
	var end [2]*Frame
	for i, s := range p {
		end[i] = do(t, s, "continue").Frame
	}
	a, b := end[0].Result.Clocks, end[1].Result.Clocks
	html, err = p[0].Compared(0)
	require.NoError(t, err)
	faster := fmt.Sprintf("A is %.2f times as fast", float64(b)/float64(a))
	require.Contains(t, html, fmt.Sprintf("A takes %s clocks, B %s: %s.", plural.Commas(a), plural.Commas(b), faster))
	for _, size := range []room{{1200, 400}, {380, 300}} {
		html, err = p[0].Ends(size)
		require.NoError(t, err)
		wellFormed(t, html)
		require.Contains(t, html, "<h2>"+faster+"</h2>")
		fills := regexp.MustCompile(`fill="color-mix\(in srgb, var\(--runs\) (\d+)%`).FindAllStringSubmatch(html, -1)
		most := 0.0
		for _, f := range end {
			for _, n := range f.Calls {
				most = max(most, float64(n))
			}
		}
		for pe, n := range end[0].Calls {
			share, _ := strconv.Atoi(fills[pe][1])
			require.InDelta(t, 100*math.Sqrt(float64(n)/most), share, 0.51)
		}
		for i, f := range end {
			list := p[i].done()
			require.Equal(t, f.Result.Clocks, list[len(list)-1].clock)
			work, _ := p[i].work()
			require.InEpsilon(t, work, list[len(list)-1].work, 0.01)
		}
	}
	for want, change := range map[string]func(s *Setup){
		"B is a copy of A": nothing, "Both do the same up to their ends": func(s *Setup) { s.Seed = 2 },
	} {
		p = pairOf(t, nothing, change)
		_, err = p[0].Part(ctx, 50_000)
		require.NoError(t, err)
		for _, s := range p {
			_, err = s.Ahead(ctx, 1<<40)
			require.NoError(t, err)
		}
		html, err = p[0].Compared(0)
		require.NoError(t, err)
		require.Contains(t, html, want)
	}
	_, err = (&Session{}).Compared(0)
	require.ErrorContains(t, err, "there are no two runs to compare")
}

// The form has the program's parameters, the seed and the knobs. What is not as usual is marked, also after the program
// was built with it; a program with errors has the parameters that it had before.
func TestForm(t *testing.T) {
	s := &Session{}
	other := func(setup Setup) []string {
		html := s.Open(context.Background(), setup).Form
		wellFormed(t, html)
		require.Contains(t, html, `id="knob-set-hop_clocks" data-key="hop_clocks" data-kind="set" data-usual="3"`)
		require.Contains(t, html, "Where ring sends call 1 [calibrated]. usually out")
		var list []string
		changed := regexp.MustCompile(`class="knob other"><label for="([^"]*)"`)
		for _, m := range changed.FindAllStringSubmatch(html, -1) {
			list = append(list, m[1])
		}
		return list
	}
	x := Setup{Main: "fib.s", Args: []string{"10"}, PEs: 12}
	require.Empty(t, other(x))
	x.Params, x.Seed = map[string]string{"policy": "line"}, 7
	require.Equal(t, []string{"knob-param-policy", "knob-seed-seed"}, other(x))
	x.Files, x.Seed = map[string]string{"fib.s": "oops"}, 0
	require.Equal(t, []string{"knob-param-policy"}, other(x))
	x.Files, x.Params, x.Sets = nil, nil, map[string]string{"hop_clocks": "2"}
	require.Equal(t, []string{"knob-set-hop_clocks"}, other(x))
	require.Contains(t, s.Open(context.Background(), x).Form, "<option selected>ring</option>")

	// A session that begins with a changed parameter, as the second run of a comparison does, knows the default.
	s, x = &Session{}, Setup{Main: "fib.s", Args: []string{"10"}, PEs: 12, Params: map[string]string{"policy": "line"}}
	require.Equal(t, []string{"knob-param-policy"}, other(x))
	require.Contains(t, s.Open(context.Background(), x).Form, `data-key="policy" data-kind="param" data-usual="ring"`)
}

// A line names a run, and what is another in a second one.
func TestReadRuns(t *testing.T) {
	require.Nil(t, ReadRuns("1200").Setup)
	require.Nil(t, ReadRuns("nothing 20 on 80").Setup)
	require.Nil(t, ReadRuns("").Setup)
	require.Equal(t, &Runs{Setup: &Setup{Main: "fib.s", Args: []string{"10"}}}, ReadRuns("fib"))
	require.Equal(t, &Runs{
		Setup: &Setup{
			Main: "fib.go", Args: []string{"20"}, PEs: 80, Params: map[string]string{"policy": "line"},
			Sets: map[string]string{"banks": "1"}, Seed: 3,
		},
		Versus: &Setup{
			Main: "fib.go", Args: []string{"20"}, PEs: 12, Params: map[string]string{"policy": "line"},
			Sets: map[string]string{"banks": "2", "fifo_words": "40"}, Seed: 3,
		},
	}, ReadRuns("fib.go 20 on 80 PEs, policy=line, banks=1, seed=3 | banks = 2, set.fifo_words=40, pes=12"))
	line, mlpe := map[string]string{"policy": "line"}, map[string]string{"policy": "line", "mlpe": "on"}
	for _, text := range []string{
		"fib 20 on 80, policy=line | mlpe=on", "fib 20 on 80 policy=line | mlpe=on", "fib 20 policy=line on 80|--mlpe",
		"emsim run fib 20 --policy line --pes 80 | mlpe = on", "fib 20 --policy=line, pes=80 | mlpe=on", "fib 20 --param policy=line on 80 PEs | mlpe=on",
	} {
		require.Equal(t, &Runs{
			Setup:  &Setup{Main: "fib.s", Args: []string{"20"}, PEs: 80, Params: line},
			Versus: &Setup{Main: "fib.s", Args: []string{"20"}, PEs: 80, Params: mlpe},
		}, ReadRuns(text), text)
	}
	require.Nil(t, ReadRuns("fib 20 with 80").Setup)
	c := changes{Setup{Main: "fib.s", Params: map[string]string{"a": "b"}}, []string{"main=sum.s", "args=1,2"}}
	require.Equal(t, &Setup{Main: "sum.s", Args: []string{"1", "2"}, Params: map[string]string{"a": "b"}}, c.made())
}

// A packet is on its arrow from its first link on, reaches the end when it arrives, and waits there for its partner.
func TestTokens(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"6"}, PEs: 12})
	do(t, s, "continue")
	way, err := s.follow(context.Background(), "[0,0].5")
	require.NoError(t, err)
	wellFormed(t, way.HTML)
	links := 0
	for _, x := range way.Stations {
		if strings.HasPrefix(x.Text, "leaves ") {
			links++
		}
	}
	last, seen := 0.0, 0
	for clock := range int(way.Stations[len(way.Stations)-1].Clock) + 2 {
		do(t, s, fmt.Sprintf("goto %d", clock))
		list, err := s.tokens(context.Background(), []arrow{{"[0,0].5", max(1, links)}})
		require.NoError(t, err)
		if !list[0].Seen {
			continue
		}
		seen++
		require.GreaterOrEqual(t, list[0].At, last, "clock %d", clock)
		require.LessOrEqual(t, list[0].At, 1.0)
		last = list[0].At
	}
	require.Equal(t, 1.0, last)
	require.Greater(t, seen, 3)
	none, err := s.tokens(context.Background(), []arrow{{"[0,0].9999", 1}})
	require.NoError(t, err)
	require.False(t, none[0].Seen)
}

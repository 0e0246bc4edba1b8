package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/docs"
	"emsim/em4"
	"emsim/internal/base/simerr"
	"emsim/internal/dev/golden"
	"emsim/verify"
)

// hostile is markup that must appear as plain text.
const hostile = `<script>window.hurt = 1</script> & "quotes" 'and' </script>`

// smallPage is a page of every part: rows that are inside, a gap and not ok,
// paper 002 as it is, the published sensitivity table, and the time lines of a
// machine of 12 PEs.
func smallPage(t *testing.T) *Page {
	t.Helper()
	page, err := Build(t.Context(), Options{Only: []string{"002"}, Version: hostile})
	require.NoError(t, err)
	bench := verify.NewBench003(verify.Setup003{Config: em4.Small12(), Seed: 1})
	page.Timeline, err = timelineOf(t.Context(), bench, 10)
	require.NoError(t, err)
	page.Sensitivity, err = sensitivity(docs.Sensitivity)
	require.NoError(t, err)

	claim := func(id, unit, paper string, tol float64, gap int) verify.Claim {
		return verify.Claim{
			ID: "003." + id, PaperNo: "003", Quantity: "x", Unit: unit, Paper: paper, Rule: verify.Within,
			Tolerance: tol,
			Class:     verify.Guided, Gap: gap, Recorded: "54.2", Band: 0.3, Note: hostile,
		}
	}
	ours := claim("c.t1.fastest", "-", "a < b", 0, 0)
	ours.Rule, ours.Class = verify.Order, verify.Regression
	follows := claim("w.t1.1", "clocks", "90.4", 0.1, 0)
	follows.Cond = map[string]string{"source": "derived from table 1"}
	p := newPaper("003")
	p.Knobs = em4Knobs(verify.Standard003())
	require.NoError(t, p.fillRows([]verify.Row{
		verify.Compare(claim("t1.1.time", "ms", "1.12", 0.1, 0), verify.Number(1.2)),
		verify.Compare(claim("t1.4.util", "%", "62.1", 5, 1), verify.Number(54)),
		verify.Compare(claim("t1.2.time", "ms", "1.98", 0.1, 0), verify.Number(2.9)),
		verify.Compare(claim("t1.5.util", "%", "62.7", 5, 2), verify.Number(62)),       // a gap that has closed
		verify.Compare(claim("f8.static.ibu", "%", "17.3", 5, 4), verify.Number(53.8)), // one that has drifted
		verify.Compare(ours, verify.Holds(false, "%s", hostile)),
		verify.Compare(follows, verify.Number(89)),
	}, gapNotes()))
	page.Papers = append(page.Papers, p)
	return page
}

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

// The page has the measurements as text, and makes no network requests.
func TestPage(t *testing.T) {
	page := smallPage(t)
	text := written(t, page)
	require.NotContains(t, text, "<script>window.hurt")
	require.Contains(t, text, "&lt;script&gt;window.hurt")
	for _, m := range regexp.MustCompile(`(?i)(?:src|href|action|data|poster)\s*=\s*"([^"]*)"|url\(([^)]*)\)|@import|fetch\(|XMLHttpRequest|WebSocket`).FindAllStringSubmatch(text, -1) {
		target := m[1] + m[2]
		require.True(t, strings.HasPrefix(target, "#") || strings.HasPrefix(target, "data:"), "the page loads %s", m[0])
	}
	require.Equal(t, 3, strings.Count(text, "<figure "), "the figures of paper 002")
	for _, want := range []string{
		`<tr class="ok"><th scope="row" title="emsim verify 003.t1.1.time">003.t1.1.time</th>`,
		`<td>1.12</td><td title="fib(24) by the number of calls">1.0445*</td><td>1.2</td><td>ms</td><td class="n">&#43;7.1 %</td>`,
		`<tr class="gap"><th scope="row" title="emsim verify 003.t1.4.util">003.t1.4.util</th>`, "gap 1, recorded 54.2",
		"within 10 %: NOT OK", "gap 2 has closed: NOT OK",
		"gap 4 has left its band: 54.2 ± 0.3: NOT OK", "5 rows of paper 003: 1 inside, 1 known gap, 3 not ok",
		"<td>guided</td>",
		"1 regression beside paper 003: 0 inside, 0 known gaps, 1 not ok", "<td>regression</td>",
		`<th scope="row"><code>interval</code></th><td>&#34;3s&#34;</td>`,
	} {
		require.Contains(t, text, want)
	}
	require.Equal(t, verify.Count{Rows: 5, Inside: 1, Gaps: 1, NotOK: 3}, page.Papers[1].Papers())
	require.Equal(t, verify.Count{Rows: 1, NotOK: 1}, page.Papers[1].Regressions())
	require.Equal(t, verify.Count{Rows: 5 + 34, Inside: 1 + 24, Gaps: 1 + 10, NotOK: 3}, page.Counts().Papers())
	require.Equal(t, verify.Count{Rows: 1 + 7, Inside: 7, NotOK: 1}, page.Counts().Regressions())
}

// bulky is what a page has of programs, fonts, pictures and packed states.
var bulky = regexp.MustCompile(`(?s)<svg .*?</svg>|<style>.*?</style>|<script.*?</script>|[A-Za-z0-9+/]{200,}=*`)

// The page is recorded, with sums in the place of what is bulky.
func TestPageIsRecorded(t *testing.T) {
	text := bulky.ReplaceAllStringFunc(written(t, smallPage(t)), func(s string) string {
		return fmt.Sprintf("(%.8s, %d bytes, %08x)", s, len(s), crc32.ChecksumIEEE([]byte(s)))
	})
	golden.Check(t, "page.html", []byte(text))
}

// The same measurements give the same bytes, with any number of workers.
func TestPageIsTheSame(t *testing.T) {
	var pages []string
	for _, workers := range []int{1, 3} {
		p, err := Build(t.Context(), Options{Only: []string{"002"}, Workers: workers})
		require.NoError(t, err)
		require.Len(t, p.Papers, 1)
		require.Len(t, p.Papers[0].Rows, 34)
		require.Len(t, p.Papers[0].Ours, 7)
		pages = append(pages, written(t, p))
	}
	require.Equal(t, pages[0], pages[1])
}

func TestUnknownPaper(t *testing.T) {
	_, err := Build(t.Context(), Options{Only: []string{"003", "005"}})
	require.EqualError(t, err, `no paper is called "005": they are 000, 001, 002, 003, 004`)
	require.ErrorAs(t, err, new(*simerr.Usage))
}

// A part that fails ends those behind it, and its error is reported.
func TestFirstCause(t *testing.T) {
	broken := errors.New("broken")
	jobs := func(errs ...error) (list []job) {
		for _, err := range errs {
			list = append(list, job{"part", func(ctx context.Context) error {
				if err == nil {
					<-ctx.Done()
					return ctx.Err()
				}
				return err
			}})
		}
		return list
	}
	calls := 0
	err := parallel(t.Context(), 2, jobs(broken, nil, broken), func(done, of int) { calls += done })
	require.ErrorIs(t, err, broken)
	require.Zero(t, calls, "only parts that were made count")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, parallel(cancelled, 1, jobs(nil, broken), nil), context.Canceled)
}

// The error of an interrupted page names the finished parts.
func TestUnfinished(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	made := func(context.Context) error { return nil }
	last := func(ctx context.Context) error {
		cancel()
		return ctx.Err()
	}
	err := parallel(ctx, 1, []job{{"rows", made}, {"figure", last}, {"time line", made}}, nil)
	var x *Unfinished
	require.ErrorAs(t, err, &x)
	require.Equal(t, []string{"rows"}, x.Done)
	require.Equal(t, 3, x.Of)
	require.EqualError(t, err, "1 of 3 parts: context canceled")
}

// Every gap that a row carries is described in docs/DEVIATIONS.md.
func TestGapsAreDescribed(t *testing.T) {
	notes := gapNotes()
	for _, s := range verify.Suites() {
		claims, err := verify.Claims(s.Paper)
		require.NoError(t, err)
		for _, c := range claims {
			if c.Gap != 0 {
				require.NotEmpty(t, notes[c.Gap].Tried, "gap %d of %s has no line in docs/DEVIATIONS.md", c.Gap, c.ID)
			}
		}
	}
	require.EqualValues(t, "<code>a&lt;b</code> and text &amp; more", marked("`a<b` and [text](x.md) & more"))
}

// The published table has every setting of every knob, one of each published,
// and the marks that the numbers deserve.
func TestSensitivity(t *testing.T) {
	s, err := sensitivity(docs.Sensitivity)
	require.NoError(t, err)
	i := 0
	for _, k := range verify.UncertainKnobs003() {
		chosen := 0
		for j, v := range k.Values {
			x := s.Settings[i]
			require.Equal(t, k.Key+" = "+v, x.Knob+" = "+x.Value)
			require.Equal(t, j == 0, x.First)
			require.Len(t, x.Cells, len(s.Rows))
			if x.First {
				require.Equal(t, len(k.Values), x.Span)
				require.Equal(t, k.Why, x.Why)
			}
			if x.Chosen {
				chosen++
				require.Equal(t, verify.Standard003().Value(k.Key), v)
			}
			i++
		}
		require.Equal(t, 1, chosen, k.Key)
	}
	require.Len(t, s.Settings, i)

	small, err := sensitivity("knob,value,chosen,id,paper,model,deviation,ok\nk,1,true,003.t1.1.time,1,2,1,false\nk,1,true,003.t3.static.calls,1,1,0,true\nk,1,true,003.t1.1.util,1,2,1,true\nk,1,true,003.x.line.21,runs,segment overflow,,false\n")
	require.NoError(t, err)
	require.Equal(t, []string{"t1.1.time", "t1.1.util", "x.line.21"}, small.Rows)
	require.Equal(t, []Effect{{"+100%", true}, {"+1.0", false}, {"overflow", true}}, small.Settings[0].Cells)
	require.Equal(t, 2, small.Settings[0].Outside)
	_, err = sensitivity("knob\n\"\n")
	require.ErrorContains(t, err, "the sensitivity table")
}

// The states of the page are those of the run, two bits each.
func TestPackedStates(t *testing.T) {
	b := verify.NewBench003(verify.Setup003{Config: em4.Small12(), Seed: 1})
	line, err := timelineOf(t.Context(), b, 8)
	require.NoError(t, err)
	best, err := b.Best(t.Context(), verify.Run003{Policy: "ring", N: 8, Runs: 1})
	require.NoError(t, err)
	run := line.Runs[0]
	require.Equal(t, int(best.Clocks), run.Clocks)
	require.Len(t, run.PEs, 12)
	require.Equal(t, "[3,2]", run.PEs[11])
	bytes, err := base64.StdEncoding.DecodeString(run.Data)
	require.NoError(t, err)
	stride := (run.Clocks + 3) / 4
	require.Len(t, bytes, 12*stride)
	var clocks [4]uint64
	for pe := range 12 {
		var here [4]float64
		for clock := range run.Clocks {
			state := bytes[pe*stride+clock/4] >> (clock % 4 * 2) & 3
			clocks[state]++
			here[state]++
		}
		for state, n := range here {
			require.Equal(t, fmt.Sprintf("%.1f", 100*n/float64(run.Clocks)), run.Shares[pe][state])
		}
	}
	require.Equal(t, best.States(), clocks)
}

// What is compared with the paper's number is placed in tolerances; the run
// that it was measured on is told in one order.
func TestLines(t *testing.T) {
	require.Equal(t, Dot{X: 60}, *dotOf(0))
	require.Equal(t, Dot{X: 84}, *dotOf(1))
	require.Equal(t, Dot{X: 24}, *dotOf(-1.5))
	require.Equal(t, Dot{X: 115.2, Outer: true}, *dotOf(9))
	require.Equal(t, Dot{X: 4.8, Outer: true}, *dotOf(-9))
	require.Equal(t, "program fib(20), policy ring, mlpe no, pes 80, colour red",
		conditions(map[string]string{
			"pes": "80", "colour": "red", "mlpe": "no", "policy": "ring", "program": "fib(20)",
			"arg": "", "source": "table 1",
		}))
}

func TestInline(t *testing.T) {
	_, err := inline([]byte("<svg>"), "x")
	require.ErrorContains(t, err, `the figure "x" is not an SVG`)
	svg, err := inline([]byte(`<?xml version="1.0"?><svg width="10pt" height="5.5pt" viewBox="0 0 10 5"><a/></svg>`),
		`a "b"`)
	require.NoError(t, err)
	require.EqualValues(t,
		`<svg role="img" aria-label="a &#34;b&#34;" style="width:100%;max-width:10pt;height:auto" viewBox="0 0 10 5"><a/></svg>`, svg)
}

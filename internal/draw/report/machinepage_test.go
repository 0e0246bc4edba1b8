package report

import (
	"bytes"
	"errors"
	"html/template"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/draw/figures"
	"emsim/internal/inspect/instrument"
	"emsim/internal/machine/machines"
)

// The page has the numbers, every figure and the answers of both runs, in the same bytes
// each time; a run that failed says so.
func TestMachinePage(t *testing.T) {
	k, _ := machines.KindOf("spmd")
	var runs []*instrument.Run
	for _, method := range []string{"proposed", "static"} {
		m := k.NewMachine()
		require.NoError(t, m.Set([]string{"tasks=20", "policy=" + method}))
		r, err := instrument.Record(t.Context(), m)
		require.NoError(t, err)
		r.Label = method
		runs = append(runs, r)
	}
	written := func(runs ...*instrument.Run) string {
		var b bytes.Buffer
		p, err := NewMachinePage(t.Context(), "revision 7", runs)
		require.NoError(t, err)
		require.NoError(t, p.Write(&b))
		return b.String()
	}
	runs[0].Beside = runs[1]
	both := written(runs...)
	require.Equal(t, both, written(runs...))
	require.Equal(t, len(figures.MachineFigures()), strings.Count(both, `<svg role="img"`))
	for _, f := range figures.MachineFigures() {
		require.Contains(t, both, `id="figure-`+f.Name+`">`+template.HTMLEscapeString(f.Title))
	}
	for _, name := range reported {
		require.Contains(t, both, `<h2 id="question-`+name+`">`)
		x, err := runs[0].Ask(name)
		require.NoError(t, err)
		require.Contains(t, both, template.HTMLEscapeString(x.Says[0]))
	}
	for _, words := range []string{
		"revision 7", `<th scope="row">tasks moved</th><td class="n">`, `<h2 id="profile">`,
		`<th scope="row">policy</th><td>proposed</td><td>static</td>`,
		"<caption>proposed: idle</caption>", "<caption>static: idle</caption>",
		"<b>static</b>: " + runs[1].Length(runs[1].End),
	} {
		require.Contains(t, both, words)
	}
	require.NotContains(t, both, "Serif", "the figures of runs have one font, which every computer has")
	runs[1].Err = errors.New("it is broken")
	alone := written(runs[1])
	require.NotContains(t, alone, "question-part")
	require.Contains(t, alone, "then it failed: it is broken")
	require.Contains(t, alone, "<caption>idle</caption>")
}

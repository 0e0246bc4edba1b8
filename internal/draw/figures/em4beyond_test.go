package figures

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// Small tables with every special case: failed runs, missing points, two
// seeds, and sizes with other programs.
const (
	smallPrograms = `program,args,pes,policy,mlpe,outcome,pe_utilisation
fib,20,12,ring,off,ok,0.92
fib,20,12,line,off,ok,0.4961
fib,20,12,ring,on,ok,0.5
queens,8,12,ring,off,ok,0.004
queens,8,12,line,off,segment_overflow,
queens,8,12,ring,on,ok,1
fib,24,80,ring,off,ok,0.3
`
	smallRemedies = `program,args,pes,mlpe,variant,seed,outcome,clocks_ratio,clocks,exu_fmu,ibu_only,network_wait,idle
fib,20,80,on,base,1,ok,1.0000,15000,0.40,0.15,0.05,0.40
fib,20,80,on,base,2,ok,1.0000,15001,0.41,0.15,0.05,0.39
fib,20,80,on,own memory,1,ok,0.7000,10500,0.60,0.04,0.06,0.30
fib,20,80,on,own memory,2,ok,0.8000,12000,0.59,0.04,0.06,0.31
fib,20,80,on,deep,1,segment_overflow,,,,,,
fib,20,80,on,slow,1,ok,1.1249,16000,0.40,0.15,0.05,0.40
fib,20,80,on,stuck,1,ok,7.0917,106000,0.05,0.02,0.01,0.92
pi,20,80,on,base,1,ok,1.0000,500,0.1,0,0,0.9
pi,20,80,on,own memory,1,ok,0.9999,500,0.1,0,0,0.9
fib,20,1024,off,base,1,ok,1.0000,9000,0.1,0,0,0.9
fib,20,1024,off,own memory,1,ok,0.4000,3600,0.3,0,0,0.7
fib,20,1024,on,base,1,ok,1.0000,9000,0.1,0,0,0.9
fib,24,1024,on,base,1,ok,1.0000,19000,0.2,0.01,0.09,0.7
fib,24,1024,on,own memory,1,ok,0.5,9500,0.4,0,0.1,0.5
`
)

func smallTables() fstest.MapFS {
	return fstest.MapFS{
		"beyond/programs.csv": {Data: []byte(smallPrograms)},
		"beyond/remedies.csv": {Data: []byte(smallRemedies)}, "beyond/factorial.csv": {Data: []byte(smallFactorial())},
	}
}

// smallFactorial returns an experiment with known effects: the own memory halves the clocks
// of fib, the longer FIFO adds a fifth, and both together a tenth more; the output buffer's
// gain of a hundredth is less than chance. One combination of pi failed.
func smallFactorial() string {
	var b strings.Builder
	b.WriteString("program,args,pes,mlpe,ibu_own_memory,refill_blocks_intake,out_packets,fifo_words," +
		"variant,samples,clocks,clocks_sd\n")
	for i := range 32 {
		own, buffer, deep := i&1 > 0, i&2 > 0, i&4 > 0
		clocks := 10000.0
		for _, x := range []struct {
			on bool
			by float64
		}{{own, 0.5}, {buffer, 0.99}, {deep, 1.2}, {own && deep, 1.1}} {
			if x.on {
				clocks *= x.by
			}
		}
		settings := fmt.Sprintf("%t,%t,%d,%d,%s", own, i&8 == 0, i&2*2, 32+i&4*24, []string{"base", "priority"}[i>>4])
		fmt.Fprintf(&b, "fib,24,80,off,%s,8,%g,%g\nfib,24,80,on,%s,8,%g,0\n", settings, clocks, clocks/10, settings,
			clocks)
		if i > 0 {
			fmt.Fprintf(&b, "pi,20,80,on,%s,8,500,0\n", settings)
		} else {
			fmt.Fprintf(&b, "pi,20,80,on,%s,8,,\n", settings)
		}
	}
	return b.String()
}

func TestBeyondFigures(t *testing.T) {
	for _, f := range beyondFigures(smallTables()) {
		svg, err := Encode(t.Context(), f, f.Name+".svg")
		require.NoError(t, err)
		golden.Check(t, f.Name+".svg", svg)
	}
}

// The effects of an experiment are in its picture; a dot stands for one that may be chance.
func TestFactorial(t *testing.T) {
	all := beyondFigures(smallTables())
	d, err := all[len(all)-1].Draw(t.Context())
	require.NoError(t, err)
	p := d.(shadedTables).panels[0]
	require.Equal(t, [][]string{{"fib 24", "pi 20", "all"}, {"fib 24", "pi 20", "all"}}, p.columns)
	require.Len(t, p.rows, 15)
	for name, want := range map[string]string{
		"own memory": "-48 – -48 -48 – -48", "output buffer": "· – · -1 – -1", "FIFO 128": "+26 – +26 +26 – +26",
		"own memory × FIFO 128": "+10 – +10 +10 – +10", "own memory × priority": "· – · · – ·",
	} {
		var texts []string
		for _, c := range p.cells[6*slices.Index(p.rows, name):][:6] {
			texts = append(texts, c.text)
		}
		require.Equal(t, want, strings.Join(texts, " "), name)
	}
}

// The figures show the values of the tables.
func TestBeyondCells(t *testing.T) {
	draw := func(i int) Drawing {
		d, err := beyondFigures(smallTables())[i].Draw(t.Context())
		require.NoError(t, err)
		return d
	}
	texts := func(p shadedTable) string {
		var words []string
		for _, c := range p.cells {
			words = append(words, c.text)
		}
		return strings.Join(words, " ")
	}
	u := draw(0).(shadedTables)
	require.Equal(t, []string{"12 PEs", "80 PEs"}, []string{u.panels[0].title, u.panels[1].title})
	require.Equal(t, [][]string{{"ring", "line"}, {"ring", "line"}}, u.panels[0].columns)
	require.Equal(t, "92 50 50 – 0 – 100 –", texts(u.panels[0]))
	require.InDelta(t, 0.92, u.panels[0].cells[0].shade, 1e-9)

	r := draw(1).(shadedTables).panels[0]
	require.Equal(t, []string{"own memory", "deep", "slow", "stuck"}, r.rows)
	require.Equal(t, []string{"with MLPE"}, r.groups)
	require.Equal(t, "-25 0 –  +12  ×7.1 ", texts(r))
	require.InDelta(t, -0.2498, r.cells[4].shade, 1e-9, "a longer time")
	r = draw(2).(shadedTables).panels[0]
	require.Equal(t, []string{"static", "with MLPE"}, r.groups)
	require.Equal(t, "-60  -50", texts(r))
	require.InDelta(t, 1, r.cells[0].shade, 1e-9)
}

func TestBeyondBadTables(t *testing.T) {
	for name, text := range map[string]string{"none": "", "head": "a,b\n", "ragged": "a,b\n1\n"} {
		tables := fstest.MapFS{"beyond/programs.csv": {Data: []byte(text)}}
		for _, f := range beyondFigures(tables) {
			_, err := f.Draw(t.Context())
			require.ErrorContains(t, err, "figures: ", name)
		}
	}
}

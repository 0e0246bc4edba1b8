package ratios

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const first = `release: v1
date: 2026-11-30
commit: abc
go: go1.26
cores: 2
goos: linux
pkg: emsim/em4
cpu: A CPU
BenchmarkRatios/Walk-2         	       1	        40.00 Mclocks/s	         1.000 of-walk
BenchmarkRatios/Walk-2         	       1	        42.00 Mclocks/s	         1.000 of-walk
BenchmarkRatios/Fib24/static-2 	       1	        20.00 Mclocks/s	         0.500 of-walk
BenchmarkRatios/Fib24/static-2 	       1	        22.00 Mclocks/s	         0.600 of-walk
BenchmarkRatios/Fib24/static-2 	       1	        60.00 Mclocks/s	         0.520 of-walk
BenchmarkRatios/Fib1024        	       1	        32.00 Mclocks/s	         0.8 of-walk
PASS
ok  	emsim/em4	3.1s
pkg: emsim/internal/study/sweep
BenchmarkRatios/Sweep/jobs=2-2 	       1	         1.96 of-one
`

const programs = `program,args,pes,policy,mlpe,variant,outcome,clocks
fib,20,80,ring,off,base,ok,12100
fib,20,80,ring,on,base,ok,1
fib,20,80,line,off,base,ok,2
fib,20,80,ring,off,deep,ok,3
fib,24,80,ring,off,base,segment_overflow,
fib,20,1024,ring,off,base,ok,3125
fib,20,448,ring,off,base,ok,4
pi,300,12,ring,off,base,ok,1100000
`

// The page has the records in the order of their dates, and what programs take
// at the rates of the newest.
func TestPublish(t *testing.T) {
	second := strings.NewReplacer("v1", "v2", "2026-11-30", "2027-01-05", "60.00", "22.00", "Sweep/jobs=2", "Sweep/jobs=4").Replace(first)
	docs := fstest.MapFS{
		"benchmarks/v1.txt":   {Data: []byte(first)},
		"benchmarks/b2.txt":   {Data: []byte(second)},
		"beyond/programs.csv": {Data: []byte(programs)},
	}
	page := "Text.\n<!-- runs: begin -->\nold\n<!-- runs: end -->\nMore.\n<!-- records: begin -->\n<!-- records: end -->\nEnd.\n"
	got, err := Publish(page, docs)
	require.NoError(t, err)
	require.Equal(t, `Text.
<!-- runs: begin -->

| program | 12 PEs | 80 PEs | 1024 PEs |
|---|--:|--:|--:|
| fib 20 | | 0.044 s; 1,400 | 0.1 s; 600 |
| pi 300 | 0.6 s; 100 | | |

<!-- runs: end -->
More.
<!-- records: begin -->

| benchmark | v1 | b2 |
|---|---|---|
| date | 2026-11-30 | 2027-01-05 |
| commit | abc | abc |
| go | go1.26 | go1.26 |
| cpu | A CPU | A CPU |
| cores | 2 | 2 |
| Walk (of-walk) | 1.00 (1.00–1.00) | 1.00 (1.00–1.00) |
| Fib24/static (of-walk) | 0.52 (0.50–0.60) | 0.52 (0.50–0.60) |
| Fib1024 (of-walk) | 0.80 | 0.80 |
| Sweep/jobs=2 (of-one) | 1.96 |  |
| Sweep/jobs=4 (of-one) |  | 1.96 |

<!-- records: end -->
End.
`, got)
	again, err := Publish(got, docs)
	require.NoError(t, err)
	require.Equal(t, got, again)

	_, err = Publish("no places", docs)
	require.ErrorContains(t, err, "the page has no place for the runs")
	none, err := Publish(page, fstest.MapFS{})
	require.NoError(t, err)
	require.Contains(t, none, "<!-- runs: begin -->\n\nNo release has a record yet.\n")
	require.Contains(t, none, "<!-- records: begin -->\n\nNo release has a record yet.\n")
	docs["benchmarks/v3.txt"] = &fstest.MapFile{Data: []byte("nothing: here\n")}
	_, err = Publish(page, docs)
	require.ErrorContains(t, err, "v3 has no line of BenchmarkRatios")
	docs["benchmarks/v3.txt"] = &fstest.MapFile{Data: []byte("date: 3\nBenchmarkRatios/X-2 1 oops of-walk\n")}
	_, err = Publish(page, docs)
	require.EqualError(t, err, `v3:2: "oops" is no number`)
	docs["benchmarks/v3.txt"] = &fstest.MapFile{Data: []byte("date: 3\nBenchmarkRatios/X-2 1 2 of-walk\n")}
	_, err = Publish(page, docs)
	require.ErrorContains(t, err, "fib 20 on 80 PEs: no rate in record v3")
}

func TestMedian(t *testing.T) {
	of := func(x *float64) float64 { return *x }
	require.InDelta(t, 2, Median([]float64{9, 1, 2}, of), 0)
	require.InDelta(t, 3, Median([]float64{9, 1, 2, 4}, of), 0)
	require.Panics(t, func() { Median(nil, of) })
}

// Every sample's ratio is that of the yardstick just before it, and every line
// of -count has a sample of its own.
func TestBench(t *testing.T) {
	calls := ""
	do := func(name string, clocks float64) Subject {
		return Subject{Name: name, Do: func() Work { calls += name; return Work{Clocks: clocks, Hops: 1, Packets: 1} }}
	}
	testing.Benchmark(func(b *testing.B) { Bench(b, do("y", 1e6), "y", do("a", 1e6), do("b", 1e6)) })
	require.Equal(t, strings.Repeat("yayb", rounds), calls)
	base, all := take(3, do("y", 1e6), []Subject{do("a", 2e6), do("b", 1e6)})
	require.Len(t, base, 3)
	require.Len(t, all, 2)
	for i := range base {
		require.InDelta(t, 1, base[i].ratio, 0)
		a := all[0][i]
		require.InEpsilon(t, 2*base[i].seconds/a.seconds, a.ratio, 1e-9, "of the yardstick just before it")
	}
}

func TestMetrics(t *testing.T) {
	list := []sample{{Work{8e6, 4e6, 1e6}, 2, 0.5}, {Work{8e6, 4e6, 2e6}, 1, 0.25}, {Work{8e6, 4e6, 4e6}, 4, 0.75}}
	require.Equal(t, map[string]float64{"of-walk": 0.5, "Mclocks/s": 4, "Mhops/s": 2, "ns/packet": 1000}, metrics(list, "walk"))
	require.Equal(t, map[string]float64{"of-one": 0.5, "Mclocks/s": 4}, metrics([]sample{{Work{Clocks: 8e6}, 2, 0.5}}, "one"))
}

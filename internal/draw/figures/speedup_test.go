package figures

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The title, the lines and the names at their ends have the numbers of the runs.
func TestSpeedup(t *testing.T) {
	ring := Speedup{Name: "policy=ring", PEs: []int{12, 32, 96}, Clocks: []int64{1200, 500, 200}}
	line := Speedup{Name: "policy=line", PEs: ring.PEs, Clocks: []int64{1000, 1200, 1300}}
	alone := ring
	alone.Name = ""
	one := SpeedupFigure("fib 9", []Speedup{alone}, OwnSize{})
	require.Equal(t, "fib 9: 6.0 times as fast on 8 times the PEs", one.Title)
	f := SpeedupFigure("fib 9", []Speedup{ring, line}, OwnSize{})
	require.Equal(t, "fib 9 on 8 times the PEs: 6.0 times as fast with policy=ring, 1.3 times as slow with policy=line",
		f.Title)
	for _, relative := range []bool{false, true} {
		s := sketched(t, speedupPanel([]Speedup{ring, line}, relative))
		lines := s.styled(`stroke-width="1.4"`)
		for i, setting := range []Speedup{ring, line} {
			points := lines[i].points
			value := func(k int) float64 {
				if relative {
					return setting.times(k)
				}
				return float64(setting.Clocks[k])
			}
			decade := (points[1][1] - points[0][1]) / math.Log10(value(1)/value(0))
			require.InDelta(t, points[0][1]+decade*math.Log10(value(2)/value(0)), points[2][1], 0.1)
			wide := (points[2][0] - points[0][0]) / math.Log10(8)
			require.InDelta(t, points[0][0]+wide*math.Log10(32./12), points[1][0], 0.1)
			name := s.find(t, setting.Name)
			require.Greater(t, name.x, points[2][0])
			require.InDelta(t, points[2][1], name.y, 14)
		}
		s.find(t, map[bool]string{false: "200 clocks", true: "6.0 times"}[relative])
		for _, size := range []string{"12", "32", "96"} {
			s.find(t, size)
		}
		perfect := s.styled(`stroke="#787878"`)[0].points
		require.InDelta(t, lines[0].points[0][1], perfect[0][1], 0.1, "it begins where the first setting does")
		slope := (perfect[1][1] - perfect[0][1]) / (perfect[1][0] - perfect[0][0])
		first := lines[0].points
		from, to := float64(ring.Clocks[0]), float64(ring.Clocks[2])
		measured := (first[2][1] - first[0][1]) / (first[2][0] - first[0][0])
		require.InDelta(t, measured*math.Log10(8)/math.Log10(from/to), slope, 0.01)
	}
}

// Names of lines that end at one height do not overlap, and none lies below the plot.
func TestLineEnds(t *testing.T) {
	same := Speedup{PEs: []int{12, 32}, Clocks: []int64{1200, 500}}
	a, b, c := same, same, same
	a.Name, b.Name, c.Name = "first", "second", "third"
	s := sketched(t, speedupPanel([]Speedup{a, b, c}, false))
	bottom := s.find(t, "12").y
	for _, pair := range [][2]string{{"first", "second"}, {"second", "third"}} {
		require.Greater(t, s.find(t, pair[0]).y-s.find(t, pair[1]).y, 20.0)
	}
	require.Greater(t, s.find(t, "third").y-11, bottom)
	for _, w := range s.texts {
		wide := sansStyle(9, 0, 0).Width(w.text).Points()
		require.Less(t, w.x+wide, 400.0, w.text)
	}
}

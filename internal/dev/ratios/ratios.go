// Package ratios measures speeds relative to a yardstick, on a computer that runs other programs at the same time.
//
//	round 1: yardstick, a; yardstick, b; ...   round 2: yardstick, a; ...
//	              └──┴── one sample of a's ratio
//
// Absolute rates depend on the computer and its other load. The ratio of two measurements in immediate succession
// varies little, and the median of several rounds varies less.
package ratios

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Work is the work done in one sample. Only Clocks is required.
type Work struct {
	Clocks  float64 // PE-clocks, or node-clocks of a network alone
	Hops    float64 // words that crossed links
	Packets float64 // packets that went from offer to delivery
}

// Subject is a program part to measure. Do takes a few tenths of a second.
type Subject struct {
	Name string
	Do   func() Work
}

// rounds is the number of rounds of measurements.
const rounds = 7

// sample is one measurement.
type sample struct {
	Work
	seconds, ratio float64
}

// measure does the work of a subject once, and takes the time.
func measure(s Subject) sample {
	begin := time.Now()
	w := s.Do()
	return sample{Work: w, seconds: time.Since(begin).Seconds()}
}

func (s *sample) clockRate() float64 { return s.Clocks / s.seconds }

// Bench measures the subjects, and the yardstick before each of them. Every subject is a benchmark of its own. Its line
// shows the medians of seven rounds; with -count N it has N lines of one round each, as benchstat needs.
func Bench(b *testing.B, yardstick Subject, of string, subjects ...Subject) {
	count := 1
	if f := flag.Lookup("test.count"); f != nil {
		count, _ = strconv.Atoi(f.Value.String())
	}
	base, all := measureAll(max(count, rounds), yardstick, subjects)
	report(b, yardstick.Name, of, base, count)
	for i, s := range subjects {
		report(b, s.Name, of, all[i], count)
	}
}

// measureAll measures everything in rounds. For the yardstick it returns the first measurement of each round.
func measureAll(rounds int, yardstick Subject, subjects []Subject) (base []sample, all [][]sample) {
	all = make([][]sample, len(subjects))
	for range rounds {
		for i, s := range subjects {
			y := measure(yardstick)
			x := measure(s)
			y.ratio, x.ratio = 1, x.clockRate()/y.clockRate()
			all[i] = append(all[i], x)
			if i == 0 {
				base = append(base, y)
			}
		}
	}
	return base, all
}

// report prints the samples of one subject.
func report(b *testing.B, name, of string, list []sample, count int) {
	next := 0
	b.Run(name, func(b *testing.B) {
		if count > 1 && b.N == 1 { // every line begins with N = 1
			next++
		}
		some := list
		if count > 1 {
			some = list[next-1 : next]
		}
		b.ReportMetric(0, "ns/op") // omits the time
		for unit, v := range metrics(some, of) {
			b.ReportMetric(v, unit)
		}
	})
}

// metrics returns the medians of samples, by unit.
func metrics(list []sample, of string) map[string]float64 {
	median := func(f func(s *sample) float64) float64 { return middle(list, f) }
	m := map[string]float64{
		"of-" + of:  median(func(s *sample) float64 { return s.ratio }),
		"Mclocks/s": median((*sample).clockRate) / 1e6,
	}
	if list[0].Hops > 0 {
		m["Mhops/s"] = median(func(s *sample) float64 { return s.Hops / s.seconds / 1e6 })
	}
	if list[0].Packets > 0 {
		m["ns/packet"] = median(func(s *sample) float64 { return float64(s.seconds / s.Packets * 1e9) })
	}
	return m
}

// middle returns the median of a quantity; for an even number of values, the mean of the middle two.
func middle[T any](list []T, quantity func(*T) float64) float64 {
	var values []float64
	for i := range list {
		values = append(values, quantity(&list[i]))
	}
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		panic(fmt.Sprintf("the median of %d values", n))
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}

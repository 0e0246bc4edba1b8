package engine

import (
	"regexp"
	"strconv"

	"emsim/internal/inspect/debug"
)

// A session counts clocks from the start of its run, in what it is asked and in all that it
// answers: frames, marks, stations of a packet, texts. The machine's own clock, which also
// counts the init blocks before the run, stands in Inside alone.

// clock returns the clock of the run.
func (s *Session) clock() uint64 { return s.batch().Clock() - s.start }

// inRun returns a text of the debugger or of the machine with clocks of the run. One before
// its start is negative.
func (s *Session) inRun(text string) string {
	return machineClock.ReplaceAllStringFunc(text, func(words string) string {
		m := machineClock.FindStringSubmatch(words)
		n, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			return words
		}
		return m[1] + strconv.FormatInt(n-int64(s.start), 10)
	})
}

// machineClock is how texts name a clock. In some the clock of the run follows.
var machineClock = regexp.MustCompile(`(\bclock(?: is)? +|\bmachine is at )(\d+)(?: \(\+\d+\))?`)

// ofRun returns a line of the debugger's commands in which goto and until name clocks of the
// run.
func ofRun(line string) string { return bareClock.ReplaceAllString(line, "$1+$2") }

var bareClock = regexp.MustCompile(`((?:^|;)\s*(?:goto|until|u)\s+)(\d+\s*(?:;|$))`)

// wayInRun returns the way of a packet in clocks of the run: those at which what has happened can be
// seen, like the clocks of marks.
func (s *Session) wayInRun(w *debug.Way) *debug.Way {
	x := *w
	x.Stations = make([]debug.Station, len(w.Stations))
	for i, station := range w.Stations {
		station.Clock, station.Text = station.Clock+1-s.start, s.inRun(station.Text)
		x.Stations[i] = station
	}
	return &x
}

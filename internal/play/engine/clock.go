package engine

import (
	"regexp"
	"strconv"
	"strings"

	"emsim/internal/inspect/debug"
	"emsim/isa"
)

// The session's clocks count from the start of its run, in all questions and answers: frames, marks, stations of a
// packet, texts. Only Inside contains the machine's own clock, which also counts the init blocks before the run.

// clock returns the clock of the run.
func (s *Session) clock() uint64 { return s.batch().Clock() - s.start }

// inRun replaces the machine's clocks in text with clocks of the run. A clock before the start of the run becomes
// negative.
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

// machineClock matches a clock of the machine in text. The clock of the run may follow it.
var machineClock = regexp.MustCompile(`(\bclock(?: is)? +|\bmachine is at )(\d+)(?: \(\+\d+\))?`)

// inNumbers replaces the data of packets and operands in text, which is in hexadecimal, with numbers as the program has
// them. Addresses stay as they are.
func (s *Session) inNumbers(text string) string {
	width := isa.Width(s.batch().PE(0).Format().DataBits)
	return hexData.ReplaceAllStringFunc(text, func(words string) string {
		kind, digits, _ := strings.Cut(words, " 0x")
		n, err := strconv.ParseUint(digits, 16, 64)
		if err != nil {
			return words
		}
		return kind + " " + strconv.FormatInt(width.Signed(n), 10)
	})
}

// hexData matches a data word in the text of an error.
var hexData = regexp.MustCompile(`\b(?:operand|data) 0x[0-9a-f]+\b`)

// ofRun puts a + before bare clocks after goto and until in a line of debugger commands, so that the debugger counts
// them from the start of the run.
func ofRun(line string) string { return bareClock.ReplaceAllString(line, "$1+$2") }

var bareClock = regexp.MustCompile(`((?:^|;)\s*(?:goto|until|u)\s+)(\d+\s*(?:;|$))`)

// wayInRun returns the way of a packet in clocks of the run. Like the clocks of marks, they are the clocks at which an
// event becomes visible.
func (s *Session) wayInRun(w *debug.Way) *debug.Way {
	x := *w
	x.Stations = make([]debug.Station, len(w.Stations))
	for i, station := range w.Stations {
		station.Clock, station.Text = station.Clock+1-s.start, s.inRun(station.Text)
		x.Stations[i] = station
	}
	return &x
}

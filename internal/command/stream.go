package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"emsim/internal/base/escape"
	"emsim/internal/base/wholefile"
)

// stream is standard output or standard error. It remembers write errors, so
// that its users need not check.
type stream struct {
	to      io.Writer
	escaped *escape.Writer // before to, where people read; nil otherwise
	err     error          // the first one
}

// newAnswers is standard output: files and programs get every byte unchanged,
// a terminal gets no control characters.
func newAnswers(to io.Writer) *stream {
	s := &stream{to: to}
	if isTerminal(to) {
		s.escaped = &escape.Writer{To: to}
	}
	return s
}

// newMessages is standard error, which quotes files and arguments.
func newMessages(to io.Writer) *stream {
	return &stream{to: to, escaped: &escape.Writer{To: to}}
}

func (s *stream) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	to := s.to
	if s.escaped != nil {
		to = s.escaped
	}
	defer wholefile.BeginWait()()
	var n int
	n, s.err = to.Write(p)
	return n, s.err
}

// flush writes the rest and returns the first error. A reader that closes a
// pipe early is not an error.
func (s *stream) flush() error {
	if s.escaped != nil && s.err == nil {
		s.err = s.escaped.Flush()
	}
	if errors.Is(s.err, syscall.EPIPE) {
		return nil
	}
	return s.err
}

// terminal returns the stream as a terminal, or nil.
func terminal(x any) *os.File {
	if s, ok := x.(*stream); ok {
		x = s.to
	}
	if f, ok := x.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

func isTerminal(x any) bool { return terminal(x) != nil }

// progressEvery is how often a terminal shows the progress of a run.
const progressEvery = 200 * time.Millisecond

// progress is the line on the terminal during a long run. A nil progress
// shows nothing.
type progress struct {
	bar   *progressbar.ProgressBar
	total int64 // -1 if unknown
	start time.Time
	last  time.Time
	shown bool // the line is on the terminal

	terminal int
}

// newProgress returns a progress line if standard error is a terminal,
// otherwise nil. total is the number of clocks, -1 if unknown.
func (a *app) newProgress(total int64) *progress {
	f := terminal(a.err)
	if f == nil {
		return nil
	}
	now := time.Now()
	return &progress{total: total, start: now, last: now, terminal: int(f.Fd()), bar: progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetRenderBlankState(false),
		progressbar.OptionSetWidth(20),
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), // no separate drawing goroutine
		progressbar.OptionSetPredictTime(false),       // it knows the last seconds only
		progressbar.OptionClearOnFinish(),
	)}
}

// update shows the clocks done; more returns the rest and is called only when
// the line is due.
func (p *progress) update(clocks uint64, more func() string) {
	if !p.due() {
		return
	}
	rate := float64(clocks) / time.Since(p.start).Seconds()
	p.drawLine(int64(clocks), fmt.Sprintf("%s clocks, %s clocks/s, %s", short(float64(clocks)), short(rate), more()))
}

// due reports whether the line may be drawn again.
func (p *progress) due() bool { return p != nil && time.Since(p.last) >= progressEvery }

// showSome is showStep for things that are soon done: it draws only when the line is due.
func (p *progress) showSome(done int, format string, args ...any) {
	if p.due() {
		p.showStep(done, format, args...)
	}
}

// showStep shows at once how many of some slow things are done.
func (p *progress) showStep(done int, format string, args ...any) {
	if p != nil {
		p.drawLine(int64(done), fmt.Sprintf(format, args...))
	}
}

// barWidth is the width of the bar after its text.
const barWidth = 46

// drawLine draws the line, cut to the terminal's width. It begins with the time that
// the rest takes at the rate up to here, once that says anything.
func (p *progress) drawLine(n int64, text string) {
	text = escape.Line(text)
	p.last = time.Now()
	if gone := p.last.Sub(p.start); n > 0 && n < p.total && gone > time.Second {
		left := time.Duration(float64(gone) * float64(p.total-n) / float64(n))
		text = fmt.Sprintf("about %v left: %s", left.Round(time.Second), text)
	}
	if width, _, err := term.GetSize(p.terminal); err == nil && width > barWidth {
		if r := []rune(text); len(r) > width-barWidth {
			text = string(r[:width-barWidth-3]) + "..."
		}
	}
	p.shown = true
	p.bar.Describe(text)
	_ = p.bar.Set64(n) // a failed write to the terminal is no reason to stop
}

// erase erases the line, but nothing that others have written since.
func (p *progress) erase() {
	if p != nil && p.shown {
		p.shown = false
		_ = p.bar.Clear()
	}
}

// short prints a large number with three digits and its unit.
func short(x float64) string {
	switch {
	case x >= 1e9:
		return fmt.Sprintf("%.3g G", x/1e9)
	case x >= 1e6:
		return fmt.Sprintf("%.3g M", x/1e6)
	case x >= 1e4:
		return fmt.Sprintf("%.3g k", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}

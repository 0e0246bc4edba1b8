package command

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"emsim/internal/base/answer"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"emsim/internal/base/escape"
)

// The interval at which the line is drawn and the current part is asked for its progress, and the time before the line
// first appears. Tests change them.
var progressEvery, progressAfter = 200 * time.Millisecond, 600 * time.Millisecond

// The interval between two lines of progress of a long command, if standard error is not a terminal [chosen]. Tests
// change it.
var linesEvery = 10 * time.Second

// progress is the line on the terminal that shows the current part of the work, the elapsed time, the share that is
// done, and the time left. A goroutine draws it, so it changes even while a part reports nothing. Any output to the
// terminal first erases it. A nil progress shows nothing. Where there is no terminal, longPart draws lines instead.
type progress struct {
	to    io.Writer
	width func() int
	lines bool // not a terminal: each drawing is a line of its own
	begin time.Time

	mu    sync.Mutex
	usual string // name of the work between parts; "" shows nothing
	part  *part  // the innermost current part; nil between parts
	drawn int    // columns of the line on the terminal
	mid   bool   // the last line of output is incomplete
	halt  chan struct{}
}

// part is a part of a command's work. A nil part shows nothing.
type part struct {
	line        *progress
	outer       *part
	name        string
	total, done int64 // total is 0 if unknown
	from        int64 // done at the start
	start, told time.Time
	more        string
}

// startProgress returns the command's progress line if standard error is a terminal, otherwise nil.
func (a *app) startProgress() *progress {
	f := terminalOf(a.err)
	if f == nil {
		return nil
	}
	p := &progress{to: f, begin: time.Now(), halt: make(chan struct{}), width: func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil || width <= 0 { // a pseudo-terminal may have no size
			return 80
		}
		return width
	}}
	a.err.line = p
	if isTerminal(a.out) {
		a.out.line = p
	}
	go p.keepDrawing(progressEvery)
	return p
}

// longPart begins the main part of a command that takes a minute or more. If standard error is not a terminal, it gets
// a line of progress now and then.
func (a *app) longPart(cmd *cobra.Command, args []string, total int) *part {
	if a.line == nil {
		a.line = &progress{to: a.err.to, lines: true, begin: time.Now(), halt: make(chan struct{})}
		a.line.name(cmd, args)
		a.err.line, a.out.line = a.line, a.line
		go a.line.keepDrawing(linesEvery)
	}
	return a.newPart("", total)
}

func (p *progress) keepDrawing(every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			p.draw(now)
		case <-p.halt:
			return
		}
	}
}

// name names the work between parts after the command.
func (p *progress) name(cmd *cobra.Command, args []string) {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	if len(args) > 0 {
		name += " " + ansi.Truncate(escape.Line(strings.Join(args, " ")), 30, "...")
	}
	p.rest(name)
}

// rest sets the name of the work between parts. With "" the line stays empty, for example while a command waits for the
// user.
func (p *progress) rest(name string) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.erase()
		p.usual = name
	}
}

// stop erases the line and stops drawing it.
func (p *progress) stop() {
	if p != nil {
		p.rest("")
		close(p.halt)
	}
}

// draw draws the line again, unless the last line of output is incomplete.
func (p *progress) draw(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.text(now)
	switch {
	case p.mid || text == "" || !p.lines && now.Sub(p.begin) < progressAfter:
		return
	case p.lines:
		p.write(text + "\n")
		return
	}
	text = ansi.Truncate(text, max(1, p.width()-1), "...")
	columns := ansi.StringWidth(text)
	p.write("\r" + text + strings.Repeat(" ", max(0, p.drawn-columns)))
	p.drawn = columns
}

// write writes to the terminal. It ignores errors.
func (p *progress) write(text string) { _, _ = io.WriteString(p.to, text) }

// erase erases the line. The caller must hold mu.
func (p *progress) erase() {
	if p.drawn > 0 {
		p.write("\r" + strings.Repeat(" ", p.drawn) + "\r")
		p.drawn = 0
	}
}

// aside erases the line and keeps it hidden until done is called.
func (p *progress) aside(output []byte) (done func()) {
	if p == nil {
		return func() {}
	}
	p.mu.Lock()
	p.erase()
	if len(output) > 0 {
		p.mid = !bytes.HasSuffix(output, []byte("\n"))
	}
	return p.mu.Unlock
}

// text returns the line: the work, the elapsed time, the share that is done and, if known, the time left.
func (p *progress) text(now time.Time) string {
	x := p.part
	if x == nil {
		if p.usual == "" || p.lines {
			return ""
		}
		return fmt.Sprintf("%s, %.0fs", p.usual, now.Sub(p.begin).Seconds())
	}
	gone := max(0, now.Sub(x.start)) // a part may begin while the line is drawn
	text := fmt.Sprintf("%s, %.0fs", x.name, gone.Seconds())
	var about []string
	for known := x; known != nil; known = known.outer {
		if known.total > 0 {
			about = known.about(now)
			break
		}
	}
	if x.more != "" {
		about = append(about, x.more)
	}
	if about != nil {
		text += ": " + strings.Join(about, ", ")
	}
	return text
}

// about returns the share of a part that is done and, once it can be estimated from the rate so far, the time left.
func (x *part) about(now time.Time) []string {
	list := []string{answer.Far{Done: x.done, Total: x.total}.Label()}
	if gone := now.Sub(x.start); x.from < x.done && x.done < x.total && gone > time.Second {
		left := time.Duration(float64(gone) * float64(x.total-x.done) / float64(x.done-x.from))
		list = append(list, fmt.Sprintf("about %v left", max(left.Round(time.Second), time.Second)))
	}
	return list
}

// steps returns the progress of work with done of all steps completed.
func steps(done, all int) answer.Far { return answer.Far{Done: int64(done), Total: int64(all)} }

// newPart begins a part of the work; an empty name means the command's own name. total is the number of steps, or 0 if
// unknown.
func (a *app) newPart(name string, total int) *part {
	p := a.line
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part = &part{
		line: p, outer: p.part, name: cmp.Or(escape.Line(name), p.usual), total: int64(total),
		start: time.Now(),
	}
	return p.part
}

// end erases the progress line and makes the outer part current again. It does nothing if x is nil.
func (x *part) end() {
	if x != nil {
		x.line.mu.Lock()
		defer x.line.mu.Unlock()
		if x.line.erase(); x.line.part == x {
			x.line.part = x.outer
		}
	}
}

// tell sets the progress of the part.
func (x *part) tell(done, total int64, more string) {
	x.line.mu.Lock()
	defer x.line.mu.Unlock()
	x.done, x.total, x.more, x.told = done, total, escape.Line(more), time.Now()
}

// due reports whether it is time to ask the part for its progress.
func (x *part) due() bool {
	if x == nil {
		return false
	}
	x.line.mu.Lock()
	defer x.line.mu.Unlock()
	return time.Since(x.told) >= progressEvery
}

// step sets the number of completed steps.
func (x *part) step(done int, format string, args ...any) {
	if x != nil {
		x.tell(int64(done), x.total, fmt.Sprintf(format, args...))
	}
}

// steps returns a function that sets the number of completed steps and their total; words names the steps.
func (x *part) steps(words string) func(done, all int) {
	return func(done, all int) {
		if x != nil {
			x.tell(int64(done), int64(all), fmt.Sprintf("%s of %s %s", count(uint64(done)), count(uint64(all)), words))
		}
	}
}

// clocks sets the progress of a machine, if that is due; more returns further text. The part's steps are clocks.
func (x *part) clocks(clocks uint64, more func() string) {
	if !x.due() {
		return
	}
	rate := float64(clocks) / time.Since(x.start).Seconds()
	x.tell(int64(clocks), x.total, fmt.Sprintf("%s clocks, %s/s, %s", short(float64(clocks)), short(rate), more()))
}

// far sets the progress of a machine's run, if that is due. Its first call takes the progress so far as the start,
// because a resumed run does not start at 0.
func (x *part) far(ask func() answer.Far) {
	if x.due() {
		first := x.told.IsZero()
		at := ask()
		if first {
			x.from = at.Done
		}
		x.tell(at.Done, at.Total, at.Text)
	}
}

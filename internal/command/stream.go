package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/term"

	"emsim/internal/base/escape"
)

// stream is standard output or standard error. It remembers the first write error, so callers need not check.
type stream struct {
	to      io.Writer
	escaped *escape.Writer // writes to the field to, if people read the output; else nil
	err     error          // the first one
	line    *progress      // the progress line on the same terminal, or nil
}

// newAnswers returns standard output. Files and programs get every byte unchanged; on a terminal, control characters
// are escaped.
func newAnswers(to io.Writer) *stream {
	s := &stream{to: to}
	if isTerminal(to) {
		s.escaped = &escape.Writer{To: to}
	}
	return s
}

// newMessages returns standard error. Control characters are escaped, because messages quote files and arguments.
func newMessages(to io.Writer) *stream {
	return &stream{to: to, escaped: &escape.Writer{To: to}}
}

func (s *stream) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	defer s.line.aside(p)()
	to := s.to
	if s.escaped != nil {
		to = s.escaped
	}
	var n int
	n, s.err = to.Write(p)
	return n, s.err
}

// flush writes buffered output and returns the first error. It is not an error if the reader closes a pipe early.
func (s *stream) flush() error {
	if s.escaped != nil && s.err == nil {
		s.err = s.escaped.Flush()
	}
	if errors.Is(s.err, syscall.EPIPE) {
		return nil
	}
	return s.err
}

// terminalOf returns the terminal of a stream, or nil.
func terminalOf(x any) *os.File {
	if s, ok := x.(*stream); ok {
		x = s.to
	}
	if f, ok := x.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

func isTerminal(x any) bool { return terminalOf(x) != nil }

// short formats a number: from 1e4 up with three digits and the prefix k, M or G, below that as a whole number.
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

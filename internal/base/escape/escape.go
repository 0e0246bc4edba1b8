// Package escape displays text of unknown origin safely: file names, lines of programs and machine files, cells of
// tables. A terminal executes control characters, and shows some other characters backwards or not at all. Escaped,
// they are plain text.
package escape

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns the text with every byte that is not UTF-8, and every unprintable character, as an escape such as \x1b
// or \u202e. Line ends and tabs are kept. Escaping is idempotent.
func Text(s string) string {
	if !needed(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0]) // not UTF-8
		} else {
			escape(&b, r)
		}
		s = s[n:]
	}
	return b.String()
}

// Caret returns a line that marks a place in the line of text above it. The parameter left is the displayed text before
// the place, and place is the displayed text to mark. Tabs are kept, so the mark is aligned with the place.
func Caret(left, place string) string {
	blank := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, left)
	return blank + "^" + strings.Repeat("~", max(0, utf8.RuneCountInString(place)-1))
}

// Line escapes what Text escapes, and also newlines and tabs. It is for text that must stay on one line, such as a file
// name.
func Line(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(Text(s))
}

func needed(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !plain(r) })
}

func plain(r rune) bool { return r == '\n' || r == '\t' || unicode.IsGraphic(r) }

func escape(b *strings.Builder, r rune) {
	switch {
	case plain(r):
		b.WriteRune(r)
	case r < ' ':
		fmt.Fprintf(b, `\x%02x`, r)
	case r <= 0xffff: // \u is valid in JSON too, which has no \x
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}

// Writer escapes the text written to it. A character may be split between writes.
type Writer struct {
	To   io.Writer
	rest []byte // the beginning of an incomplete character
}

// Write writes all complete characters and keeps an incomplete one.
func (w *Writer) Write(p []byte) (int, error) {
	text := append(w.rest, p...)
	end := len(text) - unfinished(text)
	w.rest = append([]byte(nil), text[end:]...)
	if end == 0 {
		return len(p), nil
	}
	if _, err := io.WriteString(w.To, Text(string(text[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes the bytes of a character that stayed incomplete.
func (w *Writer) Flush() error {
	if len(w.rest) == 0 {
		return nil
	}
	rest := w.rest
	w.rest = nil
	_, err := io.WriteString(w.To, Text(string(rest)))
	return err
}

// unfinished returns the length of an incomplete character at the end.
func unfinished(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if tail := p[len(p)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

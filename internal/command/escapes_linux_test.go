package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostile is an escape sequence that sets a terminal's title; others may do worse.
const hostile = "\x1b]0;EVIL\x07"

// control matches the characters that act on a terminal, except line ends, tabs and the carriage return that erases the
// progress line.
var control = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x{80}-\x{9f}]`)

// onTerminal returns the output of a command line on a terminal.
func onTerminal(t *testing.T, words []string) (status int, shown string) {
	user, tty := newTerminal(t)
	x := newReader(user)
	status = command(words, strings.NewReader(""), tty, tty)
	fmt.Fprintln(tty, "the end of the output")
	require.True(t, x.until("the end of the output", hung))
	require.NoError(t, tty.Close())
	require.NoError(t, user.Close())
	return status, x.text.String()
}

// Every command that reads or writes a file shows terminal escapes as text: in names and titles, in messages about
// missing files, and in the lines of wrong files. Pictures and pages contain none either.
func TestEscapesAreText(t *testing.T) {
	nameFolder(t, hostile)
	quoted := 0
	show := func(what string, words []string) {
		_, shown := onTerminal(t, words)
		require.NotRegexp(t, control, shown, "%s: %q", what, words)
		if strings.Contains(shown, `\x1b]0;EVIL\x07`) {
			quoted++
		}
	}
	for _, x := range named {
		show("right", called(strings.TrimSuffix(x.line, " --json"), hostile))
	}
	files, err := filepath.Glob("*")
	require.NoError(t, err)
	for _, file := range files {
		if ext := filepath.Ext(file); ext == ".svg" || ext == ".html" || ext == ".xml" {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			if at := bytes.IndexAny(text, "\x1b\x07"); at >= 0 {
				t.Errorf("%q: %q", file, text[max(0, at-60):at+20])
			}
		}
	}
	for _, x := range named {
		show("not there", called(strings.ReplaceAll(x.line, "@", "@none"), hostile))
	}
	for file := range contents {
		require.NoError(t, os.WriteFile(strings.ReplaceAll(file, "@", hostile),
			[]byte(hostile+" is no line\n  \""+hostile), 0o600))
	}
	require.NoError(t, os.WriteFile(hostile+
		".go", []byte("package main\n\nfunc f() string { return \""+hostile+"\" + 1 }\n"), 0o600))
	for _, x := range named {
		show("wrong", called(x.line, hostile))
	}
	require.GreaterOrEqual(t, quoted, len(named))
}

// Escapes are also shown as text on the full screen and at the prompt of the debugger, which write other escapes of
// their own.
func TestEscapesAreTextInTheDebugger(t *testing.T) {
	nameFolder(t, hostile)
	dir, err := os.Getwd()
	require.NoError(t, err)
	program := filepath.Join(dir, hostile+"-comment.s")
	require.NoError(t, os.WriteFile(program,
		[]byte("        .start main\nmain:   nop                     ; "+hostile+"\n        out! r0\n"), 0o600))

	s := fill(t, nil, "debug", "--tui", program)
	s.until(0, "activity, groups")
	s.until(0, ` \x1b]0;EVIL\x07-comment.s on emc-r`)
	s.until(0, `last, \x1b]0;EVIL\x07-comm`)
	s.press("ss", "EXU is idle")
	fmt.Fprint(s.user, "q")
	s.left(0)
	require.NotContains(t, s.written()+s.errs.String(), hostile)

	s = fill(t, nil, "debug", program, "--pes", "12")
	s.until(0, "'help' lists the commands")
	s.press("list\r", `\x1b]0;EVIL\x07`)
	require.NoError(t, s.Process.Kill())
	s.wait(t)
	require.NotContains(t, s.written()+s.errs.String(), hostile)
}

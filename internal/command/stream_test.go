package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// limited is a writer that accepts some bytes and then fails.
type limited struct {
	io.Writer
	room int
	err  error
}

func (f *limited) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, f.err
	}
	f.room -= len(p)
	return f.Writer.Write(p)
}

// A failed write to standard output, by any code, is reported once and is a failure. A pipe closed by its reader is no
// failure.
func TestLostAnswers(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	said := "emsim: standard output could not be written: no space left on device\n"
	for _, c := range []struct {
		args   string
		room   int
		err    error
		status int
		says   string
	}{
		{"net --pes 12", 0, full, 1, said},
		{"net --pes 12", 1 << 20, full, 0, ""},
		{"--help", 0, full, 1, said},
		{"--help", 10, full, 1, said},
		{"net --json", 0, full, 1, said},
		{"run nosuch.s", 0, full, 2, "emsim: there is no file nosuch.s\n"},
		{"run nosuch.s --json", 0, full, 2, "emsim: there is no file nosuch.s\n" + said},
		{"run nosuch.s --json", 1 << 20, full, 2, ""},
		{"run fib 5 --pes 12 --max-clocks 200", 0, full, 1, said},
		{"--help", 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, 0, ""},
		{"net --pes 12", 0, errors.New("another"), 1, "emsim: standard output could not be written: another\n"},
	} {
		t.Run(fmt.Sprint(c.args, c.room), func(t *testing.T) {
			var out, errs bytes.Buffer
			status := command(strings.Fields(c.args), strings.NewReader(""), &limited{&out, c.room, c.err}, &errs)
			require.Equal(t, c.status, status)
			if strings.Contains(c.args, "max-clocks") {
				require.Contains(t, errs.String(), "emsim: the clock limit was reached after 200 clocks")
				require.True(t, strings.HasSuffix(errs.String(), c.says), errs.String())
				return
			}
			require.Equal(t, c.says, errs.String())
		})
	}
}

// Files and pipes get every byte of an answer unchanged; messages are escaped.
func TestStreams(t *testing.T) {
	var out, errs bytes.Buffer
	status := command([]string{"run", "no\x1bsuch\nfile.s\xff"}, strings.NewReader(""), &out, &errs)
	require.Equal(t, 2, status)
	require.Equal(t, "emsim: there is no file no\\x1bsuch\\nfile.s\\xff\n", errs.String())

	answers := newAnswers(&out)
	_, err := answers.Write([]byte("\x1b\xe6"))
	require.NoError(t, err)
	require.NoError(t, answers.flush())
	require.Equal(t, "\x1b\xe6", out.String())

	errs.Reset()
	messages := newMessages(&errs)
	_, err = messages.Write([]byte("\x1b\xe6"))
	require.NoError(t, err)
	require.Equal(t, `\x1b`, errs.String(), "its end may still come")
	require.NoError(t, messages.flush())
	require.Equal(t, `\x1b\xe6`, errs.String())
}

// --json works anywhere on the command line, even after a wrong flag.
func TestJSONErrors(t *testing.T) {
	for args, json := range map[string]bool{
		"run fib --runs x --json": true, "run fib --json --runs x": true, "run fib --runs x": false,
		"run fib --runs x -- --json": false,
	} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, command(strings.Fields(args), strings.NewReader(""), &out, &errs))
		require.Equal(t, json, out.Len() > 0, args)
		require.Equal(t, json, errs.Len() == 0, args)
	}
}

package needs

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// outcome records how a test would end.
type outcome struct {
	testing.TB
	text string
}

func (o *outcome) Helper() {}

func (o *outcome) end(how, format string, args []any) {
	if o.text == "" { // the first end is the end
		o.text = how + ": " + fmt.Sprintf(format, args...)
	}
}

func (o *outcome) Skipf(format string, args ...any)  { o.end("skipped", format, args) }
func (o *outcome) Fatalf(format string, args ...any) { o.end("failed", format, args) }

// A missing program skips a test, unless CI is true.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, ci := range []string{"", "false", "0", "true", "1"} {
		t.Setenv("CI", ci)
		var one, two outcome
		require.Empty(t, Tool(&one, "gtkwave", "vcd2fst"))
		require.Empty(t, Tool(&two, "chromium", "chromium", "google-chrome"))
		if ci == "true" || ci == "1" {
			require.Equal(t, "failed: vcd2fst is not installed, and with CI=true no test is skipped; on Debian: apt-get install gtkwave", one.text)
		} else {
			require.Equal(t, "skipped: vcd2fst is not installed; on Debian: apt-get install gtkwave", one.text, "CI=%q", ci)
		}
		require.Contains(t, two.text, "none of chromium, google-chrome is installed")
	}
}

// The first installed name counts.
func TestFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("CI", "true")
	for _, name := range []string{"second", "third"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700))
	}
	var o outcome
	require.Equal(t, filepath.Join(dir, "second"), Tool(&o, "any", "first", "second", "third"))
	require.Empty(t, o.text)
}

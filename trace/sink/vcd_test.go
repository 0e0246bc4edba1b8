package sink

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
	"emsim/trace"
)

// change is a new value of a signal; a number is written in decimal.
type change struct {
	at    uint64
	value string
}

// readVCD reads a value change dump: the changes of each signal by its path.
func readVCD(t *testing.T, text string) map[string][]change {
	t.Helper()
	signals := map[string][]string{} // paths by code
	changes := map[string][]change{}
	var scope []string
	var now uint64
	head, body, ok := strings.Cut(text, "$enddefinitions")
	require.True(t, ok)
	words := strings.Fields(head)
	for i, w := range words {
		switch w {
		case "$scope":
			scope = append(scope, words[i+2])
		case "$upscope":
			scope = scope[:len(scope)-1]
		case "$var":
			code := words[i+3]
			path := strings.Join(append(scope[:len(scope):len(scope)], words[i+4]), ".")
			signals[code] = append(signals[code], path)
			require.NotContains(t, changes, path)
			changes[path] = nil
		}
	}
	require.Empty(t, scope)
	words = strings.Fields(body)
	for i := 1; i < len(words); i++ { // behind $end
		w := words[i]
		switch w[0] {
		case '#':
			at, err := strconv.ParseUint(w[1:], 10, 64)
			require.NoError(t, err)
			require.GreaterOrEqual(t, at, now)
			now = at
			continue
		case '$':
			continue
		case 's', 'b':
		default:
			t.Fatalf("no value change: %q", w)
		}
		value := w[1:]
		if w[0] == 'b' {
			n, err := strconv.ParseUint(value, 2, 64)
			if err != nil { // fst2vcd writes x before the first value
				i++
				continue
			}
			value = strconv.FormatUint(n, 10)
		}
		i++
		require.Contains(t, signals, words[i])
		for _, path := range signals[words[i]] {
			list := changes[path]
			if n := len(list); n > 0 && list[n-1].at == now {
				list = list[:n-1]
			}
			if n := len(list); (n == 0 || list[n-1].value != value) && value != "" {
				list = append(list, change{now, value})
			}
			changes[path] = list
		}
	}
	return changes
}

// at is the value of a signal at a time.
func at(list []change, clock uint64) string {
	value := ""
	for _, c := range list {
		if c.at <= clock {
			value = c.value
		}
	}
	return value
}

// Every status and level stands in the file at its clock, by name, and
// nothing else changes.
func TestVCDReadsBack(t *testing.T) {
	jobs(t, func(t *testing.T, all *events, info trace.Info) {
		signals := readVCD(t, string(write(t, "vcd", all, info)))
		require.Len(t, signals, len(info.Traced)*(vcdCount-1))
		want := map[string][]change{}
		begun := map[uint32]bool{} // a block may have begun before the window
		for i := range all.list {
			e := &all.list[i]
			pe := fmt.Sprintf("em4.pe_%d_%d.", info.PEs[e.PE].GA, info.PEs[e.PE].CA)
			switch {
			case e.Kind == trace.Levelled:
				pe += e.Level.String()
				want[pe] = append(want[pe], change{e.Clock, fmt.Sprint(e.Value)})
			case e.Kind == trace.Changed && e.Unit == trace.SU:
				pe += "su_" + trace.SlotName(e.Slot)
				want[pe] = append(want[pe], change{e.Clock, e.Status.String()})
			case e.Kind == trace.Changed:
				pe += map[trace.Unit]string{trace.PE: "state", trace.IBU: "ibu", trace.FMU: "fmu", trace.EXU: "exu"}[e.Unit]
				want[pe] = append(want[pe], change{e.Clock, e.Status.String()})
			case e.Kind == trace.Begun:
				begun[e.PE] = true
				require.Equal(t, info.Where(e.PC), at(signals[pe+"node"], e.Clock))
			case e.Kind == trace.Ended && begun[e.PE]:
				require.NotEqual(t, "none", at(signals[pe+"node"], e.Clock))
			case e.Kind == trace.Fetched:
				require.Equal(t, fmt.Sprint(e.PC), at(signals[pe+"pc"], e.Clock))
			}
		}
		for path, got := range signals {
			if strings.HasSuffix(path, ".pc") || strings.HasSuffix(path, ".node") {
				continue
			}
			if got[0].at == info.From && (len(want[path]) == 0 || want[path][0].at != info.From) {
				require.Contains(t, []string{"idle", "0"}, got[0].value)
				got = got[1:]
			}
			require.Equal(t, len(want[path]), len(got), path)
			for i := range got {
				require.Equal(t, want[path][i], got[i], path)
			}
		}
	})
}

// gtkwave's tools read the file and write the same changes back.
func TestVCDRoundTrip(t *testing.T) {
	toFST, toVCD := needs.Tool(t, "vcd2fst"), needs.Tool(t, "fst2vcd")
	jobs(t, func(t *testing.T, all *events, info trace.Info) {
		dir := t.TempDir()
		vcd, fst := filepath.Join(dir, "t.vcd"), filepath.Join(dir, "t.fst")
		text := write(t, "vcd", all, info)
		require.NoError(t, os.WriteFile(vcd, text, 0o644))
		out, err := exec.Command(toFST, vcd, fst).CombinedOutput()
		require.NoError(t, err, string(out))
		back, err := exec.Command(toVCD, fst).Output()
		require.NoError(t, err)
		require.Equal(t, readVCD(t, string(text)), readVCD(t, string(back)))
	})
}

func TestVCDCodes(t *testing.T) {
	seen := map[string]bool{}
	for n := range 20_000 {
		code := vcdCode(n)
		require.False(t, seen[code], code)
		seen[code] = true
		require.Regexp(t, `^[!-~]{1,3}$`, code)
	}
	require.Equal(t, "a_b_", vcdWord("a b\u00e4"))
}

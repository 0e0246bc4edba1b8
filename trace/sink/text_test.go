package sink

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/trace"
)

// The whole trace of a small program on a machine with fixed timing is recorded.
func TestTextGolden(t *testing.T) {
	j := add(t)
	j.pes = []int{0, 1}
	all, info := j.record(t)
	golden.Check(t, "add.txt", write(t, "text", all, info))
}

// Every line has its columns in their places, and contains the data of its event.
func TestTextReadsBack(t *testing.T) {
	jobs(t, func(t *testing.T, all *events, info trace.Info) {
		lines := strings.Split(strings.TrimSuffix(string(write(t, "text", all, info)), "\n"), "\n")
		require.Equal(t, "# emsim trace 1: test", lines[0])
		require.Equal(t, fmt.Sprintf("# end at clock %d", all.end), lines[len(lines)-1])
		lines = lines[2 : len(lines)-1]
		x := &text{info: &info}
		for i := range all.list {
			e := &all.list[i]
			name, details := x.describe(e)
			if name == "" {
				continue
			}
			require.NotEmpty(t, lines)
			line := lines[0] + strings.Repeat(" ", 60)
			lines = lines[1:]
			column := func(from, to int) string { return strings.TrimSpace(line[from:to]) }
			require.Equal(t, fmt.Sprint(e.Clock), column(0, 10), line)
			require.Equal(t, info.PEs[e.PE].String(), column(11, 19), line)
			require.Equal(t, e.Unit.String(), column(20, 24), line)
			require.Equal(t, name, column(25, 33), line)
			require.Equal(t, info.PacketName(trace.IDOf(&e.Packet)), column(34, 46), line)
			require.Equal(t, details, strings.TrimSpace(line[47:]))
			for _, word := range strings.Fields(details) {
				if word == ":" {
					break // after this line there is prose
				}
				require.Regexp(t, `^[a-z]+=\S+$`, word, line)
			}
		}
		require.Empty(t, lines)
	})
}

// The runs of these tests show every kind of event except Faulted, and every status except possibly WaitPort.
func TestEverythingHappens(t *testing.T) {
	kinds, why := map[trace.Kind]bool{}, map[trace.Status]bool{}
	own, later := fib(t), fib(t)
	own.config.IBUOwnMemory, own.config.InjectClocks, later.config.SpillInterrupts = true, 2, false
	for _, j := range []job{add(t), fib(t), fibWith(t, "register"), own, later} {
		all, _ := j.record(t)
		for i := range all.list {
			kinds[all.list[i].Kind] = true
			if all.list[i].Kind == trace.Changed {
				why[all.list[i].Status] = true
			}
		}
	}
	for k := trace.Entered; k <= trace.Levelled; k++ {
		require.Equal(t, k != trace.Faulted, kinds[k], "%v", k)
	}
	for _, s := range trace.Statuses() {
		require.True(t, why[s] || s == trace.WaitPort, "%v", s)
	}
}

func TestNames(t *testing.T) {
	require.Equal(t, []string{"text", "vcd", "perfetto", "konata"}, Formats())
	for file, want := range map[string]string{
		"a.vcd": "vcd", "a.VCD.GZ": "vcd", "a.pftrace.gz": "perfetto",
		"a.vcd.zst": "vcd", "a.zst": "", "a.vcd.xz": "", "a.kanata": "konata", "a.txt": "text", "a": "", "a.gz": "",
	} {
		require.Equal(t, want, FormatOf(file), file)
	}
	_, err := New("vhdl", nil, trace.Info{})
	require.ErrorContains(t, err, `no trace format is called "vhdl": expected text, vcd`)
	seen := map[string]bool{}
	for _, s := range trace.Statuses() {
		require.Regexp(t, `^[a-z_]+$`, s.String())
		require.False(t, seen[s.String()])
		seen[s.String()] = true
	}
}

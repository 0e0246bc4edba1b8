package em4_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/dev/golden"
	"emsim/trace"
)

// The files record the path of packets through the machine, event by event. docs/TIMING.md refers to these files.
func TestTiming(t *testing.T) {
	files, err := os.ReadDir("testdata/timing")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(strings.TrimSuffix(f.Name(), ".txt"), func(t *testing.T) {
			var obj *asm.Object
			golden.Script(t, "timing/"+f.Name(), func(c golden.Case) string {
				switch c.Cmd {
				case "program":
					obj = source(t, strings.Join(c.Input, "\n")+"\n")
					return ""
				case "run":
					return events(t, obj, c)
				}
				t.Fatalf("%s: no command %s: expected program or run", c.Place, c.Cmd)
				return ""
			})
		})
	}
}

// events runs a program on a machine with the given knobs, and returns its events: packets that a switch moves, blocks
// that begin, and host words.
func events(t *testing.T, obj *asm.Object, c golden.Case) string {
	cfg := machine(12)
	cfg.HopClocks, cfg.InjectClocks, cfg.BankClocks = 4, 1, 2
	for _, a := range c.Args {
		require.NoError(t, cfg.Set(a.Key, a.Value), c.Place)
	}
	m := build(t, cfg, obj)
	var out strings.Builder
	ports := [...]string{"in-group", "out-of-group", "own port"}
	m.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		if e.Kind != trace.Moved {
			return
		}
		from, to := "from "+ports[e.In], "to "+ports[e.Out]
		if e.In == trace.Own {
			from = "from the EXU"
		}
		fmt.Fprintf(&out, "%5d %v SU   %v %s %s\n", e.Clock, m.Net.Address(int(e.PE)), e.Packet, from, to)
	}), cfg.PEs, trace.All(cfg.PEs)), 0, 10_000)
	require.NoError(t, m.Start([]uint64{1}))
	blocks, words := make([]uint64, cfg.PEs), 0
	for quiet := 0; quiet < 3; quiet++ {
		m.Step()
		if !m.Quiet() {
			quiet = 0
		}
		for i := range blocks {
			if n := m.PE(i).Blocks; n > blocks[i] {
				blocks[i] = n
				fmt.Fprintf(&out, "%5d %v EXU  block begins\n", m.Clock()-1, m.Net.Address(i))
			}
		}
		for _, w := range m.Net.HostWords()[words:] {
			words++
			fmt.Fprintf(&out, "%5d host       %d is out\n", w.Clock, w.Data)
		}
		require.Less(t, m.Clock(), uint64(10_000))
	}
	require.Zero(t, m.InFlight())
	require.NoError(t, faultOf(m))
	return out.String()
}

// faultOf returns the fault of the first PE that has one.
func faultOf(m *em4.Machine) error {
	for i := range m.Config().PEs {
		if f := m.PE(i).Fault(); f != nil {
			return f
		}
	}
	return nil
}

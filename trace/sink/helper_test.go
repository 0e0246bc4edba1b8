package sink

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/packet"
	"emsim/programs"
	"emsim/trace"
)

// pinned returns a machine whose timing is not changed by calibration.
func pinned() em4.Config {
	c := em4.Prototype80()
	c.PEs, c.HopClocks, c.InjectClocks, c.BankClocks = 12, 4, 1, 2
	return c
}

// events is a sink that keeps all events.
type events struct {
	list []trace.Event
	end  uint64
}

func (x *events) Event(e *trace.Event) { x.list = append(x.list, *e) }

func (x *events) Close(end uint64) error {
	x.end = end
	return nil
}

// job is a run that is to be traced.
type job struct {
	obj    *asm.Object
	config em4.Config
	args   []uint64
	pes    []int // empty: all
	from   uint64
	to     uint64 // 0: the end
}

func add(t testing.TB) job {
	o, _, err := asm.Assemble("testdata/add.s", asm.Options{Open: os.ReadFile})
	require.NoError(t, err)
	return job{obj: o, config: pinned(), args: []uint64{30, 12}}
}

// fib returns a run in which everything happens. A small FIFO makes packets spill.
func fib(t testing.TB) job { return fibWith(t, "block") }

// fibWith returns a run of fib in which the answers fill the prefetch register by a block, or on arrival.
func fibWith(t testing.TB, fill string) job {
	o, err := programs.Assemble("fib", map[string]string{"mlpe": "on", "mlpe_fill": fill})
	require.NoError(t, err)
	j := job{obj: o, config: pinned(), args: []uint64{11}}
	j.config.FIFOWords, j.config.SpillInterrupts = 4, true
	return j
}

// record runs a job. It returns its events, and the information that a sink needs.
func (j job) record(t testing.TB) (*events, trace.Info) {
	prog, err := programs.Load(j.obj)
	require.NoError(t, err)
	m, err := em4.New(j.config, prog, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(context.Background(), 100_000))
	if j.pes == nil {
		j.pes = trace.All(m.Config().PEs)
	}
	to := m.Clock() + j.to
	if j.to == 0 {
		to = ^uint64(0)
	}
	info := trace.Info{
		Title: "test", PEs: make([]packet.PE, m.Config().PEs), Traced: j.pes, From: m.Clock() + j.from,
		Where: func(pc uint32) string {
			name, _, _ := j.obj.SymbolAt(pc)
			return name
		},
		Instr: j.obj.Instructions(),
	}
	for i := range info.PEs {
		info.PEs[i] = m.Net.Address(i)
	}
	all := &events{}
	r := trace.NewRecorder(all, m.Config().PEs, j.pes)
	m.Watch(r, info.From, to)
	_, err = m.Run(context.Background(), j.args, em4.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, all.Close(r.End()))
	return all, info
}

// write returns the events written in a format.
func write(t testing.TB, format string, all *events, info trace.Info) []byte {
	var b bytes.Buffer
	s, err := New(format, &b, info)
	require.NoError(t, err)
	for i := range all.list {
		s.Event(&all.list[i])
	}
	require.NoError(t, s.Close(all.end))
	return b.Bytes()
}

// jobs calls check with the runs that every format is tested on.
func jobs(t *testing.T, check func(t *testing.T, all *events, info trace.Info)) {
	window := fib(t)
	window.from, window.to, window.pes = 200, 700, []int{0, 4, 7}
	remedies := fib(t)
	c := &remedies.config
	c.OutPackets, c.SwitchPriority, c.IBUPriority, c.MLPERoute, c.PrefetchRegisters = 3, 2, 2, "both", 2
	for name, j := range map[string]job{
		"add": add(t), "fib": fib(t), "filling": fibWith(t, "register"),
		"window": window, "remedies": remedies,
	} {
		t.Run(name, func(t *testing.T) {
			all, info := j.record(t)
			require.Greater(t, len(all.list), 100)
			check(t, all, info)
		})
	}
}

package profile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// sums holds the splits and moments of everything that a profile has followed, because the critical path alone shows
// only a few of them.
type sums struct {
	*Profile
	list  []trace.Event
	begun Split // of packets that started blocks, and of the blocks before these packets
	acc   Split // of blocks that ended
	due   [4][len(cases)]uint64
	most  int // the most packets in flight at any time
}

// Event passes an event on and records its effect.
func (s *sums) Event(e *trace.Event) {
	s.list = append(s.list, *e)
	s.Profile.Event(e)
	x := &s.pes[e.PE]
	add := func(i int, m *moment) {
		for c, n := range m.due {
			s.due[i][c] += n
		}
	}
	switch e.Kind {
	case trace.Begun:
		s.begun.addParts(&x.block.took)
		add(0, &x.block.due)
	case trace.Ended:
		s.acc.addParts(&x.block.acc)
		add(1, &x.end)
	case trace.Taken:
		add(2, &x.fmu.flight.due)
	case trace.Stored:
		add(3, &x.fmu.free)
	}
	s.most = max(s.most, len(s.flight))
}

// watched returns the profile of a program from a clock on, with a fixed timing that no calibration changes.
func watched(t *testing.T, from uint64, program string, params map[string]string, sets ...string) *sums {
	t.Helper()
	pes := 12
	words := strings.Fields(program)
	sets = append([]string{"hop_clocks=4", "inject_clocks=1", "bank_clocks=2"}, sets...)
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes, Sets: sets}, Program: words[0], Args: words[1:],
		Params: params, Seed: 1, Threads: 1,
	}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	b := run.New(target, run.Plan{Runs: 1})
	require.NoError(t, b.Begin())
	if from > 0 {
		require.NoError(t, b.Advance(t.Context(), from))
	}
	s := &sums{}
	_, err = b.Trace(t.Context(), 1, func(from, end uint64) (trace.Sink, error) {
		s.Profile = New(b.Object, pes, b.Current.StartClock(), from, end)
		return s, nil
	})
	require.NoError(t, err)
	return s
}

// again returns a profile of the same events with another object and another end.
func (s *sums) again(t *testing.T, o *asm.Object, end uint64) *Profile {
	p := New(o, len(s.pes), s.start, s.from, end)
	for i := range s.list {
		p.Event(&s.list[i])
	}
	require.NoError(t, p.Close(end))
	return p
}

func (s *Split) text() string {
	var b strings.Builder
	for part, n := range s {
		if n > 0 {
			fmt.Fprintf(&b, " %v %d", Part(part), n)
		}
	}
	return b.String()
}

func (c *Counts) text() string {
	return fmt.Sprintf("%d instructions, %d blocks, exu %d, state %d, packets %d, spilled %d, hops %d, "+
		"travel %d, queued %d",
		c.Instructions, c.Blocks, c.EXU, c.State, c.Packets, c.Spilled, c.Hops, c.Travel, c.Queued)
}

// text returns everything that a profile reports, except the pprof file.
func (p *Profile) text(t *testing.T) []byte {
	var b bytes.Buffer
	total := p.Total()
	fmt.Fprintf(&b, "%d clocks, path %d\ntotal: %s\n", p.Clocks(), p.Longest(), total.text())
	for l := range Levels {
		fmt.Fprintf(&b, "\nby %v\n", l)
		for _, r := range p.Rows(l) {
			fmt.Fprintf(&b, "%s (%q %q %q:%d %#x %v): %s\n", r.Name(l), r.Template, r.Block, r.File, r.Line, r.PC,
				r.Code, r.Counts.text())
		}
	}
	fmt.Fprintf(&b, "\npath\n")
	for _, s := range p.Path() {
		fmt.Fprintf(&b, "%d PE %#x node %#x send %#x host %v:%s\n", s.Clock, s.PE, s.Node, s.Send, s.Host,
			s.Took.text())
	}
	fmt.Fprintf(&b, "\npath by block\n")
	for _, r := range p.PathRows() {
		fmt.Fprintf(&b, "%s: %d steps:%s\n", r.Block, r.Steps, r.Took.text())
	}
	fmt.Fprintf(&b, "\nestimates\n")
	for _, e := range p.Estimates() {
		fmt.Fprintf(&b, "%s: %d\n", e.Name, e.Clocks)
	}
	return b.Bytes()
}

// text returns the data of every packet and block.
func (s *sums) text(t *testing.T) []byte {
	b := bytes.NewBuffer(s.Profile.text(t))
	fmt.Fprintf(b, "\nall packets that started blocks:%s\nall blocks:%s\n", s.begun.text(), s.acc.text())
	fmt.Fprintf(b, "begun %d\nended %d\ntaken %d\nstored %d\nat most %d packets in flight, %d at the end\n",
		s.due[0], s.due[1], s.due[2], s.due[3], s.most, len(s.flight))
	return b.Bytes()
}

// pprofText returns the pprof file as text.
func (p *Profile) pprofText(t *testing.T) []byte {
	var b bytes.Buffer
	require.NoError(t, p.WritePprof(&b, "what ran", 62.5))
	x, err := pprof.Parse(&b)
	require.NoError(t, err)
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\nduration %d, default %s, comments %q\n", x, x.DurationNanos, x.DefaultSampleType, x.Comments)
	for _, f := range x.Function {
		fmt.Fprintf(&out, "function %d: %q %q %q from %d\n", f.ID, f.Name, f.SystemName, f.Filename, f.StartLine)
	}
	return out.Bytes()
}

// The complete profiles of small runs are recorded.
func TestGolden(t *testing.T) {
	mlpe := map[string]string{"mlpe": "on"}
	for _, c := range []struct {
		name    string
		from    uint64
		program string
		params  map[string]string
		sets    []string
	}{
		{"spills", 0, "fib 9", mlpe, []string{"fifo_words=4"}},
		{"remedies", 0, "fib 9", mlpe, []string{
			"fifo_words=4", "out_packets=2", "ibu_priority=2", "switch_priority=2",
			"prefetch_registers=2", "spill_interrupts=false", "mlpe_route=both",
		}},
		{"memory", 0, "fib 9", nil, []string{"fifo_words=4", "ibu_own_memory=true", "out_packets=3"}},
		{"polite", 0, "fib 9", nil, []string{"fifo_words=4", "spill_interrupts=false", "burst_refill=false"}},
		{"work", 0, "testdata/work.s 4", nil, nil},
		{"middle", 150, "fib 9", mlpe, []string{"fifo_words=4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := watched(t, c.from, c.program, c.params, c.sets...)
			require.Empty(t, s.flight, "every packet has started a block or left")
			golden.Check(t, c.name+".txt", s.text(t))
			golden.Check(t, c.name+"_pprof.txt", s.pprofText(t))
			switch c.name {
			case "spills":
				golden.Check(t, "cut.txt", s.again(t, s.object, s.from+s.Clocks()/2).text(t))
			case "work":
				golden.Check(t, "nameless.txt", s.again(t, &asm.Object{}, s.end).text(t))
				golden.Check(t, "nameless_pprof.txt", s.again(t, &asm.Object{}, s.end).pprofText(t))
			}
		})
	}
}

// A packet that fills a prefetch register starts no block, and is not followed any further.
func TestFilledPacketsEnd(t *testing.T) {
	s := watched(t, 0, "fib 9", map[string]string{"mlpe": "on", "mlpe_fill": "register"})
	filled := 0
	for i := range s.list {
		if s.list[i].Kind == trace.Filled {
			filled++
		}
	}
	require.Positive(t, filled)
	require.Empty(t, s.flight)
}

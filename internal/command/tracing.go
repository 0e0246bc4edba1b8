package command

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/base/plural"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/run"
	"emsim/packet"
	"emsim/trace"
	"emsim/trace/sink"
)

// tracing is a traced run.
type tracing struct {
	*run.Batch
	flags    *traceFlags
	window   window
	chosen   []int
	out      *traceFile
	recipe   string
	recorder *trace.Recorder
	sink     trace.Sink
	start    uint64
	booted   bool
	stopped  bool
	result   em4.Result
}

// record boots and runs the machine, and records the window.
func (r *tracing) record(ctx context.Context) error {
	if r.Current == nil {
		if !r.window.fromRelative {
			r.watch()
		}
		if err := r.Boot(ctx, r.MaxClocks); err != nil {
			return err
		}
		if err := r.Begin(); err != nil {
			return err
		}
	}
	r.start, r.booted = r.Current.StartClock(), true
	if err := r.resolve(); err != nil {
		return err
	}
	r.watch()
	to := em4.ToEnd
	if w := &r.window; w.bounded {
		if w.to < r.start {
			r.stopped = true
			return nil
		}
		to = w.to - r.start + 1
	}
	err := r.Advance(ctx, to)
	r.result = r.Current.Result()
	r.stopped = err == nil && !r.Current.Ended()
	return err
}

// resolve converts the window's relative clocks to clocks of the machine.
func (r *tracing) resolve() error {
	w := &r.window
	if w.fromRelative {
		w.from += r.start
	}
	if w.toRelative {
		w.to += r.start
	}
	now := r.Clock()
	switch {
	case r.flags.resume != "" && w.given && w.from < now:
		return usagef("--from %s is clock %d, but the run in %s is already at clock %d (+%d)", r.flags.from, w.from,
			r.flags.resume, now, now-r.start)
	case r.flags.resume != "" && !w.given:
		w.from = now
	}
	if w.to < w.from {
		return usagef("the window ends at clock %d, before it begins at clock %d: the run starts at clock %d", w.to,
			w.from, r.start)
	}
	return nil
}

// watch starts recording the window. Before the boot is over, a relative end is not yet known, so there is no end.
func (r *tracing) watch() {
	if r.recorder == nil {
		r.recorder = trace.NewRecorder(r, r.Config().PEs, r.chosen)
	}
	to := r.window.to
	if r.window.toRelative && !r.booted {
		to = ^uint64(0) // the run has not started yet
	}
	r.Watch(r.recorder, r.window.from, to)
}

// Event passes an event to the sink. It opens the sink at the first event, when the window is known.
func (r *tracing) Event(e *trace.Event) { r.openSink().Event(e) }

// Close closes the sink.
func (r *tracing) Close(end uint64) error { return r.openSink().Close(end) }

func (r *tracing) openSink() trace.Sink {
	if r.sink == nil {
		info := r.TraceInfo(r.Title(), r.chosen, r.window.from)
		info.Recipe = r.recipe
		s, err := sink.New(r.flags.format, r.out.to, info)
		if err != nil {
			panic(err) // the format has been checked
		}
		r.sink = s
	}
	return r.sink
}

// missed returns an error if the window begins after the end of a complete run.
func (r *tracing) missed() error {
	if end := r.Clock(); !r.stopped && r.window.from >= end {
		return usagef("--from %s is clock %d, but the run was over at clock %d (+%d): nothing is traced", r.flags.from,
			r.window.from, end, end-r.start)
	}
	return nil
}

// tracedEnd returns the first clock after the traced ones.
func (r *tracing) tracedEnd() uint64 {
	end := r.recorder.End()
	if r.stopped {
		end = r.window.to + 1
	}
	return max(end, r.window.from)
}

// close closes the sink and the file. The file reports every error.
func (r *tracing) close() error {
	if r.recorder != nil {
		_ = r.Close(r.tracedEnd())
	}
	return r.out.close()
}

// answer returns the answer of 'emsim trace', and the first and last traced clock.
func (r *tracing) answer() (x *answer.Answer, from, to uint64) {
	from, to = r.window.from, 0
	if r.recorder != nil {
		to = max(r.tracedEnd(), from+1) - 1 // the last clock with an event, or of the window
	}
	ended := "the run ended after " + plural.Of(r.result.Clocks, "clock")
	if r.stopped {
		ended = "stopped there"
	}
	x = &answer.Answer{Title: fmt.Sprintf("%s: %s, %s of %s, clocks %d..%d, %s", r.flags.output, r.flags.format,
		plural.Of(r.events(), "event"), plural.Of(len(r.chosen), "PE"), from, to, plural.Of(int(r.out.bytes), "byte"))}
	x.Says = []string{fmt.Sprintf("The run starts at clock %d; %s.", r.start, ended)}
	// bytes is the size as written, compressed or not
	x.SayAll("program", r.Name, "args", r.Args, "machine", r.MachineName, "pes", r.Config().PEs, "traced_pes",
		len(r.chosen), "format", r.flags.format, "file", r.flags.output, "from", from, "to", to, "start_clock", r.start,
		"stopped", r.stopped, "events", r.events(), "bytes", r.out.bytes)
	x.SayAll(r.ResultKeys(r.result.Words)...)
	x.Say("clocks", r.result.Clocks)
	return x, from, to
}

func (r *tracing) events() uint64 {
	if r.recorder == nil {
		return 0
	}
	return r.recorder.Events()
}

// traceFile is the file of -o, compressed if its name says so, or standard output. Its first error ends the run,
// because the rest of the trace would be lost.
type traceFile struct {
	counting
	to   io.Writer       // counting, or the compressor in front of it
	zip  io.WriteCloser  // nil if not compressed
	file *wholefile.File // nil for standard output
}

func createTrace(name string, stdout io.Writer, stop func()) (*traceFile, error) {
	t := &traceFile{counting: counting{w: stdout, failed: stop}}
	t.to = &t.counting
	if name == "" {
		return t, nil
	}
	file, err := wholefile.Create(name)
	if err != nil {
		return nil, usagef("-o: %w", err)
	}
	t.file, t.w = file, file
	switch _, ending := sink.Plain(name); ending {
	case ".gz":
		t.zip = gzip.NewWriter(&t.counting)
	case ".zst":
		t.zip, _ = zstd.NewWriter(&t.counting, zstd.WithEncoderConcurrency(1)) // fails only for invalid options
	default:
		return t, nil
	}
	t.to = t.zip
	return t, nil
}

// close closes the file. The file replaces an older one, unless a write failed.
func (t *traceFile) close() error {
	if t.zip != nil {
		_ = t.zip.Close() // Commit reports every error
	}
	if t.file == nil {
		return t.err
	}
	if err := t.file.Commit(); err != nil {
		return usagef("-o: %w", err)
	}
	return nil
}

// discard drops the file; an older file of the same name stays.
func (t *traceFile) discard() {
	if t.file != nil {
		t.file.Abort()
	}
}

// counting counts the bytes written through it.
type counting struct {
	w      io.Writer
	bytes  int64
	err    error
	failed func() // called at the first error
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.bytes += int64(n)
	if err != nil {
		c.err = err
		c.failed()
	}
	return n, err
}

// peItem matches an item of --pe: [GA,CA], GA.CA, a number or a range of numbers.
var peItem = regexp.MustCompile(`^(?:\[(\d+),(\d+)\]|(\d+)\.(\d+)|(\d+)(?:-(\d+))?)(?:[, ]+|$)`)

// readPEs parses the value of --pe; an empty value means all PEs.
func readPEs(list string, t *run.Target) ([]int, error) {
	chosen := map[int]bool{}
	for rest := strings.TrimSpace(list); rest != ""; {
		m := peItem.FindStringSubmatch(rest)
		if m == nil {
			return nil, usagef("--pe: %q is not a list of PEs: expected [GA,CA], GA.CA, a number or a range of "+
				"numbers, separated by commas", rest)
		}
		item := strings.TrimRight(m[0], ", ")
		rest = rest[len(m[0]):]
		number := func(i int) int {
			n, err := strconv.Atoi(m[i])
			if err != nil {
				return -1 // absent or too large
			}
			return n
		}
		from, to := number(5), number(6)
		if m[6] == "" {
			to = from
		}
		if m[5] == "" {
			g, c := max(number(1), number(3)), max(number(2), number(4))
			if g < 0 || c < 0 || g >= t.Net.Groups || c >= t.Net.Members {
				return nil, usagef("--pe %s: the machine has groups 0..%d with members 0..%d", item, t.Net.Groups-1,
					t.Net.Members-1)
			}
			from = t.Net.Index(packet.PE{GA: uint16(g), CA: uint8(c)})
			to = from
		}
		if from < 0 || to < from || to >= t.Config().PEs {
			return nil, usagef("--pe %s: the machine's PEs have the numbers 0..%d", item, t.Config().PEs-1)
		}
		for i := from; i <= to; i++ {
			chosen[i] = true
		}
	}
	var pes []int
	for i := range t.Config().PEs {
		if len(chosen) == 0 || chosen[i] {
			pes = append(pes, i)
		}
	}
	return pes, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/packet"
	"emsim/trace"
	"emsim/trace/sink"
)

// tracing is one traced run.
type tracing struct {
	*target
	flags    *traceFlags
	window   window
	chosen   []int
	out      *traceFile
	recorder *trace.Recorder
	sink     trace.Sink
	start    uint64
	booted   bool
	stopped  bool
	result   em4.Result
}

// run boots and runs the machine while it is watched.
func (r *tracing) run(ctx context.Context) error {
	if !r.window.fromRelative {
		r.watch()
	}
	if err := r.flags.boot(ctx, r.target); err != nil {
		return err
	}
	r.start, r.booted = r.Clock(), true
	w := &r.window
	if w.fromRelative {
		w.from += r.start
	}
	if w.toRelative {
		w.to += r.start
	}
	if w.to < w.from {
		return usagef("the window ends at clock %d, before it begins at clock %d: the run starts at clock %d", w.to, w.from, r.start)
	}
	r.watch()
	o := em4.RunOptions{MaxClocks: r.flags.maxClocks}
	if w.bounded {
		if w.to < r.start {
			r.stopped = true
			return nil
		}
		if n := w.to - r.start + 1; o.MaxClocks == 0 || n < o.MaxClocks {
			o.MaxClocks, r.stopped = n, true
		}
	}
	var err error
	r.result, err = r.Run(ctx, r.words, o)
	var limit *em4.ClockLimit
	if r.stopped && errors.As(err, &limit) {
		return nil
	}
	r.stopped = false
	if errors.Is(err, context.Canceled) {
		return &interrupted{clock: r.result.Clocks}
	}
	return err
}

// watch makes the machine tell of the window, as far as it is known.
func (r *tracing) watch() {
	if r.recorder == nil {
		r.recorder = trace.NewRecorder(r, r.PEs, r.chosen)
	}
	to := r.window.to
	if r.window.toRelative && !r.booted {
		to = ^uint64(0) // the run has still to start
	}
	r.Watch(r.recorder, r.window.from, to)
}

// Event opens the sink at the first event, when the window is known, and
// passes the event on.
func (r *tracing) Event(e *trace.Event) { r.open().Event(e) }

// Close finishes the file.
func (r *tracing) Close(end uint64) error { return r.open().Close(end) }

func (r *tracing) open() trace.Sink {
	if r.sink == nil {
		info := trace.Info{
			Title: r.title(), PEs: make([]packet.PE, r.PEs), Traced: r.chosen, From: r.window.from,
			Where: r.where, Instr: r.object.Instructions(),
		}
		for i := range info.PEs {
			info.PEs[i] = r.Net.Address(i)
		}
		s, err := sink.New(r.flags.format, r.out, info)
		if err != nil {
			panic(err) // the format has been checked
		}
		r.sink = s
	}
	return r.sink
}

// title says what ran on which machine.
func (r *tracing) title() string {
	words := []string{r.name}
	for _, a := range r.args {
		words = append(words, strconv.FormatInt(a, 10))
	}
	for i := range r.object.Params {
		words = append(words, r.object.Params[i].Name+"="+r.object.Params[i].Chosen())
	}
	return fmt.Sprintf("%s on %s, %d PEs, seed %d", strings.Join(words, " "), r.machine, r.PEs, r.seed)
}

// end returns the first clock that was not traced.
func (r *tracing) end() uint64 {
	end := r.recorder.End()
	if r.stopped {
		end = r.window.to + 1
	}
	return max(end, r.window.from)
}

// close finishes the sink and the file.
func (r *tracing) close() error {
	if r.recorder == nil {
		return r.out.close()
	}
	return errors.Join(r.Close(r.end()), r.out.close())
}

func (r *tracing) answer() *traceAnswer {
	x := &traceAnswer{
		Program: r.name, Args: r.args, Machine: r.machine, PEs: r.PEs, Traced: len(r.chosen), Format: r.flags.format, File: r.flags.output,
		From: r.window.from, StartClock: r.start, Stopped: r.stopped, Bytes: r.out.bytes,
		Result: append([]uint64{}, r.result.Words...), Clocks: r.result.Clocks,
	}
	if r.recorder != nil {
		x.Events = r.recorder.Events()
		x.To = max(r.end(), x.From+1) - 1
	}
	return x
}

func (x *traceAnswer) table(w io.Writer) error {
	ended := "the run ended after " + plural(int(x.Clocks), "clock")
	if x.Stopped {
		ended = "stopped there"
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s of %s, clocks %d..%d (the run starts at %d; %s), %s bytes\n",
		x.File, x.Format, plural(int(x.Events), "event"), plural(x.Traced, "PE"), x.From, x.To, x.StartClock, ended, count(uint64(x.Bytes)))
	return err
}

// where names code addresses: label, or label+offset.
func (r *tracing) where(pc uint32) string {
	name, offset, ok := r.object.SymbolAt(pc)
	switch {
	case !ok:
		return fmt.Sprintf("%#x", pc)
	case offset == 0:
		return name
	}
	return fmt.Sprintf("%s+%d", name, offset)
}

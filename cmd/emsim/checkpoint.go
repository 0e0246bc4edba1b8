package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/checkpoint"
	"emsim/em4"
	"emsim/internal/state"
)

// Bounds of what a checkpoint may hold beside the machine's state.
const (
	maxText   = 1 << 16 // bytes of a name
	maxObject = 1 << 28 // bytes of a program
	maxRuns   = 1 << 31
	maxPEs    = 1 << 21
	minPE     = 512 // bytes that the state of a PE has at least
)

// checkpointFlags save a run in progress and go on with one.
type checkpointFlags struct {
	checkpoint string
	at         uint64
	atGiven    bool
	resume     string
}

func (f *checkpointFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.checkpoint, "checkpoint", "", "write the state of the run to this file: at --at; without --at when Ctrl-C or --max-clocks stops it")
	cmd.Flags().Uint64Var(&f.at, "at", 0, "clock of the run, from its start packet, at which --checkpoint is written; the run goes on")
	cmd.Flags().StringVar(&f.resume, "resume", "", "go on with the run in this checkpoint, which fixes program, machine and seed")
}

// fixed are the flags that a checkpoint stands for.
var fixed = []string{"machine", "pes", "set", "param", "policy", "mlpe", "seed", "runs", "window"}

// checkCheckpoint refuses flags that contradict each other.
func (f *runFlags) checkCheckpoint(cmd *cobra.Command, args []string) error {
	f.atGiven = cmd.Flags().Changed("at")
	switch {
	case f.atGiven && f.checkpoint == "":
		return usagef("--at %d is the clock of --checkpoint: give that a file name too", f.at)
	case cmd.Flags().Changed("checkpoint") && f.checkpoint == "", cmd.Flags().Changed("resume") && f.resume == "":
		return usagef("--checkpoint and --resume want a file name")
	case f.atGiven && f.maxClocks > 0 && f.at > f.maxClocks:
		return usagef("--at %d lies beyond --max-clocks %d: no checkpoint would be written", f.at, f.maxClocks)
	}
	if f.resume == "" {
		return nil
	}
	const why = "--resume goes on with the run in %s, which fixes the program, its arguments and parameters, the machine, the seed, --runs and --window: leave out %s"
	if len(args) > 0 {
		return usagef(why, f.resume, strings.Join(args, " "))
	}
	for _, name := range fixed {
		if cmd.Flags().Changed(name) {
			return usagef(why, f.resume, "--"+name)
		}
	}
	return nil
}

// save writes a checkpoint of the run in progress.
func (s *session) save() error { return checkpoint.Write(s.flags.checkpoint, s.visit) }

// resumed reads a session from a checkpoint.
func (a *app) resumed(cmd *cobra.Command, f *runFlags) (*session, error) {
	if err := f.checkThreads(); err != nil {
		return nil, err
	}
	limit, limited := f.maxClocks, cmd.Flags().Changed("max-clocks")
	s := &session{flags: f, app: a, target: &target{}}
	if err := checkpoint.Read(f.resume, s.visit); err != nil {
		return nil, err
	}
	f.maxClocks = s.run.MaxClocks
	if limited {
		f.maxClocks, s.run.MaxClocks = limit, limit
	}
	switch {
	case f.stats != "" && !s.keep.stats:
		return nil, usagef("--stats: the checkpoint %s was made without --stats and holds no counters by PE: leave it out", f.resume)
	case f.series != "" && !s.keep.series:
		return nil, usagef("--series: the checkpoint %s was made without --series and holds no windows: leave it out", f.resume)
	case f.atGiven && f.at < s.run.Clock():
		return nil, usagef("--at is %d, the run in %s has been at clock %d already", f.at, f.resume, s.run.Clock())
	}
	return s, nil
}

// visit visits the session with its run in progress.
func (s *session) visit(c *state.Codec) {
	s.target.visit(c)
	state.Num(c, &s.flags.runs)
	state.Num(c, &s.flags.window)
	state.Bool(c, &s.keep.stats)
	state.Bool(c, &s.keep.series)
	state.List(c, &s.clocks, maxRuns, func(n *uint64) { state.Num(c, n) })
	s.best.State(c)
	state.List(c, &s.rows, maxRuns, func(r *runRows) { r.State(c) })
	state.List(c, &s.counters, maxPEs, func(p *peCounters) { p.State(c) })
	if c.Loading() {
		if c.Err() != nil {
			return
		}
		s.check(c)
		s.run = s.Resume(s.options())
	}
	s.run.State(c)
	hash, _ := s.Hash(nil)
	saved := hash
	if state.Num(c, &saved); saved != hash && c.Err() == nil {
		c.Fail("the machine's state has the hash %016x, the file says %016x", hash, saved)
	}
}

// check refuses what no session is.
func (s *session) check(c *state.Codec) {
	switch {
	case s.flags.runs < 1 || s.flags.window < 1:
		c.Fail("%d runs, windows of %d clocks", s.flags.runs, s.flags.window)
	case len(s.clocks) >= s.flags.runs:
		c.Fail("%d of %d runs are complete", len(s.clocks), s.flags.runs)
	case (s.keep.stats || s.keep.series) && len(s.rows) != len(s.clocks):
		c.Fail("%d runs are complete, %d have rows", len(s.clocks), len(s.rows))
	}
	all := append([]runRows{{counters: s.counters}}, s.rows...)
	for i, r := range all {
		if n := len(r.counters); n != 0 && n != s.PEs || s.keep.stats && i > 0 && n == 0 {
			c.Fail("counters of %d PEs for a machine of %d", n, s.PEs)
		}
	}
}

// visit visits program, machine and seed; a restore builds the machine.
func (t *target) visit(c *state.Codec) {
	var object []byte
	var config em4.Config
	args := []string{}
	if !c.Loading() {
		object, config = t.object.Marshal(), t.Config
		for _, v := range t.args {
			args = append(args, strconv.FormatInt(v, 10))
		}
	}
	state.Text(c, &t.name, maxText)
	state.Bytes(c, &object, maxObject)
	state.List(c, &args, maxText, func(s *string) { state.Text(c, s, maxText) })
	state.Text(c, &t.machine, maxText)
	configState(c, &config)
	state.Num(c, &t.seed)
	if !c.Loading() || c.Err() != nil {
		return
	}
	var err error
	if t.object, err = asm.Unmarshal(object); err != nil {
		c.Fail("the program: %w", err)
		return
	}
	if config.PEs < 0 || config.PEs > c.Left()/minPE {
		c.Fail("%d bytes are left for the state of %d PEs", c.Left(), config.PEs)
		return
	}
	if err := config.Validate(); err != nil {
		c.Fail("the machine: %w", err)
		return
	}
	if err := t.make(config, args); err != nil {
		c.Fail("%w", err)
	}
}

// configState visits the knobs by their keys, so that a file from a program
// with other knobs is noticed.
func configState(c *state.Codec, config *em4.Config) {
	for _, k := range em4.Knobs() {
		key := k.Key
		if state.Text(c, &key, maxText); key != k.Key && c.Err() == nil {
			c.Fail("the machine has a knob %q where this program has %q", key, k.Key)
		}
		switch p := k.Ref(config).(type) {
		case *int:
			state.Num(c, p)
		case *bool:
			state.Bool(c, p)
		case *string:
			state.Text(c, p, maxText)
		case *float64:
			bits := math.Float64bits(*p)
			state.Num(c, &bits)
			*p = math.Float64frombits(bits)
		}
	}
}

// State visits a complete run, without what it cost on this computer.
func (r *oneRun) State(c *state.Codec) {
	r.Totals.State(c)
	state.List(c, &r.Words, 1<<40, func(w *uint64) { state.Num(c, w) })
	state.Num(c, &r.start)
}

// runRows are what the files of --stats and --series say of a complete run.
type runRows struct {
	counters []peCounters
	series   []em4.Totals
}

// State visits the rows.
func (r *runRows) State(c *state.Codec) {
	state.List(c, &r.counters, maxPEs, func(p *peCounters) { p.State(c) })
	state.List(c, &r.series, 1<<40, func(t *em4.Totals) { t.State(c) })
}

// State visits the counters.
func (p *peCounters) State(c *state.Codec) {
	state.Nums(c, p.Clocks[:])
	for _, n := range []*uint64{
		&p.IbuWaiting, &p.Instructions, &p.Blocks, &p.Calls, &p.Sent, &p.Consumed, &p.MLPESent, &p.MLPECalls, &p.spilled,
	} {
		state.Num(c, n)
	}
	for _, n := range []*int{&p.segments, &p.fifoWords, &p.mibWords} {
		state.Num(c, n)
	}
	for i := range p.links {
		state.Num(c, &p.links[i].packets)
		state.Num(c, &p.links[i].waits)
	}
}

// stopped writes the checkpoint of a run that the user or the clock limit
// stopped, when one is wanted, and says so in the error.
func (s *session) stopped(err error) error {
	var limit *em4.ClockLimit
	var user *interrupted
	if s.flags.checkpoint == "" || s.flags.atGiven || !errors.As(err, &limit) && !errors.As(err, &user) {
		return err
	}
	if e := s.save(); e != nil {
		return fmt.Errorf("%w\n%w", err, e)
	}
	return &saved{err, s.flags.checkpoint}
}

// saved is the end of a run that can go on.
type saved struct {
	error
	file string
}

func (e *saved) Error() string {
	return fmt.Sprintf("%v\nthe run can go on: emsim run --resume %s", e.error, e.file)
}
func (e *saved) Unwrap() error { return e.error }

// Details returns the keys of the error that stopped the run, and the file.
func (e *saved) Details() map[string]any {
	all := map[string]any{}
	var d detailed
	if errors.As(e.error, &d) {
		all = d.Details()
	}
	all["checkpoint"] = e.file
	return all
}

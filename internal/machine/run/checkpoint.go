package run

import (
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/lists"
	"emsim/internal/base/state"
	"emsim/internal/machine/checkpoint"
)

// Bounds of the contents of a checkpoint besides the machine's state.
const (
	maxText   = 1 << 16 // bytes of a name
	maxObject = 1 << 28 // bytes of a program
	maxRuns   = 1 << 31
	maxPEs    = 1 << 21
	minPE     = 512 // least size in bytes of a PE's state
)

// Save writes the session with its run in progress to a file. recipe says how to reproduce the file.
func (s *Batch) Save(file, recipe string) error {
	return checkpoint.Write(file, em4Kind, recipe, s.State)
}

// em4Kind is the kind of machine that runs programs.
const em4Kind = "em4"

// Resume reads a session from a checkpoint. The run that was in progress is Current and can continue.
func Resume(file string) (*Batch, error) {
	s := &Batch{Target: &Target{}}
	if err := checkpoint.Read(file, em4Kind, s.State); err != nil {
		return nil, err
	}
	return s, nil
}

// State visits the session with its run in progress; docs/FORMATS.md lists the fields. When restoring, State also
// builds the machine.
func (s *Batch) State(c *state.Codec) {
	s.Target.visit(c)
	state.Num(c, &s.Runs)
	state.Num(c, &s.Window)
	state.Bool(c, &s.KeepCounters)
	state.Bool(c, &s.KeepSeries)
	state.List(c, &s.Done, maxRuns, func(t *em4.Totals) { t.State(c) })
	s.Best.State(c)
	state.List(c, &s.Rows, maxRuns, func(r *Rows) { r.State(c) })
	state.List(c, &s.Counters, maxPEs, func(p *em4.Counters) { p.State(c) })
	if c.Loading() {
		if c.Err() != nil {
			return
		}
		s.check(c)
		s.Current = s.Machine.Resume(s.options())
	}
	s.Current.State(c)
	s.MaxClocks = s.Current.MaxClocks
	hash, _ := s.Hash(nil)
	saved := hash
	if state.Num(c, &saved); saved != hash && c.Err() == nil {
		c.Fail("the machine's state has the hash %016x, the file says %016x", hash, saved)
	}
}

// check makes a restore fail if the values cannot belong to a session.
func (s *Batch) check(c *state.Codec) {
	switch {
	case s.Runs < 1 || s.Window < 1:
		c.Fail("%d runs, windows of %d clocks", s.Runs, s.Window)
	case len(s.Done) >= s.Runs:
		c.Fail("%d of %d runs are complete", len(s.Done), s.Runs)
	case (s.KeepCounters || s.KeepSeries) && len(s.Rows) != len(s.Done):
		c.Fail("%d runs are complete, %d have rows", len(s.Done), len(s.Rows))
	}
	all := append([]Rows{{Counters: s.Counters}}, s.Rows...)
	for i, r := range all {
		if n := len(r.Counters); n != 0 && n != s.Config().PEs || s.KeepCounters && i > 0 && n == 0 {
			c.Fail("counters of %d PEs for a machine of %d", n, s.Config().PEs)
		}
	}
}

// visit saves or restores the program, its arguments, the machine and the seed. When restoring, it also builds the
// machine.
func (t *Target) visit(c *state.Codec) {
	var object []byte
	var config em4.Config
	args := []string{}
	if !c.Loading() {
		object, config = t.Object.Marshal(), t.Config()
		args = append(args, lists.Of(t.Args, func(v int64) string { return strconv.FormatInt(v, 10) })...)
	}
	state.Text(c, &t.Name, maxText)
	state.Bytes(c, &object, maxObject)
	state.List(c, &args, maxText, func(s *string) { state.Text(c, s, maxText) })
	state.Text(c, &t.MachineName, maxText)
	configState(c, &config)
	state.Num(c, &t.Seed)
	statisticsState(c)
	if !c.Loading() || c.Err() != nil {
		return
	}
	var err error
	if t.Object, err = asm.Unmarshal(object); err != nil {
		c.Fail("the program: %w", err)
		return
	}
	if config.PEs < 0 || config.PEs > c.BytesLeft()/minPE {
		c.Fail("%d bytes are left for the state of %d PEs", c.BytesLeft(), config.PEs)
		return
	}
	if err := config.Validate(); err != nil {
		c.Fail("the machine: %w", err)
		return
	}
	if err := t.buildWithArgs(config, args); err != nil {
		c.Fail("%w", err)
	}
}

// configState visits the knobs with their keys, so that a restore notices a file from an emsim that has other knobs.
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
			state.Float(c, p)
		}
	}
}

// snapshot copies the counters of all PEs and their switches into list.
func snapshot(m *em4.Machine, list []em4.Counters) []em4.Counters {
	list = list[:0]
	for i := range m.Config().PEs {
		list = append(list, m.Counters(i))
	}
	return list
}

// statisticsState visits a hash of the names of all counted statistics. Their counts are in the machine's state, which
// an emsim with other statistics cannot read.
func statisticsState(c *state.Codec) {
	var keys strings.Builder
	for _, s := range em4.Statistics() {
		if s.Kind != em4.Derived { // derived statistics are not in checkpoints
			keys.WriteString(s.Key + " ")
		}
	}
	own := state.Hash([]byte(keys.String()))
	saved := own
	if state.Num(c, &saved); saved != own && c.Err() == nil {
		c.Fail("the machine has other statistics than this program's: resume it with the emsim that wrote it, or run " +
			"the program again")
	}
}

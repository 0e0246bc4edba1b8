package machines

import (
	"fmt"
	"strings"
	"time"

	"emsim/internal/base/state"
	"emsim/internal/machine/checkpoint"
	"emsim/internal/machine/machinefile"
)

// Bounds of the contents of a checkpoint, other than the kind of machine [chosen].
const (
	maxName  = 1 << 12 // bytes of a name
	maxText  = 1 << 27 // bytes of a file
	maxState = 1 << 30 // bytes
)

// A Start says how a machine was built. A checkpoint includes it, so that it needs no other file.
type Start struct {
	Knobs string // the text of a machine file
	Files []File
}

// NewStart returns the start of a machine with its files.
func NewStart(m *machinefile.Machine, files []File) *Start {
	var knobs strings.Builder
	_ = m.Write(&knobs, "") // cannot fail
	return &Start{knobs.String(), files}
}

// Save writes a checkpoint of a run. saved is the state of the run at time at, in the machine's unit. recipe says how
// to reproduce the file.
func (s *Start) Save(file, kind, recipe string, at int64, saved []byte) error {
	m := &state.Snapshots{Resume: saved, From: at}
	return checkpoint.Write(file, kind, recipe, func(c *state.Codec) { s.state(c, m) })
}

// Resume reads a checkpoint of the given kind of machine. The Snapshots hold the state from which a run continues.
func Resume(file, kind string) (*Start, *state.Snapshots, error) {
	s, m := &Start{}, &state.Snapshots{}
	return s, m, checkpoint.Read(file, kind, func(c *state.Codec) { s.state(c, m) })
}

func (s *Start) state(c *state.Codec, m *state.Snapshots) {
	state.Text(c, &s.Knobs, maxText)
	state.List(c, &s.Files, len(s.Files)+8, func(f *File) {
		state.Text(c, &f.Flag, maxName)
		state.Text(c, &f.Name, maxName)
		state.Bytes(c, &f.Text, maxText)
	})
	state.Num(c, &m.From)
	state.Bytes(c, &m.Resume, maxState)
	if m.From < 0 || m.Resume == nil {
		c.Fail("a state of %d bytes at %d", len(m.Resume), m.From)
	}
}

// Give sets m to the saved machine. It calls change, which may change knobs, before it applies the files.
func (s *Start) Give(m *machinefile.Machine, change func()) error {
	if err := m.Read("the machine", []byte(s.Knobs)); err != nil {
		return err
	}
	change()
	return GiveFiles(m, s.Files)
}

// Units converts a time from the unit of the flags, nanoseconds or clocks, to the machine's unit.
func (x *Model) Units(flag int64) int64 {
	if _, ok := x.Sampling.Usual.(time.Duration); ok {
		return flag / (int64(time.Second) / x.Terms.PerUnit)
	}
	return flag
}

// UnitsText formats a time in the machine's unit in the way that flags write it.
func (x *Model) UnitsText(at int64) string {
	if _, ok := x.Sampling.Usual.(time.Duration); ok {
		return time.Duration(at * (int64(time.Second) / x.Terms.PerUnit)).String()
	}
	return fmt.Sprint(at)
}

package engine

import (
	"context"
	"fmt"
	"reflect"

	"emsim/internal/base/simerr"
	"emsim/internal/inspect/diff"
	"emsim/internal/machine/run"
)

// pair holds two runs that are compared.
type pair struct {
	sessions [2]*Session
	from     [2]*run.Batch // second copies of the runs, from their beginnings, advanced as far as they are equal
	parting  Parting
}

// NewPair returns two sessions whose runs can be compared with each other.
func NewPair() [2]*Session {
	p := &pair{sessions: [2]*Session{{}, {}}}
	for _, s := range p.sessions {
		s.pair = p
	}
	return p.sessions
}

// Parting is the place at which two runs diverge.
type Parting struct {
	Clock uint64 `json:"clock"`        // of the run: before it the runs are equal
	PE    int    `json:"pe"`           // the PE at which they diverge; -1 if they do not diverge at a PE
	At    string `json:"at,omitempty"` // the two contents there; "" if the runs are equal so far

	// The first packet that differs soon afterwards: the two contents of its unit, or "", and its place.
	Packet      string `json:"-"`
	PacketClock uint64 `json:"-"`
	PacketPE    int    `json:"-"`
}

// paired returns the session's pair, if both of its runs have a machine.
func (s *Session) paired() (*pair, error) {
	if s.pair == nil || s.pair.sessions[0].d == nil || s.pair.sessions[1].d == nil {
		return nil, simerr.Usagef("there are no two runs to compare")
	}
	return s.pair, nil
}

// Part searches for the first clock at which the pair of runs diverge, up to a clock of the run or to their ends.
func (s *Session) Part(ctx context.Context, to uint64) (*Parting, error) {
	p, err := s.paired()
	if err != nil {
		return nil, err
	}
	if reflect.DeepEqual(p.sessions[0].setup, p.sessions[1].setup) {
		p.parting = Parting{Clock: to, PE: -1} // equal setups give equal runs
		return &p.parting, nil
	}
	x := &p.parting
	if p.from[0] == nil {
		*x = Parting{PE: -1}
		for i, s := range p.sessions {
			var err error
			if p.from[i], err = s.d.Beginning(); err != nil {
				return nil, err
			}
		}
	}
	if x.At != "" || x.Clock >= to {
		return x, nil
	}
	place, packet, err := diff.First(ctx, p.from[0], p.from[1], to)
	switch {
	case err != nil:
		return nil, err
	case place == nil:
		x.Clock = to
		return x, nil
	}
	x.Clock, x.At = place.Clock, contents(place)
	if place.PE != nil {
		x.PE = p.from[0].Net.Index(*place.PE)
	}
	if packet != nil {
		x.Packet, x.PacketClock, x.PacketPE = contents(packet), packet.Clock, p.from[0].Net.Index(*packet.PE)
	}
	return x, nil
}

// contents returns what two runs hold where they differ.
func contents(d *diff.Difference) string {
	text := fmt.Sprintf("%s: A %s; B %s", d.Unit, d.A, d.B)
	if d.PE != nil {
		text = d.PE.String() + " " + text
	}
	return text
}

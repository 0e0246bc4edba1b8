// Package lpgraph models a user's own program for the machines of paper 004: logical
// processes (LPs) with a compute load, and channels with a message rate. Like
// package banyan it does not depend on the machine.
//
//	graph.go   LPs and channels, and how both change over time
//	parse.go   a graph as text
//	process.go one LP: a slot, its random stream, its fingerprint
//	handler.go an LP whose output depends on its input
//
// A message sent in slot t is input of slot t+1, so a graph may have cycles. The
// output of an LP without a Handler does not depend on its input: placement and
// migration depend on load and rates only.
package lpgraph

import (
	"slices"

	"emsim/internal/base/simerr"
)

// A Graph is a program: its LPs, and the channels between them.
type Graph struct {
	LPs      []LP
	Channels []Channel // in order of the senders, and for each sender in the order of its outputs
}

// An LP is a logical process.
type LP struct {
	Name   string
	Clocks []Change // processor time of a slot; empty means the machine's parameter step
	// Start returns the LP's Handler; it is called once in every run. If Start is nil, the LP sends at the rates of
	// its channels. Maps are always chosen by the rates.
	Start func() Handler
}

// A Channel leads from one LP to another.
type Channel struct {
	From, To int      // indices of LPs
	Rate     []Change // messages per slot, in millionths
}

// A Change is a value that holds from slot From on.
type Change struct{ From, Value int64 }

// MaxLPs is the number of nodes of the largest network. The other limits keep all sums within 63 bits.
const (
	MaxLPs      = 1024
	MaxChannels = 1 << 16
	MaxClocks   = 1 << 31
	MaxRate     = 1000 // messages per slot
	million     = 1_000_000
)

// valueAt returns the value that holds in a slot; ok is false before the first change.
func valueAt(list []Change, slot int64) (value int64, ok bool) {
	for _, c := range list {
		if c.From > slot {
			break
		}
		value, ok = c.Value, true
	}
	return value, ok
}

// ClocksOf returns the processor time of an LP's slot; step is the time of an LP without a
// load of its own.
func (g *Graph) ClocksOf(lp int, slot, step int64) int64 {
	if v, ok := valueAt(g.LPs[lp].Clocks, slot); ok {
		return v
	}
	return step
}

// RateOf returns a channel's mean number of messages in a slot, in millionths.
func (g *Graph) RateOf(channel int, slot int64) int64 {
	v, _ := valueAt(g.Channels[channel].Rate, slot)
	return v
}

// Mean returns a graph that does not change: its loads and rates are the means of g over the given number of slots,
// beginning with slot `from`. A map for the whole run is chosen by these means. step is the processor time of an LP
// without a load of its own.
func (g *Graph) Mean(from, slots, step int64) *Graph {
	m := &Graph{LPs: slices.Clone(g.LPs), Channels: slices.Clone(g.Channels)}
	for i := range m.LPs {
		if lp := &m.LPs[i]; len(lp.Clocks) > 0 {
			lp.Clocks = []Change{{Value: meanValue(lp.Clocks, from, slots, step)}}
		}
	}
	for i := range m.Channels {
		m.Channels[i].Rate = []Change{{Value: meanValue(m.Channels[i].Rate, from, slots, 0)}}
	}
	return m
}

// meanValue returns the mean of a value over some slots, rounded. value holds before the first change.
func meanValue(list []Change, from, slots, value int64) int64 {
	sum, at := int64(0), from
	for _, c := range list {
		if c.From >= from+slots {
			break
		}
		if c.From > at {
			sum, at = sum+(c.From-at)*value, c.From
		}
		value = c.Value
	}
	sum += (from + slots - at) * value
	return (sum + slots/2) / slots
}

// Validate returns the first error in the graph.
func (g *Graph) Validate() error {
	if n := len(g.LPs); n < 1 || n > MaxLPs {
		return simerr.Usagef("the graph has %d LPs: expected 1 to %d, as many as the largest network has nodes", n,
			MaxLPs)
	}
	if n := len(g.Channels); n > MaxChannels {
		return simerr.Usagef("the graph has %d channels: expected at most %d", n, MaxChannels)
	}
	for _, lp := range g.LPs {
		if !valid(lp.Clocks, 1, MaxClocks) {
			return simerr.Usagef("LP %s: its clocks must be 1 to %d, from rising slots on", lp.Name, MaxClocks)
		}
	}
	for i, c := range g.Channels {
		switch {
		case c.From < 0 || c.From >= len(g.LPs) || c.To < 0 || c.To >= len(g.LPs) || c.From == c.To:
			return simerr.Usagef("channel %d leads from LP %d to LP %d: expected two different LPs from 0 to %d", i,
				c.From, c.To, len(g.LPs)-1)
		case i > 0 && c.From < g.Channels[i-1].From:
			return simerr.Usagef("channel %d has the sender %d, the one before it %d: expected them by sender", i,
				c.From, g.Channels[i-1].From)
		case !valid(c.Rate, 0, MaxRate*million):
			return simerr.Usagef("the channel from %s to %s: its rate must be 0 to %d messages a slot, from "+
				"rising slots on", g.LPs[c.From].Name, g.LPs[c.To].Name, MaxRate)
		}
	}
	return nil
}

func valid(list []Change, least, most int64) bool {
	for i, c := range list {
		if c.From < 0 || c.Value < least || c.Value > most || i > 0 && c.From <= list[i-1].From {
			return false
		}
	}
	return true
}

package rhinet

import (
	"fmt"
	"math"
	"time"
)

// Bounds that keep every sum of ticks far inside an int64 and every message
// inside an int32.
const (
	maxRows = 1 << 20
	maxCost = 100 * time.Millisecond
	maxTime = time.Hour
	maxLoop = 1_000_000
	maxIdle = 1000 // the competitor's slice in the program's shortest one
	// maxTicks ends a run: one operation more, under the bounds above, still
	// fits an int64.
	maxTicks = 1 << 56
)

// Validate reports the first parameter that is out of range, what it was and
// what is possible.
func (c *Config) Validate() error {
	for _, check := range []func() error{c.checkShape, c.checkHost, c.checkHosts, c.checkSlices, c.checkApplication, c.checkNetwork} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) checkShape() error {
	t := &c.Torus
	if t.Width < 1 || t.Width > maxSide || t.Height < 1 || t.Height > maxSide {
		return usagef("torus of %d x %d switches: expected 1 to %d each way", t.Width, t.Height, maxSide)
	}
	room, of := MaxNodes, "as many as the largest torus"
	if c.Network != Ethernet {
		room, of = hostsPerSwitch*t.Width*t.Height, fmt.Sprintf("a %d x %d torus of switches with four hosts each", t.Width, t.Height)
	}
	switch {
	case c.Nodes < 1 || c.Nodes > room:
		return usagef("%d nodes: the cluster has 1 to %d (%s)", c.Nodes, room, of)
	case int(c.Network) < 0 || int(c.Network) >= len(networkNames):
		return usagef("network %v: choose rhinet2 or ethernet", c.Network)
	case int(c.Algorithm) < 0 || int(c.Algorithm) >= numAlg:
		return usagef("algorithm %v does not exist", c.Algorithm)
	case int(c.Load) < 0 || int(c.Load) >= len(loadNames):
		return usagef("load %v: choose noload, oneload or twoload", c.Load)
	case int(c.Application) < 0 || int(c.Application) >= len(applicationNames):
		return usagef("application %v: choose sor or heat", c.Application)
	case c.Group < 1:
		return usagef("group %d: a group has at least one rank", c.Group)
	case c.Algorithm.Grouped() && c.Nodes%c.Group != 0:
		return usagef("group %d does not divide %d nodes; under %v every group has the same size", c.Group, c.Nodes, c.Algorithm)
	case c.Every < 1:
		return usagef("balancing every %d loops: expected at least 1", c.Every)
	case c.Nodes > c.rows():
		return usagef("%d nodes for %d rows: every rank needs a row", c.Nodes, c.rows())
	}
	return nil
}

func (c *Config) checkHost() error {
	h := &c.Host
	for _, t := range []struct {
		name string
		d    time.Duration
		max  time.Duration
	}{
		{"row cost", h.RowCost, maxCost},
		{"message cost under RHiNET-2", h.RHiNETMessage, time.Second},
		{"message cost under Ethernet", h.EthernetMessage, time.Second},
	} {
		if ticksOf(t.d) < 1 || t.d > t.max {
			return usagef("%s %v: expected %v to %v", t.name, t.d, time.Duration(TickNs), t.max)
		}
	}
	for _, t := range []struct {
		name string
		d    time.Duration
	}{{"decision time", h.Decide}, {"gap", h.Gap}} {
		if t.d < 0 || t.d > time.Second {
			return usagef("%s %v: expected 0 to 1s", t.name, t.d)
		}
	}
	switch {
	case !(h.EthernetCost > 0 && h.EthernetCost <= 8):
		return usagef("Ethernet factor %g: expected more than 0, at most 8", h.EthernetCost)
	case !(h.Spread >= 0 && h.Spread < 1):
		return usagef("speed spread %g: expected at least 0, below 1", h.Spread)
	case h.GapFrom < 1:
		return usagef("gap from %d participants on: expected at least 1", h.GapFrom)
	}
	return nil
}

func (c *Config) checkSlices() error {
	h := &c.Host
	switch {
	case h.LoadedPosition < 0 || h.LoadedPosition >= loadUnit:
		return usagef("loaded position %d: one of eight hosts, 0 to 7", h.LoadedPosition)
	case h.SliceOff < 0 || h.SliceOff > maxTime:
		return usagef("slice of the competing process %v: expected 0 to %v (so that sums of times fit 63 bits)", h.SliceOff, maxTime)
	case h.SliceJitter < 0:
		return usagef("slice jitter %v: expected at least 0", h.SliceJitter)
	case h.SliceOn > maxTime || h.SliceOn-h.SliceJitter < time.Microsecond:
		return usagef("program's slice %v less jitter %v: the shortest slice has to be 1µs to %v", h.SliceOn, h.SliceJitter, maxTime)
	case h.SliceOff > maxIdle*(h.SliceOn-h.SliceJitter):
		return usagef("slice of the competing process %v: at most %d times the program's shortest slice, %v", h.SliceOff, maxIdle, h.SliceOn-h.SliceJitter)
	case h.MoveEvery != 0 && (h.MoveEvery < time.Millisecond || h.MoveEvery > maxTime):
		return usagef("load moves every %v: expected 0 (it stays) or 1ms to %v", h.MoveEvery, maxTime)
	case c.Load == NoLoad && h.MoveEvery != 0:
		return usagef("load moves every %v, but the load pattern is noload; choose oneload or twoload", h.MoveEvery)
	case c.Load != NoLoad && h.MoveEvery == 0 && c.hosts() == nil && !c.anyLoaded():
		return usagef("%v loads host %d of each eight, and %d nodes have none; take more nodes or another position", c.Load, h.LoadedPosition, c.Nodes)
	}
	return nil
}

func (c *Config) anyLoaded() bool {
	for r := range c.Nodes {
		if c.loaded(r, 0) {
			return true
		}
	}
	return false
}

func (c *Config) checkApplication() error {
	s, h := &c.SOR, &c.Heat
	switch {
	case c.rows() < 1 || c.rows() > maxRows:
		return usagef("%d rows: expected 1 to %d (every row is held and solved on this computer)", c.rows(), maxRows)
	case c.WLB.Probe < 1 || c.WLB.Probe > maxRows:
		return usagef("probe of %d rows: expected 1 to %d", c.WLB.Probe, maxRows)
	case !(c.WLB.Slow > 0 && c.WLB.Slow <= 1):
		return usagef("slow share %g: expected more than 0, at most 1", c.WLB.Slow)
	case !(c.WLB.Jerky >= 1) || math.IsInf(c.WLB.Jerky, 0):
		return usagef("jerky factor %g: expected at least 1", c.WLB.Jerky)
	case c.Application == Heat:
		switch {
		case h.Columns < 1 || int64(h.Rows)*int64(h.Columns)*8 > math.MaxInt32:
			return usagef("grid of %d × %d: at least 1 column, and 8 bytes a point have to fit a message of 2 GiB", h.Rows, h.Columns)
		case h.Steps < 1 || h.Steps > maxLoop:
			return usagef("%d steps: expected 1 to %d (so that sums of times fit 63 bits)", h.Steps, maxLoop)
		case !(h.Courant > 0 && h.Courant <= 0.25):
			return usagef("dt/dx² %g: expected more than 0, at most 0.25 (the scheme is unstable beyond)", h.Courant)
		case ticksOf(h.RowCost) < 1 || h.RowCost > maxCost:
			return usagef("row cost %v: expected %v to %v", h.RowCost, time.Duration(TickNs), maxCost)
		}
		return nil
	case !(s.Omega > 0 && s.Omega < 2):
		return usagef("omega %g: over-relaxation converges between 0 and 2 only", s.Omega)
	case !(s.Rho > 0 && s.Rho < 1):
		return usagef("rho %g: expected between 0 and 1", s.Rho)
	case !(s.Dominance > 1) || math.IsInf(s.Dominance, 0):
		return usagef("dominance %g: the diagonal has to exceed the sum of its row (more than 1)", s.Dominance)
	case s.Exchange < 1:
		return usagef("exchange every %d loops: expected at least 1", s.Exchange)
	case !(s.Tolerance > 0) || math.IsInf(s.Tolerance, 0):
		return usagef("tolerance %g: expected a positive number", s.Tolerance)
	case s.MaxLoops < 1 || s.MaxLoops > maxLoop:
		return usagef("at most %d loops: expected 1 to %d", s.MaxLoops, maxLoop)
	}
	return nil
}

func (c *Config) checkNetwork() error {
	t, h := &c.Torus, &c.Hub
	const most = 1_000_000
	for _, p := range []struct {
		name     string
		v, least int64
	}{
		{"torus switch ticks", t.SwitchTicks, 1},
		{"torus link ticks", t.LinkTicks, 1},
		{"torus header flits", t.HeadFlits, 0},
		{"torus MTU", int64(t.MTU), 8},
		{"torus DMA bytes per tick", t.DMABytes, 1},
		{"torus DMA header", t.DMAHeader, 0},
		{"Ethernet frame payload", int64(h.Payload), 1},
		{"Ethernet header bytes", h.Header, 0},
		{"Ethernet shortest payload", h.MinFrame, 0},
		{"Ethernet bytes around a frame", h.FrameBytes, 0},
		{"Ethernet ticks per byte", h.TicksPerByte, 1},
		{"hub ticks", h.HubTicks, 1},
	} {
		if p.v < p.least || p.v > most {
			return usagef("%s %d: expected %d to %d", p.name, p.v, p.least, most)
		}
	}
	return nil
}

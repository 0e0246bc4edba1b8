package rhinet

import (
	"fmt"
	"math"
	"slices"
	"time"

	"emsim/internal/base/knob"
)

// Bounds that keep every sum of ticks far inside an int64, and every message size inside an int32.
const (
	maxRows = 1 << 20
	maxCost = 100 * time.Millisecond
	maxTime = time.Hour
	maxLoop = 1_000_000
	maxIdle = 1000 // upper limit of the competitor's slice divided by the program's shortest slice
	// maxTicks ends a run. One more operation, under the bounds above, still fits into an int64.
	maxTicks = 1 << 56
)

// Validate returns an error for the first parameter that is outside its range in Knobs, or that contradicts another
// one. The error says what is possible.
func (c *Config) Validate() error {
	if err := knob.CheckAll(knob.Bind(Knobs(), c)); err != nil {
		return usagef("%w", err)
	}
	for _, check := range []func() error{c.checkShape, c.checkHosts, c.checkLoaded, c.checkSlices} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) checkShape() error {
	t, h := &c.Torus, &c.Heat
	room, what := hostsPerSwitch*t.Width*t.Height,
		fmt.Sprintf("a %d x %d torus of switches with four hosts each", t.Width, t.Height)
	if t.Switches != nil {
		room, what = len(t.Switches.home), "those that have a switch"
	}
	switch {
	case c.Network == Ethernet && t.Switches != nil:
		return usagef("Ethernet has a hub; leave the switches out, or take the network %s", RHiNET2)
	case c.Network != Ethernet && c.Nodes > room:
		return usagef("%d nodes: the cluster has 1 to %d (%s)", c.Nodes, room, what)
	case c.Policy.Grouped() && c.Nodes%c.Group != 0:
		return usagef("group %d does not divide %d nodes; under %v every group has the same size", c.Group, c.Nodes,
			c.Policy)
	case c.Nodes > c.distributedRows():
		return usagef("%d nodes for %d rows: every rank needs a row", c.Nodes, c.distributedRows())
	case c.distributedRows() > maxRows: // rows of heat: the knob shows the rows of sor
		return usagef("%d rows: expected 1 to %d (every row is held and solved on this computer)", c.distributedRows(),
			maxRows)
	case c.Application == Heat && int64(h.Rows)*int64(h.Columns)*8 > math.MaxInt32:
		return usagef("grid of %d × %d: 8 bytes a point have to fit a message of 2 GiB", h.Rows, h.Columns)
	}
	return nil
}

// checkLoaded checks the hosts that Load lists by number.
func (c *Config) checkLoaded() error {
	hosts, err := c.Load.hosts()
	switch {
	case err != nil:
		return usagef("loaded: expected none, one, two or a list such as 1,3,6, not %q", string(c.Load))
	case hosts != nil && c.Host.MoveEvery != 0:
		return usagef("move_every is %v, but the hosts in the list of loaded stay; choose loaded one or two",
			c.Host.MoveEvery)
	}
	for i, h := range hosts {
		switch {
		case h < 0 || h >= c.Nodes:
			return usagef("loaded: there is no host %d; the cluster has 0 to %d", h, c.Nodes-1)
		case i > 0 && hosts[i-1] == h:
			return usagef("loaded: host %d is listed twice", h)
		}
	}
	return nil
}

func (c *Config) checkSlices() error {
	h, first := &c.Host, c.Host.LoadedPosition // first: position of the first loaded host
	if c.Load == TwoLoad {
		first &^= 1
	}
	shortest := h.SliceOn - h.SliceJitter
	switch {
	case shortest < time.Microsecond:
		return usagef("program's slice %v less jitter %v: the shortest slice has to be 1µs to %v", h.SliceOn,
			h.SliceJitter, maxTime)
	case h.SliceOff > maxIdle*shortest:
		return usagef("slice of the competing process %v: at most %d times the program's shortest slice, %v",
			h.SliceOff, maxIdle, shortest)
	case h.MoveEvery != 0 && h.MoveEvery < time.Millisecond:
		return usagef("load moves every %v: expected 0 (it stays) or 1ms to %v", h.MoveEvery, maxTime)
	case c.Load == NoLoad && h.MoveEvery != 0:
		return usagef("load moves every %v, but no host is loaded; choose loaded one or two", h.MoveEvery)
	case slices.Contains(Loads()[1:], c.Load) && h.MoveEvery == 0 && c.hosts() == nil && first >= c.Nodes:
		return usagef("loaded %s loads host %d of every eight, and %d nodes have no such host; take more nodes or "+
			"another loaded_host",
			c.Load.word(), h.LoadedPosition, c.Nodes)
	}
	return nil
}

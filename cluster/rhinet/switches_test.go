package rhinet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ports 0..3 of a torus lead to the hosts.
const (
	portXPlus = hostsPerSwitch + iota
	portXMinus
	portYPlus
	portYMinus
)

// route returns the output port at switch sw for a packet to host dst, computed from coordinates. The model finds it
// breadth-first.
func (p *TorusParams) route(sw, dst int) int {
	to, w, h := dst/hostsPerSwitch, p.Width, p.Height
	dx := (to%w - sw%w + w) % w
	dy := (to/w - sw/w + h) % h
	switch {
	case 2*dx > w:
		return portXMinus
	case dx > 0:
		return portXPlus
	case 2*dy > h:
		return portYMinus
	case dy > 0:
		return portYPlus
	}
	return dst % hostsPerSwitch
}

// neighbour returns the switch at a port of sw.
func (p *TorusParams) neighbour(sw, port int) int {
	x, y, w, h := sw%p.Width, sw/p.Width, p.Width, p.Height
	switch port {
	case portXPlus:
		x = (x + 1) % w
	case portXMinus:
		x = (x + w - 1) % w
	case portYPlus:
		y = (y + 1) % h
	case portYMinus:
		y = (y + h - 1) % h
	}
	return y*w + x
}

// Paths found breadth-first equal the torus's paths by coordinates, for any size.
func TestTorusWays(t *testing.T) {
	for _, p := range []TorusParams{
		{Width: 4, Height: 4},
		{Width: 1, Height: 1},
		{Width: 2, Height: 1},
		{Width: 5, Height: 2},
		{Width: 3, Height: 6},
		{Width: 7, Height: 4},
	} {
		s := p.switches()
		require.Len(t, s.home, 4*p.Width*p.Height)
		for sw := range s.peers {
			for dst, home := range s.home {
				out := p.route(sw, dst)
				if home == sw {
					require.Equal(t, out, s.port[dst])
					continue
				}
				require.Equal(t, out, s.next[sw][home], "%d to %d of %v", sw, dst, p)
				require.Equal(t, p.neighbour(sw, out), s.peers[sw][out])
			}
		}
	}
}

// Switches of a file with the links of a torus behave like that torus, to the tick. A chain of switches takes longer,
// and the placement of hosts matters.
func TestOwnSwitches(t *testing.T) {
	c := Default()
	c.Nodes, c.SOR.Rows = 12, 240
	run := func(text string) *Result {
		c.Torus.Switches = nil
		if text != "" {
			s, err := ParseSwitches("s", []byte(text))
			require.NoError(t, err)
			c.Torus.Switches = s
		}
		r, err := Run(t.Context(), c)
		require.NoError(t, err)
		return r
	}
	c.Torus.Width, c.Torus.Height = 3, 1
	torus := run("")
	require.Equal(t, torus, run("switch a 0-3\nswitch b 4-7 a\nswitch c 8-11 a b"))
	c.Torus.Width = 16 // differs from the file
	require.Equal(t, torus, run("switch a 0-3\nswitch b 4-7 a\nswitch c 8-11 a b"))
	chain := run("switch a 0-3\nswitch b 4-7 a\nswitch c 8-11 b")
	require.Greater(t, chain.Ranks[0].Finish, torus.Ranks[0].Finish)
	spine := run("switch a 0-3\nswitch b 4-7\nswitch c 8-11\nswitch spine a b c # all two hops apart")
	require.NotEqual(t, chain.Ranks[0].Finish, spine.Ranks[0].Finish)
	require.Equal(t, torus.Ranks[0].Calc, spine.Ranks[0].Calc)
}

func TestSwitchMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "0 hosts have a switch, but host 0 has none",
		"hub a 0-3":                            `s:1:5: expected "switch" and a name of its own`,
		"switch":                               `s:1:1: expected "switch" and a name of its own`,
		"switch a":                             `s:1:8: expected "switch" and a name of its own`,
		"switch a 0\nswitch a 1":               `s:2:8: expected "switch" and a name of its own`,
		"switch a 0 b\nswitch b 1":             `s:1:12: "b" is not a host, or switch of a line above,`,
		"switch a 0 a":                         `s:1:12: "a" is not a host, or switch of a line above,`,
		"switch a 0-3 2":                       "s:1:14: host 2 is at a switch already",
		"switch a 0 2":                         "2 hosts have a switch, but host 1 has none",
		"switch a 0-8":                         "s:1:10: the 8 ports of switch number 1 are in use",
		"switch a 0-7\nswitch b 8 a":           "s:2:12: the 8 ports of switch number 1 are in use",
		"switch a 0\nswitch b 1\nswitch c 2 b": "no path leads from the switch a to b; add a link",
	} {
		_, err := ParseSwitches("s", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
	c := Default()
	s, err := ParseSwitches("s", []byte("switch a 0-7"))
	require.NoError(t, err)
	c.Torus.Switches = s
	require.ErrorContains(t, c.Validate(), "64 nodes: the cluster has 1 to 8 (those that have a switch)")
	c.Nodes = 8
	require.NoError(t, c.Validate())
	c.Network = Ethernet
	require.ErrorContains(t, c.Validate(), "Ethernet has a hub; leave the switches out")
}

// The layers of software have these costs at both ends: the MPI library per message, a copy per byte, the firmware
// per packet. Ethernet has no such firmware.
func TestLayers(t *testing.T) {
	for _, network := range Networks() {
		c := Default()
		c.Nodes, c.SOR.Rows, c.SOR.MaxLoops, c.Network = 2, 64, 500, network
		c.Host.Spread = 0
		comm := func(change func(c *Config)) int64 {
			d := c
			change(&d)
			r, err := Run(t.Context(), d)
			require.NoError(t, err)
			return r.Ranks[0].Finish - r.Ranks[0].Calc
		}
		plain := comm(func(*Config) {})
		more := comm(func(c *Config) { c.Host.RHiNETMessage += 10_000; c.Host.EthernetMessage += 10_000 })
		require.Greater(t, more, plain)
		require.Equal(t, more, comm(func(c *Config) { c.Host.MPIMessage = 10_000 }))
		require.Greater(t, comm(func(c *Config) { c.Host.CopyKiB = 100_000 }), plain)
		firmware := comm(func(c *Config) { c.Torus.FirmwareTicks = 500 })
		require.Equal(t, network == RHiNET2, firmware > plain)
	}
	s := &sim{overhead: 5}
	s.cfg.Host.CopyKiB = 800 // 100 ticks
	require.EqualValues(t, 5+250, s.handling(2560))
}

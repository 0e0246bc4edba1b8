package ibu

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/state"
	"emsim/internal/dev/damage"
	"emsim/internal/dev/golden"
	"emsim/packet"
)

// The scripts test the buffer clock by clock, and record how damaged states are restored. Each line of a script is a
// clock. "in" puts a packet into the intake (urgent: an MLPE packet; later: usable one clock later); "port" gives the
// buffer the memory port; "pop" lets the FMU take the head packet.
func TestClocks(t *testing.T) {
	golden.Script(t, "clocks.txt", func(c golden.Case) string { return scripted(t, c) })
}

func TestDamage(t *testing.T) {
	golden.Script(t, "damage.txt", func(c golden.Case) string { return scripted(t, c) })
}

func scripted(t *testing.T, c golden.Case) string {
	config := Config{FIFOWords: 4, MIBWords: 8}
	for _, a := range c.Args {
		number, _ := strconv.Atoi(a.Value)
		switch a.Key {
		case "fifo_words":
			config.FIFOWords = number
		case "mib_words":
			config.MIBWords = number
		case "burst_refill":
			config.BurstRefill = true
		case "refill_blocks_intake":
			config.RefillBlocksIntake = true
		case "ibu_priority":
			config.Priority = number
		default:
			require.Fail(t, "no such parameter", "%s: %s", c.Place, a.Key)
		}
	}
	require.NoError(t, config.Validate())
	b := newBench(config)
	var out strings.Builder
	fmt.Fprintln(&out, "clock  intake    wants        still takes  did     peaks urgent             FIFO      MIB")
	for _, line := range c.Input {
		fmt.Fprintln(&out, strings.TrimRight(b.line(line), " "))
	}
	if c.Cmd == "clocks" {
		return out.String()
	}
	require.Equal(t, "damage", c.Cmd, c.Place)
	require.NoError(t, b.u.Check(&b.pins, b.clock))
	return b.damage()
}

// line simulates the clock of one line of a script. It returns what the buffer showed at the clock's start, and its
// contents at the end.
func (b *bench) line(line string) string {
	has := func(word string) bool { return strings.Contains(" "+line+" ", " "+word+" ") }
	if has("in") && !b.pins.InFull {
		b.arrived++
		b.pins.In, b.pins.InFull, b.pins.InReady = packet.Packet{Seq: b.arrived}, true, b.clock
		if has("urgent") {
			b.pins.In.Kind = packet.MLPE
		}
		b.pins.InReady += uint64(strings.Count(line, "later"))
	}
	in := "-"
	if b.pins.InFull {
		in = strconv.Itoa(int(b.pins.In.Seq))
		if b.u.IntakeIsUrgent(&b.pins) {
			in += " urgent"
		}
	}
	wants := "-"
	switch u := &b.u; {
	case u.Request(&b.pins, b.clock) == Full:
		wants = "room in MIB"
	case u.Request(&b.pins, b.clock) == Spill:
		wants = "spill"
	case u.Request(&b.pins, b.clock) == Refill:
		wants = "refill"
	}
	row := fmt.Sprintf("%5d  %-9s %-12s %-5v %-6d", b.clock, in, wants, b.u.AtRest(), b.u.CommittedClocks())
	port := has("port") && b.u.Request(&b.pins, b.clock).UsesMemory()
	spilled, words, inside := b.u.Spilled, b.u.MIBWords(), b.pins.InFull
	full := !b.u.Step(&b.pins, b.clock, port, has("pop") && b.u.Head() != nil)
	did := "-"
	switch {
	case full:
		did = "FULL"
	case b.u.TransferName() != "":
		did = b.u.TransferName()
	case b.u.Spilled > spilled:
		did = "spilled"
	case b.u.MIBWords() < words:
		did = "filled"
	case inside && !b.pins.InFull:
		did = "took"
	}
	b.clock++
	return row + fmt.Sprintf(" %-7s %2d %2d %s", did, b.u.FIFOPeak, b.u.MIBPeak, b.contents())
}

// contents returns the packets in the three queues, in the order of Each.
func (b *bench) contents() string {
	var list []string
	b.u.Each(func(p *packet.Packet) { list = append(list, strconv.Itoa(int(p.Seq))) })
	urgent, fifo := b.u.UrgentWords()/2, b.u.FIFOWords()/2
	newest := "-"
	if last := b.u.Last(); last != nil {
		newest = strconv.Itoa(int(last.Seq))
	}
	return fmt.Sprintf("%-18s %-9s %s", strings.Join(list[:urgent], " "), strings.Join(list[urgent:urgent+fifo], " ")+
		"|"+newest, strings.Join(list[urgent+fifo:], " "))
}

// damage returns the results of restoring and checking every change of the state.
func (b *bench) damage() string {
	c := state.Saver(nil)
	b.u.State(c)
	names := damage.Names{}
	names.Add("FIFO packets", "MIB packets", "urgent packets")
	b.u.Each(func(*packet.Packet) { names.Omit(11) })
	names.Add("transfer", "bursting")
	names.Fields(b.u.Counters, map[string]string{"Spilled": "spilled", "MIBPeak": "MIB peak", "FIFOPeak": "FIFO peak"})
	return damage.Table(c.Bytes(), names, nil, func(saved []byte) error {
		var u IBU
		u.Init(b.c)
		l := state.Loader(saved)
		u.State(l)
		if l.Err() == nil && l.BytesLeft() > 0 {
			return fmt.Errorf("%d words are left over", l.BytesLeft()/8)
		}
		if l.Err() != nil {
			return l.Err()
		}
		pins := b.pins
		if err := u.Check(&pins, b.clock); err != nil {
			return err
		}
		for t := b.clock; t < b.clock+40; t++ { // a state that is accepted must do no harm
			u.Step(&pins, t, u.Request(&pins, t).UsesMemory(), u.Head() != nil)
		}
		return nil
	})
}

// The information that the buffer gives the scheduler is true. AtRest: if no packet arrives, nothing happens.
// CommittedClocks: the buffer requests the port for exactly as many clocks. StepTransfer is equivalent to two clocks.
func TestForecasts(t *testing.T) {
	both := 0
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig(t, 40)
		b := newBench(c)
		for range rapid.IntRange(0, 60).Draw(t, "clocks") {
			line := ""
			for _, word := range []string{"in ", "urgent ", "port ", "pop "} {
				if rapid.IntRange(0, 2).Draw(t, word) > 0 {
					line += word
				}
			}
			b.line(line)
		}
		b.clock++ // the packet that has arrived is usable
		alone := b.copyOf(t)
		alone.pins = packet.NewPins()
		if alone.u.transfer != Spill { // a spill needs its packet in the intake
			takes, clocks := alone.u.CommittedClocks(), uint64(0)
			require.Equal(t, alone.u.AtRest(), takes == 0)
			for before := alone.saved(); alone.u.Request(&alone.pins, alone.clock).UsesMemory(); clocks++ {
				alone.line("port")
				require.NotEqual(t, before, alone.saved())
			}
			require.Equal(t, clocks, takes, "clocks for the port")
			if b.u.AtRest() {
				same := alone.saved()
				alone.line("")
				golden.Same(t, same, alone.saved(), "saved state")
			}
		}
		fast, slow := b.copyOf(t), b.copyOf(t)
		urgentCome := c.Priority != 0 && b.pins.InFull
		want := b.u.transfer == None && !urgentCome && b.u.Request(&b.pins, b.clock).UsesMemory()
		require.Equal(t, want, fast.u.StepTransfer(&fast.pins, fast.clock))
		if want {
			both++
			slow.line("port")
			slow.line("port")
		}
		golden.Same(t, slow.saved(), fast.saved(), "saved state")
		golden.Same(t, slow.pins, fast.pins, "pins")
	})
	require.NotZero(t, both)
}

// Whatever the other units do, the intake holds its packet until the clock that the buffer returns. If they leave the
// memory to the buffer, it does not hold the packet longer.
func TestEmptiesIntake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig(t, 40)
		b := newBench(c)
		words := []string{"in ", "urgent ", "later ", "port ", "pop "}
		for range rapid.IntRange(0, 60).Draw(t, "clocks") {
			line := ""
			for _, word := range words {
				if rapid.IntRange(0, 2).Draw(t, word) > 0 {
					line += word
				}
			}
			b.line(line)
		}
		if !b.pins.InFull {
			return
		}
		empties := func(line func() string) uint64 {
			b := b.copyOf(t)
			for range 100 {
				if b.line(line()); !b.pins.InFull {
					break
				}
			}
			return b.clock
		}
		free := b.u.EmptiesIntake(&b.pins, b.clock)
		require.GreaterOrEqual(t, empties(func() string {
			return rapid.SampledFrom([]string{"", "port", "pop", "port pop"}).Draw(t, "others")
		}), free)
		// A FIFO with room for one packet is full after a refill, which would take one clock more.
		if c.Priority == 0 && b.pins.InReady <= b.clock && b.u.mibCount < b.u.mibCap && b.u.fifoCap > 1 {
			patient := empties(func() string { return "port" })
			eager := empties(func() string { return "port pop" })
			require.Equal(t, min(patient, eager), free)
		}
	})
}

// copyOf returns a copy of the bench with the same state.
func (b *bench) copyOf(t require.TestingT) *bench {
	n := newBench(b.c)
	n.clock, n.pins, n.arrived = b.clock, b.pins, b.arrived
	l := state.Loader(b.saved())
	n.u.State(l)
	require.NoError(t, l.Err())
	return n
}

func (b *bench) saved() []byte {
	c := state.Saver(nil)
	b.u.State(c)
	return c.Bytes()
}

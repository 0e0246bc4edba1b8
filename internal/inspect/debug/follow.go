package debug

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/machine/run"
	"emsim/mlpe"
	"emsim/omega"
	"emsim/packet"
	"emsim/trace"
)

// Way is the history of a packet, from when a PE makes it or the host sends it. It ends when the packet's block begins,
// when the packet reaches the host, or when it fills a prefetch register.
type Way struct {
	Packet   Packet    `json:"packet"`
	Stations []Station `json:"stations"`
	Done     bool      `json:"done"` // the packet has reached its end
}

// Station is one event in the history of a packet.
type Station struct {
	Clock uint64 `json:"clock"`
	PE    int    `json:"pe"` // number
	What  string `json:"what"`
	Text  string `json:"text"`
}

// idForm matches the short name of a packet: [1,2].3 or host.1.
var idForm = regexp.MustCompile(`^(host|\[\d+,\d+\])\.\d+$`)

// readID parses the short name of a packet: [1,2].3 or host.1.
func (d *Debugger) readID(word string) (trace.ID, error) {
	from, number, ok := strings.Cut(word, "].")
	from += "]"
	id := trace.ID{}
	if strings.HasPrefix(word, "host.") {
		number, ok = strings.CutPrefix(word, "host.")
		id.Src = packet.Host
	} else if ok {
		pe, err := d.readPE(from)
		if err != nil {
			return id, err
		}
		id.Src = uint32(pe)
	}
	n, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil || n == 0 {
		return id, errorf("%q is not a packet: expected a name as in [1,2].3, the third packet that PE [1,2] "+
			"made, or host.1", word)
	}
	id.Seq = uint32(n)
	return id, nil
}

// Follow returns the history so far of the packet with the given short name, such as [1,2].3.
func (d *Debugger) Follow(ctx context.Context, name string) (*Way, error) {
	id, err := d.readID(name)
	if err != nil {
		return nil, err
	}
	if n := lastMade(d.s, id.Src); n < id.Seq {
		return nil, errorf("there is no packet %s yet: the number of its maker's last packet is %d", name, n)
	}
	s, err := d.beforeMade(id)
	if err != nil {
		return nil, err
	}
	f := &follower{d: *d, id: id, way: Way{Stations: []Station{}}}
	f.d.s = s
	watch := func(pes []int) {
		s.Watch(trace.NewRecorder(trace.Func(f.event), s.Config().PEs, pes), 0, em4.ToEnd)
	}
	watch(trace.All(s.Config().PEs))
	for all := true; s.Clock() < d.clock() && !f.way.Done && !s.Current.Ended(); {
		if err := ctx.Err(); err != nil {
			return nil, interrupt.Of(ctx, "while packet %s was followed", name)
		}
		// An error that ends this run has ended the debugger's run too.
		_ = s.Current.Advance(ctx, s.Current.Clock()+1)
		if f.waits && all {
			all = false
			watch([]int{f.pe}) // all later events of the packet are in this PE
		}
	}
	return &f.way, nil
}

// lastMade returns the number of the last packet that a PE or the host has made.
func lastMade(s *run.Batch, src uint32) uint32 {
	if src == packet.Host {
		return uint32(s.HostSent())
	}
	return s.PE(int(src)).PacketsMade()
}

// beforeMade returns a session at a clock before the packet was made, as late as the snapshots allow.
func (d *Debugger) beforeMade(id trace.ID) (*run.Batch, error) {
	shots := d.hist.shots
	for len(shots) > 1 && shots[len(shots)-1].clock > d.clock() {
		shots = shots[:len(shots)-1]
	}
	var failed error
	i, _ := slices.BinarySearchFunc(shots, id.Seq, func(x shot, seq uint32) int {
		s, err := x.forkSession(d.s)
		switch {
		case err != nil:
			failed = err
			return 1
		case lastMade(s, id.Src) < seq:
			return -1
		}
		return 1
	})
	switch {
	case failed != nil:
		return nil, failed
	case i == 0:
		return nil, errorf("packet %s was made before clock %d, the first one here", d.PacketName(id), d.hist.first())
	}
	return shots[i-1].forkSession(d.s)
}

// follower collects the stations of a packet while a second machine runs.
type follower struct {
	d     Debugger // a copy of the debugger for the second machine; it also formats names
	id    trace.ID
	way   Way
	waits bool   // the packet is an operand that waits in memory
	pe    int    // the PE in which it waits
	addr  uint32 // the address at which it waits
}

func (f *follower) event(e *trace.Event) {
	own := trace.IDOf(&e.Packet) == f.id
	partner := f.waits && !own && int(e.PE) == f.pe && e.Packet.Addr == f.addr && !e.Packet.Direct
	text := ""
	switch {
	case f.way.Done || !own && !partner:
		return
	case partner && e.Kind == trace.Matched:
		text = "its partner arrives, packet " + f.d.packet(&e.Packet)
	case own || partner && (e.Kind == trace.Fired || e.Kind == trace.Begun):
		text = f.d.station(e)
	}
	if text == "" {
		return
	}
	if f.way.Packet.ID == "" || own {
		f.way.Packet = f.d.packetOf(&e.Packet)
	}
	f.way.Stations = append(f.way.Stations, Station{e.Clock, int(e.PE), e.Kind.String(), text})
	switch e.Kind {
	case trace.Stored:
		f.waits, f.pe, f.addr = true, int(e.PE), e.Packet.Addr
	case trace.Begun, trace.Left, trace.Filled:
		f.way.Done = true
	}
}

// slotWaits maps the status of a packet in a switch to the reason why it waits.
var slotWaits = map[trace.Status]string{
	trace.WaitBank:   "the bank at the end of the link is not free",
	trace.WaitIntake: "the intake of the input buffer is not free",
	trace.WaitOutput: "another packet holds the output",
	trace.WaitInput:  "another packet holds the input",
	trace.WaitTurn:   "another packet goes first",
}

// station describes what an event does to its packet, or returns "".
func (d *Debugger) station(e *trace.Event) string {
	at := d.address(int(e.PE))
	switch e.Kind {
	case trace.Made:
		return fmt.Sprintf("made by %v, at %s", at, d.codeText(e.PC))
	case trace.Entered:
		return "the host puts it on the port of [0,0]"
	case trace.Left:
		return fmt.Sprintf("leaves the machine: the host gets %d", e.Value)
	case trace.Moved:
		if int(e.Out) == omega.Own {
			return fmt.Sprintf("arrives at %v", at)
		}
		return fmt.Sprintf("leaves %v by the %s link to %v", at, omega.PortName(int(e.Out)),
			d.s.Net.Next(at, int(e.Out)))
	case trace.Rewritten:
		was, _ := mlpe.FromPayload(d.peAt(0).Format(), e.Packet.Data)
		load, _ := mlpe.FromPayload(d.peAt(0).Format(), e.Value)
		return fmt.Sprintf("finds load %d at %v, not above the least so far (%d), and takes it over", load, at, was)
	case trace.Queued:
		return fmt.Sprintf("enters the FIFO of %v", at)
	case trace.Spilled:
		return fmt.Sprintf("is spilled: written to the MIB of %v", at)
	case trace.Refilled:
		return fmt.Sprintf("is read back from the MIB of %v into its FIFO", at)
	case trace.Filled:
		return fmt.Sprintf("fills the prefetch register of %v", at)
	case trace.Taken:
		return fmt.Sprintf("the FMU of %v takes it", at)
	case trace.Stored:
		return fmt.Sprintf("finds no partner: the operand waits in the memory of %v", at)
	case trace.Matched:
		return fmt.Sprintf("finds its partner %s, which had waited", d.PacketName(e.Partner))
	case trace.Fired:
		return fmt.Sprintf("the node %s has all its operands", d.label(e.PC))
	case trace.Begun:
		return fmt.Sprintf("the EXU of %v begins the block %s", at, d.label(e.PC))
	case trace.Changed:
		if why := slotWaits[e.Status]; why != "" {
			return fmt.Sprintf("waits in the switch of %v: %s", at, why)
		}
	}
	return ""
}

// follow runs the command follow.
func (d *Debugger) follow(x call) error {
	if len(x.words) != 1 {
		return errorf("follow needs the name of a packet, such as [1,2].3: 'queues' and 'links' show names")
	}
	w, err := d.Follow(x.ctx, x.words[0])
	if err != nil {
		return err
	}
	d.printf("packet %v\n", w.Packet)
	for _, s := range w.Stations {
		d.printf("  clock %-6d %s\n", s.Clock, s.Text)
	}
	if !w.Done {
		d.printf("  no further yet: the machine is at clock %d\n", d.clock())
	}
	return nil
}

// readPacketID parses a stop for every event of one packet.
func (d *Debugger) readPacketID(s *stop, words []string) error {
	id, err := d.readID(words[0])
	if err != nil {
		return err
	}
	s.packet = true
	s.event = func(d *Debugger, e *trace.Event) string {
		if trace.IDOf(&e.Packet) != id {
			return ""
		}
		if text := d.station(e); text != "" {
			return fmt.Sprintf("packet %s %s", words[0], text)
		}
		return ""
	}
	return atMost(words, 1)
}

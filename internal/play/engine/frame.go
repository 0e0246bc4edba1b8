package engine

import (
	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/mlpe"
	"emsim/omega"
	"emsim/packet"
	"emsim/trace"
)

// Network holds the constant data for a picture of the machine.
type Network struct {
	Groups    int      `json:"groups"`
	Members   int      `json:"members"`
	Next      [][2]int `json:"next"` // by PE: the PEs at its in-group and its out-of-group link
	HopClocks int      `json:"hop_clocks"`
	FIFOWords int      `json:"fifo_words"`
	MIBWords  int      `json:"mib_words"`
	Start     uint64   `json:"start"` // clock of the machine at which the run began
}

func (s *Session) network() *Network {
	b := s.batch()
	t := b.Net.Topology
	n := &Network{
		Groups: t.Groups, Members: t.Members, Next: make([][2]int, t.N),
		HopClocks: b.Config().HopClocks, FIFOWords: b.Config().FIFOWords, MIBWords: b.Config().MIBWords, Start: s.start,
	}
	for i := range n.Next {
		for _, port := range []int{omega.InGroup, omega.OutGroup} {
			n.Next[i][port] = t.Index(t.Next(t.Address(i), port))
		}
	}
	return n
}

// Frame is the state of the machine between two clocks.
type Frame struct {
	Clock    uint64 `json:"clock"`            // of the run
	Furthest uint64 `json:"furthest"`         // the furthest clock reached so far
	Length   uint64 `json:"length,omitempty"` // clocks up to the last word to the host, once known
	Ended    bool   `json:"ended"`
	Failure  string `json:"failure,omitempty"` // why the run failed
	Failed   string `json:"failed,omitempty"`  // the kind of this error
	Chosen   int    `json:"chosen"`            // the console's PE

	State    string   `json:"state"` // a letter for each PE, see State
	Load     []int    `json:"load"`
	FIFO     []int    `json:"fifo"` // words
	MIB      []int    `json:"mib"`  // words
	Operands []int    `json:"operands"`
	Segments []int    `json:"segments"`
	Calls    []uint64 `json:"calls"`
	Spilled  []uint64 `json:"spilled"` // packets since the run began

	Packets  []Moving `json:"packets"`
	Circle   []int    `json:"circle,omitempty"` // of a deadlock: the PEs whose switches wait for each other
	Answer   string   `json:"answer"`           // the host's words, as Go prints them: the first mostWords
	AllWords int      `json:"all_words"`        // the number of these words
	Result   *Result  `json:"result,omitempty"` // once the run has ended
}

// Result holds the sums of a run that has ended.
type Result struct {
	Clocks       uint64                   `json:"clocks"`
	TimeMS       float64                  `json:"time_ms"`
	States       [emcr.Activities]float64 `json:"states"` // shares of all PE-clocks, by activity
	Utilisation  float64                  `json:"pe_utilisation"`
	Instructions uint64                   `json:"instructions"`
	Calls        uint64                   `json:"calls"`
	Packets      uint64                   `json:"packets"`
	Spilled      uint64                   `json:"spilled"`
}

// Moving is a packet in a switch, or on its way there.
type Moving struct {
	ID   string `json:"id"`
	PE   int    `json:"pe"`             // the PE whose switch holds the packet, or to which it is on its way
	In   int    `json:"in"`             // input: in-group 0, out-of-group 1, EXU 2, or 3 from switch to PE
	Out  int    `json:"out"`            // its next output: 0, 1, or 2 to the PE itself
	Left uint64 `json:"left,omitempty"` // clocks until it arrives
	Wait bool   `json:"wait,omitempty"` // it has arrived and is blocked
	Kind string `json:"kind"`           // data, mlpe or host
	To   int    `json:"to"`             // the destination PE
	Load int    `json:"load"`           // of an MLPE packet: the least load so far
	Best int    `json:"best"`           // the number of the PE with this load
}

// mostWords is the largest number of words in Frame.Answer.
const mostWords = 64

// Frame returns the current state of the machine, or nil if there is none.
func (s *Session) Frame() *Frame {
	if s.d == nil {
		return nil
	}
	b := s.batch()
	n := b.Config().PEs
	s.furthest = max(s.furthest, s.clock())
	f := &Frame{
		Clock: s.clock(), Furthest: s.furthest, Ended: b.Current.Ended(), Chosen: s.d.Chosen(),
		Load: make([]int, n), FIFO: make([]int, n), MIB: make([]int, n), Operands: make([]int, n),
		Segments: make([]int, n),
		Calls:    make([]uint64, n), Spilled: make([]uint64, n), Packets: []Moving{},
	}
	state := make([]byte, n)
	for i := range n {
		p := b.PE(i)
		state[i] = byte(s.d.Shown(i))
		f.Load[i], f.FIFO[i], f.MIB[i] = int(p.Pins().LoadQ), p.IBU().FIFOWords(), p.IBU().MIBWords()
		f.Operands[i], f.Segments[i] = p.CountWaitingOperands(), p.SegmentsInUse()
		f.Calls[i], f.Spilled[i] = p.Calls, p.IBU().Spilled
		s.packets(f, i, p)
	}
	f.State = string(state)
	host := b.Net.HostWords()
	f.AllWords = len(host)
	f.Answer = b.ResultText(lists.Of(host, func(w omega.HostWord) uint64 { return w.Data }), mostWords)
	if f.Ended {
		s.ended(f)
	}
	f.Length = s.length
	return f
}

// packets adds the packets in the switch of a PE, and the packet in its intake.
func (s *Session) packets(f *Frame, i int, p *emcr.PE) {
	b := s.batch()
	now := b.Clock()
	slots := b.Net.Slots(i, now)
	for k := range slots {
		x := &slots[k]
		m := s.moving(&x.Packet, i)
		m.In, m.Out, m.Wait = x.Input, x.Output, x.Stuck()
		if x.Ready > now {
			m.Left = x.Ready - now
		}
		f.Packets = append(f.Packets, m)
	}
	if pins := p.Pins(); pins.InFull {
		m := s.moving(&pins.In, i)
		m.In, m.Out = intake, omega.Own
		if pins.InReady > now {
			m.Left = pins.InReady - now
		}
		f.Packets = append(f.Packets, m)
	}
}

// intake is the value of Moving.In for a packet that has left the switch for the PE.
const intake = omega.Own + 1

func (s *Session) moving(p *packet.Packet, at int) Moving {
	b := s.batch()
	m := Moving{ID: s.d.PacketName(trace.IDOf(p)), PE: at, Kind: "data", To: b.Net.Index(p.Dest), Best: -1}
	switch {
	case p.ToHost:
		m.Kind = "host"
	case p.Kind.Search():
		load, best := mlpe.FromPayload(b.PE(0).Format(), p.Data)
		m.Kind, m.Load, m.Best = "mlpe", int(load), b.Net.Index(best)
	}
	return m
}

// ended adds the end of the run.
func (s *Session) ended(f *Frame) {
	b := s.batch()
	if err := s.d.Failed(); err != nil {
		f.Failure, f.Failed = s.inNumbers(s.inRun(err.Error())), simerr.Kind(err)
		for _, x := range b.Net.WaitCycle(b.Clock()) {
			f.Circle = append(f.Circle, x.Unit)
		}
	}
	t := b.Current.Result().Totals
	if f.Failure == "" {
		s.length = t.Clocks
	}
	f.Result = &Result{
		Clocks: t.Clocks, TimeMS: float64(t.Clocks) * b.Config().ClockNS / 1e6, Utilisation: t.Utilisation(),
		Instructions: t.Instructions, Calls: t.Calls, Packets: t.Sent, Spilled: t.Spilled,
	}
	for i := range f.Result.States {
		f.Result.States[i] = t.Share(emcr.Activity(i))
	}
}

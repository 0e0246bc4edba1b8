package engine

import (
	"context"
	"strings"

	"emsim/emcr"
	"emsim/internal/base/simerr"
	"emsim/internal/inspect/debug"
)

// Inside shows the inside of one PE. The page gets it as HTML, with the other fields that it needs.
type Inside struct {
	PE           string          `json:"pe"` // [group,member]
	Number       int             `json:"number"`
	Clock        uint64          `json:"-"`   // the machine's own clock, which includes the clocks before the run
	State        string          `json:"-"`   // its letter in Frame.State
	Why          string          `json:"why"` // its activity or the reason why it waits, in words
	Units        []debug.Unit    `json:"-"`
	Load         int             `json:"-"`
	Code         Code            `json:"code"`
	Locals       []debug.Word    `json:"locals"` // variables of a program in Go
	Registers    []debug.Word    `json:"-"`
	Left         bool            `json:"-"` // the registers are left over from the last block
	Specials     []debug.Word    `json:"-"`
	FIFOWords    int             `json:"-"`
	MIBWords     int             `json:"-"`
	Queues       debug.Queues    `json:"-"`
	Cut          int             `json:"-"` // number of packets in the MIB that are not listed
	Slots        []debug.Slot    `json:"-"`
	Segments     []debug.Segment `json:"-"`
	MoreSegments bool            `json:"-"`
	InUse        int             `json:"-"` // operand segments in use
	Operands     int             `json:"-"`
	Counts       Counts          `json:"-"`

	Last string `json:"last,omitempty"` // the packet that was spilled last
	HTML string `json:"html"`
}

// Code is the current instruction of a PE.
type Code struct {
	When  string `json:"when"` // now, next or last
	Label string `json:"label"`
	Text  string `json:"text"` // the instruction
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
}

// Counts holds a PE's counters since the run began.
type Counts struct {
	Instructions uint64                  `json:"instructions"`
	Calls        uint64                  `json:"calls"`
	Sent         uint64                  `json:"sent"`
	Spilled      uint64                  `json:"spilled"`
	States       [emcr.Activities]uint64 `json:"states"`
}

// The largest lengths of lists in an Inside.
const (
	mostSegments = 32
	mostPackets  = 64
)

// Inside returns the inside of a PE, and makes it the PE for commands that name none.
func (s *Session) Inside(pe int) (*Inside, error) {
	if err := s.checkPE(pe); err != nil {
		return nil, err
	}
	s.d.Choose(pe)
	p := s.batch().PE(pe)
	x := &Inside{
		PE: p.Address().String(), Number: pe, Clock: s.batch().Clock(), State: string(rune(s.d.Shown(pe))),
		Units: s.d.Units(pe), Load: int(p.Pins().LoadQ), Code: s.currentCode(p),
		Locals: s.d.Locals(pe), Registers: s.d.Registers(pe), Left: !p.EXU().Busy, Specials: s.d.Specials(pe),
		FIFOWords: p.IBU().FIFOWords(), MIBWords: p.IBU().MIBWords(), Queues: s.d.Queues(pe), Slots: s.d.Slots(pe),
		InUse: p.SegmentsInUse(), Operands: p.CountWaitingOperands(),
		Counts: Counts{p.Instructions, p.Calls, p.Sent, p.IBU().Spilled, p.Clocks},
	}
	if n := len(x.Queues.MIB); n > 0 {
		x.Last = x.Queues.MIB[n-1].ID
	}
	if n := len(x.Queues.MIB); n > mostPackets {
		x.Queues.MIB, x.Cut = x.Queues.MIB[:mostPackets], n-mostPackets
	}
	x.Segments, x.MoreSegments = s.d.Segments(pe, mostSegments)
	if coming := x.Queues.Coming; coming != nil {
		clock := *coming - s.start
		x.Queues.Coming = &clock
	}
	for i := range x.Units {
		x.Units[i].Does, x.Units[i].Waits = s.inRun(x.Units[i].Does), s.inRun(x.Units[i].Waits)
	}
	for i := range x.Slots {
		x.Slots[i].Why = s.inRun(x.Slots[i].Why)
	}
	x.Why = s.inNumbers(s.inRun(whyWaiting(x.Units, p)))
	x.HTML = s.pane(x)
	return x, nil
}

func (s *Session) checkPE(pe int) error {
	switch {
	case s.d == nil:
		return simerr.Usagef("no program is assembled")
	case pe < 0 || pe >= s.batch().Config().PEs:
		return simerr.Usagef("there is no PE %d: the machine has 0 to %d", pe, s.batch().Config().PEs-1)
	}
	return nil
}

// whyWaiting describes what each unit of a PE waits for. If none waits, or the EXU is idle, the text begins with what
// the EXU does. After a fault it is only the fault.
func whyWaiting(units []debug.Unit, p *emcr.PE) string {
	if f := p.Fault(); f != nil {
		return "It has a fault: " + f.Error()
	}
	var list []string
	for _, u := range units {
		if u.Waits != "" {
			list = append(list, "The "+u.Name+" waits for "+u.Waits+".")
		}
	}
	if exu := units[0].Does; len(list) == 0 || strings.HasPrefix(exu, "idle") {
		if code, ok := strings.CutPrefix(exu, "next "); ok {
			exu = "is at " + code
		}
		list = append([]string{"The EXU " + strings.Replace(exu, "idle", "is idle", 1) + "."}, list...)
	}
	return strings.Join(list, " ")
}

// currentInstruction returns the instruction that the EXU executes (now). If the EXU is idle, it returns the FMU's node
// (next) or the last instruction (last).
func currentInstruction(p *emcr.PE) (when string, pc uint32) {
	x, f := p.EXU(), p.FMU()
	switch {
	case x.Busy:
		return "now", x.PC
	case f.Step == emcr.FMUReady:
		return "next", f.PC
	case p.Instructions == 0:
		return "", 0
	}
	return "last", x.Last
}

// currentCode returns the current instruction of a PE.
func (s *Session) currentCode(p *emcr.PE) Code {
	when, pc := currentInstruction(p)
	if when == "" {
		return Code{}
	}
	c := Code{When: when, Label: s.batch().Object.CodeName(pc), Text: s.d.Instruction(pc)}
	if file, line, ok := s.batch().Object.LineAt(pc); ok {
		c.File, c.Line = strings.TrimPrefix(file, libraryFolder), line
	}
	return c
}

// Blocks holds the strongly connected blocks of the run so far.
type Blocks struct {
	List   []debug.Block `json:"list"`
	Opened string        `json:"opened,omitempty"` // label of the current block of the opened PE
	When   string        `json:"when,omitempty"`   // as in Code
}

// Blocks returns all blocks so far, and the current block of a PE.
func (s *Session) Blocks(ctx context.Context, pe int) (*Blocks, error) {
	if err := s.checkPE(pe); err != nil {
		return nil, err
	}
	list, last, err := s.d.Blocks(s.guard(ctx))
	if err != nil {
		return nil, err
	}
	x := &Blocks{List: list}
	switch when, pc := currentInstruction(s.batch().PE(pe)); {
	case when == "next":
		x.When, x.Opened = when, s.batch().Object.CodeName(pc)
	case last[pe] >= 0:
		x.When, x.Opened = when, list[last[pe]].Label
	}
	return x, nil
}

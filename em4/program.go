package em4

import (
	"fmt"
	"math/bits"

	"emsim/emcr"
	"emsim/isa"
	"emsim/omega"
	"emsim/packet"
)

// Program is what the loader writes into every PE's memory, with the addresses where execution begins. Package programs
// makes it from an object file.
type Program struct {
	Words     uint32     // memory words that the program needs from address 0 on, not counting the table PerPE
	Code      []Cell     // instruction words
	Data      []Cell     // data words that are not 0, in two's complement of 64 bits
	PerPE     *uint32    // address of a table with one word per PE, at least Words; or nil
	Templates []Template // template segments
	Init      *uint32    // code address of the init block, or nil
	Args      []uint32   // code address to which the packet of each argument goes; the last one is the start packet
	Results   int        // words to the host that complete the answer; 0: Size says it
	Size      *uint32    // address on PE [0,0] of two words whose product is this number; or nil: silence ends a run

	// Name returns the symbol at an address, for error messages; it may be nil.
	Name func(addr uint32) string
}

// Cell is one word of a program.
type Cell struct {
	Addr uint32
	Word uint64
}

// Template is the information about a template segment that the loader needs.
type Template struct {
	Name  string
	Reach uint32 // highest displacement that the program addresses in its operand segments
}

// Misfit is the error of a program that does not fit the machine.
type Misfit struct{ text string }

// Error says what does not fit, and what to do.
func (e *Misfit) Error() string { return e.text }

func misfit(format string, args ...any) error {
	return &Usage{Err: &Misfit{fmt.Sprintf(format, args...)}}
}

// checkFit returns an error if the program does not fit the machine.
func (p *Program) checkFit(c Config, cfg *emcr.Config) error {
	const advice = "raise memory_words, or lower segments, structure_words or mib_words"
	free := cfg.StructureBase
	if p.Words > free {
		return misfit("the program needs %d words of memory, %d are free for it: %s", p.Words, free, advice)
	}
	if p.PerPE != nil {
		if *p.PerPE < p.Words {
			return misfit("the program's table of one word per PE begins at address %d, within its %d other words",
				*p.PerPE, p.Words)
		}
		if left := max(0, int(free)-int(*p.PerPE)); c.PEs > left {
			mend := "choose a policy without one (ring, line)"
			if int(*p.PerPE)+c.PEs < 1<<packet.AddrBits {
				mend += "; or " + advice
			}
			return misfit("the program keeps a table of one word per PE (%d words); %d words are free for it: %s",
				c.PEs, left, mend)
		}
	}
	return p.fitTemplates(c)
}

// fitTemplates rejects a template that addresses words beyond its operand segments: the next segment belongs to another
// function instance.
func (p *Program) fitTemplates(c Config) error {
	for _, t := range p.Templates {
		if int(t.Reach) < c.SegmentWords {
			continue
		}
		need := 1 << bits.Len32(t.Reach)
		mend := "raise it"
		if need > maxSegmentWords {
			mend = fmt.Sprintf("it can be %d at most, so make two templates of it", maxSegmentWords)
		}
		return misfit("template %s has a node or an operand word at displacement %d: operand segments need %d words, "+
			"segment_words is %d; %s",
			t.Name, t.Reach, need, c.SegmentWords, mend)
	}
	return nil
}

// dataWord returns a data word truncated to the machine's width. It returns an error if the word is neither a signed
// nor an unsigned number of that width.
func (p *Program) dataWord(d Cell, w isa.Width) (uint64, error) {
	v := w.Trunc(d.Word)
	if v == d.Word || uint64(w.Signed(d.Word)) == d.Word {
		return v, nil
	}
	at := ""
	if p.Name != nil {
		at = " (" + p.Name(d.Addr) + ")"
	}
	return 0, misfit("the data word %#x at address %d%s does not fit the machine's words of %d bits: it must be "+
		"-2^%d..2^%d-1; machines with %d PEs or more have words of 64 bits",
		d.Word, d.Addr, at, w, w-1, w, firstWide())
}

// firstWide returns the number of PEs of the smallest machine with 64-bit words.
func firstWide() int {
	for k := 1; ; k++ {
		if packet.FormatFor(k).DataBits == 64 {
			return (k + 1) << k
		}
	}
}

// peOfRelation returns a function that finds the PE to which a relation points from PE i.
func peOfRelation(topo omega.Topology) func(i int, r isa.Relation) packet.PE {
	var line, at []int // PEs along the line, and the index of each PE in it
	after := func(from, steps, of int) int { return ((from+steps)%of + of) % of }
	return func(i int, r isa.Relation) packet.PE {
		p := topo.Address(i)
		switch r.Order {
		case isa.OrderIn:
			return topo.Ring(p, omega.InGroup)[after(0, r.Steps, topo.Members)]
		case isa.OrderOut:
			return topo.Ring(p, omega.OutGroup)[after(0, r.Steps, topo.Members)]
		case isa.OrderLine:
			if line == nil {
				line = topo.Line()
				at = make([]int, topo.N)
				for n, pe := range line {
					at[pe] = n
				}
			}
			return topo.Address(line[after(at[i], r.Steps, topo.N)])
		case isa.OrderNumber:
			return topo.Address(after(i, r.Steps, topo.N))
		}
		n := after(0, r.Steps, topo.N) // OrderAll
		return packet.PE{
			GA: uint16(after(int(p.GA), n/topo.Members, topo.Groups)),
			CA: uint8(after(int(p.CA), n%topo.Members, topo.Members)),
		}
	}
}

// image returns the initial content of every PE's memory. The table PerPE is 0, and so is all memory after the image.
func (p *Program) image(w isa.Width) (*emcr.Image, error) {
	image := emcr.NewImage(p.Words)
	for _, d := range p.Data {
		v, err := p.dataWord(d, w)
		if err != nil {
			return nil, err
		}
		image.SetData(d.Addr, v)
	}
	for _, d := range p.Code {
		if err := image.SetCode(d.Addr, d.Word, w); err != nil {
			return nil, err
		}
	}
	image.MeasureDistances()
	return image, nil
}

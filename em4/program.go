package em4

import (
	"fmt"
	"math/bits"

	"emsim/emcr"
	"emsim/isa"
	"emsim/packet"
)

// Program is what the loader writes into every PE's memory, and where it
// begins. Package programs makes it from an object file.
type Program struct {
	Words     uint32  // memory words that it needs, from address 0, without the table PerPE
	Code      []Cell  // instruction words
	Data      []Cell  // data words that are not 0, in two's complement of 64 bits
	PerPE     *uint32 // where a table with one word per PE begins, or nil; at or behind Words
	Templates []Template
	Init      *uint32
	Args      []uint32 // entry of each argument's packet, in order; the last one's is the start packet

	// Name says what is at an address, for error messages; it may be nil.
	Name func(addr uint32) string
}

// Cell is one word of a program.
type Cell struct {
	Addr uint32
	Word uint64
}

// Template is what the loader has to know of a template segment.
type Template struct {
	Name  string
	Reach uint32 // highest displacement that the program addresses in its operand segments
}

// Misfit is a program that a machine cannot hold.
type Misfit struct{ text string }

// Error says what does not fit, and what to do.
func (e *Misfit) Error() string { return e.text }

func misfit(format string, args ...any) error {
	return &Usage{Err: &Misfit{fmt.Sprintf(format, args...)}}
}

// fit checks that the machine can hold the program.
func (p *Program) fit(c Config, cfg *emcr.Config) error {
	const room = "raise memory_words, or lower segments, structure_words or mib_words"
	free := cfg.StructureBase
	if p.Words > free {
		return misfit("the program needs %d words of memory, %d are free for it: %s", p.Words, free, room)
	}
	if p.PerPE != nil {
		if *p.PerPE < p.Words {
			return misfit("the program's table of one word per PE begins at address %d, inside of its %d other words", *p.PerPE, p.Words)
		}
		if left := max(0, int(free)-int(*p.PerPE)); c.PEs > left {
			mend := "choose a policy without one (ring, line)"
			if int(*p.PerPE)+c.PEs < 1<<packet.AddrBits {
				mend += "; or " + room
			}
			return misfit("the program keeps a table of one word per PE (%d words); %d words are free for it: %s", c.PEs, left, mend)
		}
	}
	return p.fitTemplates(c)
}

// fitTemplates checks that operands stay inside of their segment: what lies
// behind it is another function's.
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
		return misfit("template %s has a node or an operand word at displacement %d: operand segments need %d words, segment_words is %d; %s",
			t.Name, t.Reach, need, c.SegmentWords, mend)
	}
	return nil
}

// word cuts a data word to the machine's width. It has to be a number of that
// many bits, with or without sign.
func (p *Program) word(d Cell, w isa.Width) (uint64, error) {
	v := w.Trunc(d.Word)
	if v == d.Word || uint64(w.Signed(d.Word)) == d.Word {
		return v, nil
	}
	at := ""
	if p.Name != nil {
		at = " (" + p.Name(d.Addr) + ")"
	}
	return 0, misfit("the data word %#x at address %d%s does not fit the machine's words of %d bits: it must be -2^%d..2^%d-1; machines with %d PEs or more have words of 64 bits",
		d.Word, d.Addr, at, w, w-1, w, firstWide())
}

// firstWide is the size of the smallest machine with 64-bit words.
func firstWide() int {
	for k := 1; ; k++ {
		if packet.FormatFor(k).DataBits == 64 {
			return (k + 1) << k
		}
	}
}

// image makes what every PE's memory holds at the start. The table PerPE is 0
// like all memory behind the image.
func (p *Program) image(w isa.Width) (*emcr.Image, error) {
	image := emcr.NewImage(p.Words)
	for _, d := range p.Data {
		v, err := p.word(d, w)
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

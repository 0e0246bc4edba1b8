package mnc

import (
	"cmp"
	"math"
	"slices"

	"emsim/internal/base/lines"
	"emsim/internal/base/lists"
)

// Source is the Work.PE of data that come from the host through a source board.
const Source = -1

// Work is a group of equal data X that are born at the same clock, at the source or in a PE [000 §5: every X holds
// its own loop count].
type Work struct {
	Clock int64 // clock of birth
	PE    int   // PE in whose local memory the data are born, or Source
	Loops int   // iterations of f() for each datum
	Count int   // number of data
}

// SetWork gives the machine these data instead of Items equal ones. Data are numbered from 0 in order of their
// clocks; data of the same clock keep the order of the list.
func (c *Config) SetWork(list []Work) {
	c.Work = slices.Clone(list)
	slices.SortStableFunc(c.Work, func(a, b Work) int { return cmp.Compare(a.Clock, b.Clock) })
	c.Items, c.Loops = 0, 0
	for _, w := range c.Work {
		c.Items += w.Count
		c.Loops = max(c.Loops, w.Loops)
	}
}

// allWork returns all data: the list of SetWork, or else Items equal data at the source.
func (c *Config) allWork() []Work {
	if c.Work != nil {
		return c.Work
	}
	return []Work{{PE: Source, Loops: c.Loops, Count: c.Items}}
}

// MeanLoops returns the mean loop count over all data.
func (c *Config) MeanLoops() float64 {
	sum := lists.Sum(c.allWork(), func(w Work) float64 { return float64(float64(w.Loops) * float64(w.Count)) })
	return sum / math.Max(1, float64(c.Items))
}

func (c *Config) validateWork() error {
	items := int64(0)
	for i, w := range c.Work {
		switch {
		case w.Clock < 0 || w.Clock > maxSpan:
			return usagef("work %d is at clock %d: expected 0 to %d", i, w.Clock, int64(maxSpan))
		case w.PE < Source || w.PE >= c.Wiring.PEs:
			return usagef("work %d is at PE %d: expected 0 to %d, or the source", i, w.PE, c.Wiring.PEs-1)
		case w.Loops < 0 || w.Loops > c.Loops:
			return usagef("work %d has %d loops: expected 0 to Loops, %d", i, w.Loops, c.Loops)
		case w.Count < 1 || w.Count > maxItems:
			return usagef("work %d has %d data: expected 1 to %d", i, w.Count, maxItems)
		case i > 0 && w.Clock < c.Work[i-1].Clock:
			return usagef("work %d is at clock %d, before the one above it: SetWork sorts", i, w.Clock)
		}
		items += int64(w.Count)
	}
	if c.Work != nil && items != int64(c.Items) {
		return usagef("the work has %d data, Items is %d: SetWork sets both", items, c.Items)
	}
	return nil
}

// mostWork is the largest number of lines in a file, so that the data fit into the memory of a PC.
const mostWork = 1 << 20

// ParseWork parses data from text, with a line for each group of equal data:
//
//	# clock  place   loops  data
//	0        source  100    5000
//	20000    3       1000   25     at clock 20000 25 data of 1000 loops are born in PE 3
//	20000    source  400           one datum
//
// Lines may be in any order; # begins a comment. PEs are numbered from 0 to
// pes-1. The file's name is for errors, which are of type srcerr.Errors inside a
// *Usage and show line, column and place.
func ParseWork(file string, text []byte, pes int) ([]Work, error) {
	p := workParser{File: lines.New(file, text), pes: pes}
	p.Each(p.statement)
	if len(p.list) == 0 && p.Errors() == 0 {
		p.Wholef(`no data; expected lines such as "0 source 100 5000": clock, place of birth, loops, number of data`)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return p.list, nil
}

type workParser struct {
	*lines.File
	pes   int
	list  []Work
	items int64
}

// statement parses a line.
func (p *workParser) statement(words []lines.Word) {
	if !p.Between(words,
		3,
		4,
		`clock, place of birth, loops and, if there is more than one, the number of data, as in "0 source 100 5000"`) {
		return
	}
	before := p.Errors()
	w := Work{Clock: p.Whole(words[0], "a clock", 0, maxSpan), PE: Source, Count: 1}
	if words[1].Text != "source" {
		w.PE = int(p.Whole(words[1], "the word source or a PE", 0, int64(p.pes)-1))
	}
	w.Loops = int(p.Whole(words[2], "a number of loops", 0, maxLoops))
	last := words[len(words)-1]
	if len(words) == 4 {
		w.Count = int(p.Whole(last, "a number of data", 1, maxItems))
	}
	if p.Errors() > before {
		return
	}
	p.items += int64(w.Count)
	switch {
	case p.items > maxItems:
		p.Errorf(last, "these are %d data so far; expected at most %d, because a datum's number is a signed "+
			"32-bit number", p.items,
			maxItems)
	case len(p.list) == mostWork:
		p.Errorf(words[0], "more than %d lines of data; give equal data one line, with their number", mostWork)
	default:
		p.list = append(p.list, w)
	}
}

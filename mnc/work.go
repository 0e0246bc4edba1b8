package mnc

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"emsim/internal/srcerr"
)

// Source is the Work.PE of data that come through the source board.
const Source = -1

// Work is data that are born together: X of so many loops each, at a clock,
// from the host or in a PE [000 §5: every X holds its own loop count].
type Work struct {
	Clock int64 // of their birth
	PE    int   // in whose local memory, or Source
	Loops int   // iterations of f() of each
	Count int   // how many
}

// SetWork gives the machine these data instead of equal ones. Data are numbered
// from 0 in order of their clocks, those of one clock in the order of the list.
func (c *Config) SetWork(list []Work) {
	c.Work = slices.Clone(list)
	slices.SortStableFunc(c.Work, func(a, b Work) int { return cmp.Compare(a.Clock, b.Clock) })
	c.Items, c.Loops = 0, 0
	for _, w := range c.Work {
		c.Items += w.Count
		c.Loops = max(c.Loops, w.Loops)
	}
}

// work is all data: those of SetWork, or equal ones that wait at the source.
func (c *Config) work() []Work {
	if c.Work != nil {
		return c.Work
	}
	return []Work{{PE: Source, Loops: c.Loops, Count: c.Items}}
}

// MeanLoops is the mean loop count of the data.
func (c *Config) MeanLoops() float64 {
	sum := 0.0
	for _, w := range c.work() {
		sum += float64(w.Loops) * float64(w.Count)
	}
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

// mostWork bounds the lines of a file, so that they fit the memory of a PC.
const mostWork = 1 << 20

// ParseWork reads data from text, a line for each group of equal ones:
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
	p := workParser{file: file, text: text, pes: pes}
	for at := 0; at < len(text) && len(p.errs) < srcerr.Most; {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		p.statement(at, line)
		at += len(line) + 1
	}
	if len(p.list) == 0 && len(p.errs) == 0 {
		p.errs = append(p.errs, srcerr.Error{File: file, Message: `no data; expected lines such as "0 source 100 5000": clock, place of birth, loops, number of data`})
	}
	if len(p.errs) > 0 {
		return nil, &Usage{Err: p.errs.First()}
	}
	return p.list, nil
}

type workParser struct {
	file  string
	text  []byte
	pes   int
	list  []Work
	items int64
	errs  srcerr.Errors
}

// word is a part of a line and its offset in the text.
type word struct {
	text string
	at   int
}

func (p *workParser) errorf(w word, format string, args ...any) {
	p.errs = append(p.errs, srcerr.At(p.file, p.text, w.at, max(1, len(w.text)), fmt.Sprintf(format, args...)))
}

// statement reads a line that begins at an offset.
func (p *workParser) statement(at int, line []byte) {
	line, _, _ = bytes.Cut(line, []byte("#"))
	var words []word
	for i := 0; i < len(line); {
		n := bytes.IndexAny(line[i:], " \t\r")
		if n < 0 {
			n = len(line) - i
		}
		if n > 0 {
			words = append(words, word{string(line[i : i+n]), at + i})
		}
		i += n + 1
	}
	if len(words) == 0 {
		return
	}
	if len(words) < 3 {
		p.errorf(words[len(words)-1], "the line ends here; expected clock, place of birth, loops and, if there is more than one, the number of data, as in \"0 source 100 5000\"")
		return
	}
	if len(words) > 4 {
		p.errorf(words[4], "expected the end of the line after the number of data")
		return
	}
	before := len(p.errs)
	w := Work{Clock: p.number(words[0], "a clock", 0, maxSpan), PE: Source, Count: 1}
	if words[1].text != "source" {
		w.PE = int(p.number(words[1], "the word source or a PE", 0, int64(p.pes)-1))
	}
	w.Loops = int(p.number(words[2], "a number of loops", 0, maxLoops))
	last := words[2]
	if len(words) == 4 {
		last = words[3]
		w.Count = int(p.number(last, "a number of data", 1, maxItems))
	}
	if len(p.errs) > before {
		return
	}
	p.items += int64(w.Count)
	switch {
	case p.items > maxItems:
		p.errorf(last, "these are %d data so far; expected at most %d, because a datum's number has 31 bits", p.items, maxItems)
	case len(p.list) == mostWork:
		p.errorf(words[0], "more than %d lines of data; give equal data one line, with their number", mostWork)
	default:
		p.list = append(p.list, w)
	}
}

func (p *workParser) number(w word, what string, least, most int64) int64 {
	v, err := strconv.ParseInt(w.text, 10, 64)
	if err != nil || v < least || v > most {
		p.errorf(w, "%q is not %s from %d to %d", w.text, what, least, most)
	}
	return v
}

package asm

import (
	"fmt"

	"emsim/internal/base/gotype"
	"emsim/isa"
)

// Validate checks the rules that every object obeys. Unmarshal and Assemble
// return only valid objects; Disassemble expects one.
func (o *Object) Validate() error {
	for _, check := range []func() error{
		o.validSections, o.validSymbols, o.validParams, o.validLines, o.validEntries,
		o.validPerPE, o.validResult,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (o *Object) validSections() error {
	end, kind := uint32(0), sectionKinds
	for i := range o.Sections {
		s := &o.Sections[i]
		switch {
		case s.Kind >= sectionKinds:
			return fmt.Errorf("section %d has the unknown kind %d", i, s.Kind)
		case s.Size == 0:
			return fmt.Errorf("section %d is empty", i)
		case s.Start > MemoryWords || s.Size > MemoryWords-s.Start:
			return fmt.Errorf("section %d (%d words at address %d) is not within the %d words of the memory", i, s.Size,
				s.Start, MemoryWords)
		case s.Start < end:
			return fmt.Errorf("section %d begins at address %d, before the end of the one before it at %d", i, s.Start,
				end)
		case s.Start == end && s.Kind == kind:
			return fmt.Errorf("sections %d and %d are both %s and touch: they should be one", i-1, i, kind)
		case s.Kind == Space && len(s.Words) != 0, s.Kind != Space && len(s.Words) != int(s.Size):
			return fmt.Errorf("section %d holds %d words, its size is %d", i, len(s.Words), s.Size)
		}
		if s.Kind == Code {
			for j, w := range s.Words {
				if w>>isa.WordBits != 0 {
					return fmt.Errorf("the code word %#x at address %d is wider than %d bits", w, s.Start+uint32(j),
						isa.WordBits)
				}
			}
		}
		end, kind = s.End(), s.Kind
	}
	return nil
}

// names collects names. It rejects invalid names, duplicates, and more names than a program can have.
type names struct {
	seen map[string]bool
	text int // bytes of all names
}

func (n *names) declare(name string) error {
	switch {
	case !validName(name):
		return fmt.Errorf("%.100q is not a valid symbol name", name)
	case n.seen[name]:
		return fmt.Errorf("two symbols are called %q", name)
	case len(n.seen) == maxNames || n.text+len(name) > maxText:
		return fmt.Errorf("it has more than %d names, or they are longer than %d characters", maxNames, maxText)
	}
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	n.seen[name] = true
	n.text += len(name)
	return nil
}

func (o *Object) validSymbols() error {
	var seen names
	for i := range o.Params {
		p := &o.Params[i]
		if n := len(p.Values); n > maxNames || n*len(p.Name) > maxText { // checked before the names are built
			return fmt.Errorf("the parameter %.100q has %d values, whose names are too long", p.Name, n)
		}
		for _, c := range p.Constants() {
			if err := seen.declare(c.Name); err != nil {
				return err
			}
		}
	}
	var templates []Symbol
	for i, s := range o.Symbols {
		if err := seen.declare(s.Name); err != nil {
			return err
		}
		switch {
		case s.Kind >= symbolKinds:
			return fmt.Errorf("the symbol %q has the unknown kind %d", s.Name, s.Kind)
		case i > 0 && compareSymbols(o.Symbols[i-1], s) >= 0:
			return fmt.Errorf("the symbol %q is out of order", s.Name)
		case s.Kind != Constant && (s.Value < 0 || s.Value > MemoryWords):
			return fmt.Errorf("the address %d of the symbol %q is not 0..%d", s.Value, s.Name, MemoryWords)
		case (s.Kind == Template) != (s.Size > 0):
			return fmt.Errorf("the %s %q has the size %d", s.Kind, s.Name, s.Size)
		case s.Reach >= MemoryWords, s.Kind != Template && s.Reach > 0:
			return fmt.Errorf("the %s %q has the reach %d", s.Kind, s.Name, s.Reach)
		}
		if s.Kind == Template {
			if n := len(templates); n > 0 && s.Value < templates[n-1].Value+int64(templates[n-1].Size) {
				return fmt.Errorf("the templates %q and %q overlap", templates[n-1].Name, s.Name)
			}
			if err := o.validTemplate(s); err != nil {
				return err
			}
			templates = append(templates, s)
		}
	}
	for _, s := range o.Addresses() {
		if s.Kind != Template && (s.Kind == Node) != insideTemplate(templates, s.Value) {
			return fmt.Errorf("the symbol %q at address %d is not a %s: nodes are inside templates, labels are not",
				s.Name, s.Value, s.Kind)
		}
	}
	return nil
}

// validTemplate checks that a template lies in the memory, and begins with a data word that is 0.
func (o *Object) validTemplate(s Symbol) error {
	if int64(s.Size) > MemoryWords-s.Value {
		return fmt.Errorf("the template %q (%d words at address %d) is not within the memory", s.Name, s.Size, s.Value)
	}
	if x := o.SectionAt(uint32(s.Value)); x == nil || x.Kind != Data || x.Words[uint32(s.Value)-x.Start] != 0 {
		return fmt.Errorf("the template %q does not begin with a data word 0", s.Name)
	}
	return nil
}

func (o *Object) validParams() error {
	for i := range o.Params {
		p := &o.Params[i]
		if p.Value < p.Min || p.Value > p.Max {
			return fmt.Errorf("the value %d of the parameter %q is not within %d..%d", p.Value, p.Name, p.Min, p.Max)
		}
		if len(p.Values) > 0 && (p.Min != 0 || p.Max != int64(len(p.Values))-1) {
			return fmt.Errorf("the parameter %q has %d values and the range %d..%d", p.Name, len(p.Values), p.Min,
				p.Max)
		}
		for _, v := range p.Values {
			if !validValue(v) && !validFile(v) {
				return fmt.Errorf("%.100q is not a valid parameter value", v)
			}
		}
	}
	return nil
}

func (o *Object) validLines() error {
	end := uint32(0)
	for i, l := range o.Lines {
		switch {
		case int(l.File) >= len(o.Files):
			return fmt.Errorf("entry %d of the line map names file %d of %d", i, l.File, len(o.Files))
		case l.Words == 0 || l.Addr < end || l.Addr > MemoryWords || l.Words > MemoryWords-l.Addr:
			return fmt.Errorf("entry %d of the line map (%d words at address %d) is out of place", i, l.Words, l.Addr)
		}
		end = l.Addr + l.Words
	}
	return nil
}

func (o *Object) validEntries() error {
	var seen names
	for _, x := range o.Args {
		if err := seen.declare(x.Name); err != nil {
			return fmt.Errorf("among the arguments: %w", err)
		}
		if x.Min > x.Max {
			return fmt.Errorf("the range %d..%d of the argument %q is empty", x.Min, x.Max, x.Name)
		}
		if x.Entry >= MemoryWords {
			return fmt.Errorf("the entry %d of the argument %q is not within the memory", x.Entry, x.Name)
		}
	}
	for _, p := range []*uint32{o.Init, o.Start} {
		if p != nil && *p >= MemoryWords {
			return fmt.Errorf("the entry %d is not within the memory", *p)
		}
	}
	if len(o.Args) > 0 && o.Start != nil {
		return fmt.Errorf("it has both arguments and a start entry")
	}
	return nil
}

// validPerPE checks that nothing overlaps the table or comes after it, because only the loader knows its end.
func (o *Object) validPerPE() error {
	if o.PerPE == nil {
		return nil
	}
	if *o.PerPE >= MemoryWords {
		return fmt.Errorf("the table of one word per PE at %d is not within the memory", *o.PerPE)
	}
	if n := len(o.Sections); n > 0 && o.Sections[n-1].End() > *o.PerPE {
		return fmt.Errorf("the table of one word per PE begins at %d, before the end of the last section at %d",
			*o.PerPE, o.Sections[n-1].End())
	}
	if syms := o.Addresses(); len(syms) > 0 {
		if s := syms[len(syms)-1]; s.Value > int64(*o.PerPE) {
			return fmt.Errorf("the address %d of the symbol %q comes after the start of the table of one "+
				"word per PE at %d", s.Value, s.Name, *o.PerPE)
		}
	}
	return nil
}

// validResult checks that the result's type is valid and in its canonical form.
func (o *Object) validResult() error {
	usual, err := gotype.Check(o.Result)
	switch {
	case err != nil:
		return fmt.Errorf("the result's type %.100q is wrong: %w", o.Result, err)
	case usual != o.Result:
		return fmt.Errorf("the result's type is spelt %.100q, not %.100q", o.Result, usual)
	}
	return nil
}

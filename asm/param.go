package asm

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/gotype"
	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/internal/base/suggest"
)

// entryDecl is the block of an .init or .start, and the directive's place.
type entryDecl struct {
	at    token
	value uint32
	known bool
}

func (d *entryDecl) address() *uint32 {
	if d == nil || !d.known {
		return nil
	}
	return &d.value
}

// resultDecl is the type in a .result, and the directive's place.
type resultDecl struct {
	at   token
	kind string
}

// param handles .param NAME, first, second, ... and .param NAME = default,
// min, max.
func (p *parser) param() {
	name, ok := p.takeName("the parameter's name")
	if !ok {
		return
	}
	var x Param
	switch {
	case p.accept("="):
		x, ok = p.intParam(name.text)
	case p.expect(","):
		x, ok = p.enumParam(name.text)
	default:
		ok = false
	}
	a := p.a
	a.chosen[name.text] = true
	if !ok {
		return
	}
	if given, set := a.opt.Params[name.text]; set {
		if a.valueFiles[name.text] != "" {
			given = path.Base(a.valueFiles[name.text])
		}
		a.paramErr = cmp.Or(a.paramErr, x.setValue(given))
	}
	for _, c := range x.Constants() {
		a.define(&symbol{name: c.Name, kind: Constant, param: true, at: name, value: c.Value})
	}
	if !p.stmt.bad {
		a.params = append(a.params, x)
	}
}

func (p *parser) intParam(name string) (Param, bool) {
	x := Param{Name: name}
	at := p.peek()
	for i, v := range []*int64{&x.Value, &x.Min, &x.Max} {
		if i > 0 && !p.expect(",") {
			return x, false
		}
		var ok bool
		if *v, ok = p.valueNow(".param"); !ok {
			return x, false
		}
	}
	if !p.expectEnd() {
		return x, false
	}
	if x.Value < x.Min || x.Value > x.Max {
		p.fail(at, "the default %d is outside of %d..%d", x.Value, x.Min, x.Max)
		return x, false
	}
	return x, true
}

func (p *parser) enumParam(name string) (Param, bool) {
	x := Param{Name: name}
	star := false
	names := map[string]string{}
	for _, q := range p.split() {
		at := q.peek()
		if source(q.toks) == anyFile {
			p.valueFile(&x)
			continue
		}
		if q.accept("*") {
			if star {
				p.fail(at, "two values are marked as the default")
				return x, false
			}
			star = true
			x.Value = int64(len(x.Values))
			at = q.peek()
		}
		v := source(q.toks[min(q.i, len(q.toks)):])
		if !validValue(v) {
			p.fail(at, "expected a value such as ring or round-robin, found %s", at.describe())
			return x, false
		}
		if old, twice := names[constantName(v)]; twice {
			p.fail(at, "the values %q and %q give the same constant %s.%s", old, v, name, constantName(v))
			return x, false
		}
		names[constantName(v)] = v
		x.Values = append(x.Values, v)
	}
	if len(x.Values) == 0 {
		p.fail(p.peek(), "the parameter %q needs at least one value", name)
		return x, false
	}
	x.Max = int64(len(x.Values)) - 1
	return x, true
}

// anyFile is the value that stands for a user's own file, in a parameter whose values name files.
const anyFile = `"*.s"`

// valueFile adds the file that the run has chosen to a parameter's values, if the run has chosen one.
func (p *parser) valueFile(x *Param) {
	file := path.Clean(filepath.ToSlash(p.a.opt.Params[x.Name]))
	if value := path.Base(file); validFile(value) && !slices.Contains(x.Values, value) {
		x.Values = append(x.Values, value)
		p.a.valueFiles[x.Name] = file
	}
}

// setValue sets a parameter to a value in the form that the command line uses.
func (p *Param) setValue(given string) error {
	if len(p.Values) > 0 {
		if i := slices.Index(p.Values, given); i >= 0 {
			p.Value = int64(i)
			return nil
		}
		return simerr.Usagef("the parameter %s cannot be %q: expected %s%s", p.Name, given, listed(p.Values),
			suggest.DidYouMean(given, p.Values))
	}
	v, err := strconv.ParseInt(given, 0, 64)
	if err != nil || v < p.Min || v > p.Max {
		return simerr.Usagef("the parameter %s cannot be %q: expected an integer %d..%d", p.Name, given, p.Min, p.Max)
	}
	p.Value = v
	return nil
}

// unknownParam returns the error in the run's choice of parameters, or nil.
func (a *assembler) unknownParam() error {
	if a.paramErr != nil {
		return a.paramErr
	}
	for _, name := range slices.Sorted(maps.Keys(a.opt.Params)) {
		if !a.chosen[name] {
			return noParam(name, a.params)
		}
	}
	return nil
}

// noParam returns an error that says that a program has no such parameter, and lists its parameters.
func noParam(name string, params []Param) error {
	known := lists.Of(params, func(p Param) string { return p.Name })
	list := "it has none"
	if len(known) > 0 {
		list = "it has " + listed(known)
	}
	return simerr.Usagef("the program has no parameter %q (%s)%s", name, list, suggest.DidYouMean(name, known))
}

// maxListed is the largest number of names that a message lists.
const maxListed = 50

// listed returns a list of names for a message.
func listed(names []string) string {
	if n := len(names) - maxListed; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), n)
	}
	return strings.Join(names, ", ")
}

// arg handles .arg NAME, MIN, MAX, entry.
func (p *parser) arg() {
	name, ok := p.takeName("the argument's name")
	if !ok || !p.expect(",") {
		return
	}
	a := p.a
	if old, twice := a.argNames[name.text]; twice {
		p.fail(name, "the argument %q is already declared at %s", name.text, lazy(old.position))
		return
	}
	if len(a.args) == maxNames {
		p.fail(name, "the program has more than %d arguments", maxNames)
		a.stop = true
		return
	}
	a.argNames[name.text] = name
	at := p.peek()
	lo := p.expression(1)
	p.expect(",")
	hi := p.expression(1)
	p.expect(",")
	entryAt := p.peek()
	entry := p.expression(1)
	p.expectEnd()
	d := &Arg{Name: name.text}
	a.args = append(a.args, d)
	p.stmt.emit = func(s *stmt) {
		d.Min, _ = a.eval(lo, s.scope())
		d.Max, _ = a.eval(hi, s.scope())
		if !s.bad && d.Min > d.Max {
			a.errorf(at, "the range %d..%d is empty", d.Min, d.Max)
		}
		d.Entry, _ = a.address(entry, entryAt, s)
		if a.start != nil {
			a.errorf(s.head, "the program has both .arg and, at %s, .start: the packet of the last argument starts it",
				lazy(a.start.at.position))
		}
	}
}

// entry handles .init and .start.
func (p *parser) entry(to **entryDecl) {
	a, head := p.a, p.stmt.head
	at := p.peek()
	x := p.expression(1)
	p.expectEnd()
	if *to != nil {
		p.fail(head, "a second %s: the first one is at %s", head.text, lazy((*to).at.position))
		return
	}
	d := &entryDecl{at: head}
	*to = d
	p.stmt.emit = func(s *stmt) { d.value, d.known = a.address(x, at, s) }
}

// result handles .result TYPE, ...
func (p *parser) result() {
	a, at := p.a, p.peek()
	kind, err := gotype.Check(source(p.toks[p.i:]))
	p.i = len(p.toks)
	switch {
	case at.kind == tokEnd:
		p.fail(at, "expected a type, such as int32, float32 or []bool, found %s", at.describe())
	case err != nil:
		p.fail(at, "that is not a type of result: %v", err)
	case a.result != nil:
		p.fail(p.stmt.head, "a second .result: the first one is at %s", lazy(a.result.at.position))
	default:
		a.result = &resultDecl{p.stmt.head, kind}
	}
}

// address evaluates the address of a system block.
func (a *assembler) address(x *expr, at token, s *stmt) (uint32, bool) {
	v, ok := a.eval(x, s.scope())
	if !ok {
		return 0, false
	}
	if v < 0 || v >= MemoryWords {
		a.errorf(at, "%d is out of range: an address is 0..%d", v, MemoryWords-1)
		return 0, false
	}
	a.entries = append(a.entries, entryRef{at, s, uint32(v), false})
	return uint32(v), true
}

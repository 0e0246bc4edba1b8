package debug

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"emsim/internal/base/escape"
	"emsim/internal/base/srcerr"
	"emsim/internal/base/suggest"
	"emsim/isa"
)

// operator is an operator between two values; operators of a higher level bind more
// tightly, as in Go.
type operator struct {
	sign  string
	level int
	do    func(a, b int64) int64
}

// The levels.
const (
	levelOr = iota + 1
	levelAnd
	levelCompare
	levelSum
	levelProduct
)

var operators = []operator{
	{"||", levelOr, func(a, b int64) int64 { return truth(a != 0 || b != 0) }},
	{"or", levelOr, func(a, b int64) int64 { return truth(a != 0 || b != 0) }},
	{"&&", levelAnd, func(a, b int64) int64 { return truth(a != 0 && b != 0) }},
	{"and", levelAnd, func(a, b int64) int64 { return truth(a != 0 && b != 0) }},
	{"==", levelCompare, func(a, b int64) int64 { return truth(a == b) }},
	{"!=", levelCompare, func(a, b int64) int64 { return truth(a != b) }},
	{"<", levelCompare, func(a, b int64) int64 { return truth(a < b) }},
	{"<=", levelCompare, func(a, b int64) int64 { return truth(a <= b) }},
	{">", levelCompare, func(a, b int64) int64 { return truth(a > b) }},
	{">=", levelCompare, func(a, b int64) int64 { return truth(a >= b) }},
	{"+", levelSum, func(a, b int64) int64 { return a + b }},
	{"-", levelSum, func(a, b int64) int64 { return a - b }},
	{"|", levelSum, func(a, b int64) int64 { return a | b }},
	{"^", levelSum, func(a, b int64) int64 { return a ^ b }},
	{"*", levelProduct, func(a, b int64) int64 { return a * b }},
	{"&", levelProduct, func(a, b int64) int64 { return a & b }},
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// tokens matches the tokens of a condition: numbers, names, and operators of two characters or one.
var tokens = regexp.MustCompile(`[0-9][0-9A-Za-z_]*|[A-Za-z_.][A-Za-z_.0-9]*|\|\||&&|[=!<>]=|\S`)

// deepest limits the nesting of brackets and signs, far above any condition that people write.
const deepest = 100

// parser parses a condition by recursive descent.
type parser struct {
	d      *Debugger
	text   string
	places [][]int // of the tokens
	next   int
	depth  int
	packet bool // the stop's event has a packet
	inside int  // the number of open brackets of memory words

	condition // as far as it is known
}

// readCondition parses the condition of a stop; packet says whether the stop's event has a packet.
func (d *Debugger) readCondition(text string, packet bool) (*condition, error) {
	p := &parser{d: d, text: text, places: tokens.FindAllStringIndex(text, -1), packet: packet}
	var err error
	p.holds, err = p.binary(levelOr)
	if err == nil && p.token() != "" {
		err = p.unexpected("an operator, or the end")
	}
	if err != nil {
		return nil, err
	}
	return &p.condition, nil
}

// token returns the next token, or "" at the end.
func (p *parser) token() string {
	if p.next == len(p.places) {
		return ""
	}
	return p.text[p.places[p.next][0]:p.places[p.next][1]]
}

// failed returns an error at the next token, or at the end.
func (p *parser) failed(format string, args ...any) error {
	from, to := len(p.text), len(p.text)
	if p.next < len(p.places) {
		from, to = p.places[p.next][0], p.places[p.next][1]
	}
	column, width := utf8.RuneCountInString(p.text[:from])+1, utf8.RuneCountInString(p.text[from:to])
	line, caret := srcerr.Excerpt(p.text, column, width)
	return errorf("the condition is wrong: %s\n    %s\n    %s", fmt.Sprintf(format, args...), line, caret)
}

// unexpected returns an error that says what was expected instead of the next token.
func (p *parser) unexpected(want string) error {
	if p.token() == "" {
		return p.failed("it ends where %s was expected", want)
	}
	return p.failed("expected %s, not %s", want, escape.Text(p.token()))
}

// binary parses values that are joined by operators of the given level or a higher one.
func (p *parser) binary(level int) (expr, error) {
	left, err := p.unary()
	for err == nil {
		op := p.operator()
		switch {
		case p.token() == "=":
			return nil, p.failed("write == to compare")
		case op == nil || op.level < level:
			return left, nil
		}
		p.next++
		var right expr
		if right, err = p.binary(op.level + 1); err != nil {
			break
		}
		a := left
		left = func(s *sight) int64 { return op.do(a(s), right(s)) }
		if after := p.operator(); op.level == levelCompare && after != nil && after.level == levelCompare {
			return nil, p.failed("comparisons cannot follow each other: join them by && or ||")
		}
	}
	return nil, err
}

// operator returns the next token as an operator, or nil.
func (p *parser) operator() *operator {
	for i := range operators {
		if operators[i].sign == p.token() {
			return &operators[i]
		}
	}
	return nil
}

// unary parses a value with the signs before it.
func (p *parser) unary() (expr, error) {
	if p.depth++; p.depth > deepest {
		return nil, p.failed("it has more than %d brackets or signs within each other", deepest)
	}
	defer func() { p.depth-- }()
	sign := p.token()
	if sign != "-" && sign != "!" && sign != "not" {
		return p.value()
	}
	p.next++
	x, err := p.unary()
	if sign == "-" {
		return func(s *sight) int64 { return -x(s) }, err
	}
	return func(s *sight) int64 { return truth(x(s) == 0) }, err
}

// value parses a number, a name, a memory word or an expression in brackets.
func (p *parser) value() (expr, error) {
	t := p.token()
	switch {
	case t == "(":
		p.next++
		x, err := p.binary(levelOr)
		if err != nil {
			return nil, err
		}
		return x, p.closing(")")
	case t == "[" || t == "mem" && p.next+1 < len(p.places) && p.text[p.places[p.next+1][0]] == '[':
		if t == "mem" {
			p.next++
		}
		return p.memory()
	case t == "":
	case t[0] >= '0' && t[0] <= '9':
		return p.number()
	case t[0] >= 'a' && t[0] <= 'z' || t[0] >= 'A' && t[0] <= 'Z' || t[0] == '_' || t[0] == '.':
		return p.readName()
	}
	return nil, p.unexpected("a register, a quantity, a number, a name, [ADDRESS] or (")
}

// closing consumes a closing bracket.
func (p *parser) closing(bracket string) error {
	if p.token() != bracket {
		return p.unexpected("an operator or " + bracket)
	}
	p.next++
	return nil
}

// memory parses [ADDRESS], a word of the PE's memory.
func (p *parser) memory() (expr, error) {
	p.next++
	p.inside++
	addr, err := p.binary(levelOr)
	p.inside--
	if err != nil {
		return nil, err
	}
	return p.reading(func(s *sight) int64 {
		return s.d.signed(s.pe.Memory().Read(uint32(addr(s)) & addressMask))
	}), p.closing("]")
}

// reading adds a value that the condition reads from the PE, and returns its expression.
func (p *parser) reading(r read) expr {
	i := len(p.reads)
	p.reads = append(p.reads, r)
	return func(s *sight) int64 { return s.values[i] }
}

// number parses a number: decimal, or the bits of a word after 0x or 0b.
func (p *parser) number() (expr, error) {
	t := p.token()
	width := isa.Width(p.d.peAt(0).Format().DataBits)
	n, err := strconv.ParseUint(t, 0, 64)
	bits := strings.HasPrefix(t, "0x") || strings.HasPrefix(t, "0b")
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange) || t[0] == '0' && len(t) > 1 && !bits:
		return nil, p.failed("%s is not a number: expected 10, 0x1f or 0b101", t)
	case err != nil || width.Trunc(n) != n:
		return nil, p.failed("%s does not fit into a word of %d bits", t, int(width))
	case !bits && width.Signed(n) < 0 && !p.variables:
		return nil, p.failed("words are numbers with a sign, at most %d: write %#x for these bits",
			width.Trunc(^uint64(0))>>1, n)
	}
	p.next++
	x := width.Signed(n)
	if p.variables { // as in Go
		x = int64(n)
	}
	return func(*sight) int64 { return x }, nil
}

// readName parses a variable of the source text, a register, a quantity, the packet's data, or a name of the program.
func (p *parser) readName() (expr, error) {
	t := p.token()
	kinds := p.d.kinds()
	if kinds[t] != "" {
		r, err := p.d.variableTerm(t)
		if err != nil {
			return nil, p.failed("%v", err)
		}
		p.next++
		p.variables = true
		return p.reading(r), nil
	}
	for _, x := range terms() {
		if x.name == t {
			p.next++
			return p.reading(x.read), nil
		}
	}
	if t == packetData {
		switch {
		case !p.packet:
			return nil, p.failed("only stops of packets and blocks have a packet with data")
		case p.inside > 0:
			return nil, p.failed("the packet's data cannot be part of an address")
		}
		p.next++
		return func(s *sight) int64 { return s.data }, nil
	}
	names := append(conditionNames(), slices.Sorted(maps.Keys(kinds))...)
	for _, s := range p.d.s.Object.Symbols {
		if s.Name == t {
			p.next++
			x := s.Value
			return func(*sight) int64 { return x }, nil
		}
		names = append(names, s.Name)
	}
	return nil, p.failed("there is no register, quantity or name %q%s", t, suggest.DidYouMean(t, names))
}

// registerName returns the name of register r: r0 .. r15.
func registerName(r int) string { return fmt.Sprintf("r%d", r) }

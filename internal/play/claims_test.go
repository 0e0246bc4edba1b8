package play

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/inspect/debug"
	"emsim/internal/play/engine"
)

// A claim is a statement of a text with a condition: a Go expression that is evaluated on the machine, at a clock of a
// run or at its end. The condition can use
//
//	fifo[1,2] mib[1,2] ...      a number of a PE: see perPE; state[1,2] is its letter
//	all(member == 2, mib > 0)   the second holds in all PEs in which the first holds; also none(...) and
//	count(mib > 0)              in how many PEs it holds; inside, names stand for numbers of a PE
//	does("[1,2]", "FMU", "waits for") whether a unit does or waits for something in these words
//	says("[1,2]", "holds packet")     whether the page's text about the PE contains these words
//	way("[0,0].3", "leaves")    the clock of a packet's first station with these words, or -1
//	runs("start", "[2,1]")      the clock at which a block first ran, if on this PE, or -1
//	about("[0,0].3", "left: 5")       whether the page's text about the packet contains these words
//	leads(0, 1)                 whether all links of one member lead to another
//	busiest(1, 300)             whether no 100 clocks have more work of a member than those around a clock
//	clocks spilled idle ...     of the whole run: see atEnd; clock is now
//	hop_clocks fifo_words ...   of the machine: see ofMachine
//	b(clocks)                   the same for the run B
type claim struct {
	session *engine.Session // the session, at the clock of the claim
	net     *engine.Network
	setup   engine.Setup
	vs      *engine.Setup
	pe      int           // the PE in all, none and count; -1: outside these
	frame   *engine.Frame // the current frame, if known; for all, none and count
	end     *engine.Frame
}

// openClaim begins the run of a claim.
func openClaim(t testing.TB, setup engine.Setup, vs *engine.Setup) *claim {
	t.Helper()
	s := &engine.Session{}
	opened := s.Open(context.Background(), setup)
	require.Empty(t, opened.Error)
	return &claim{session: s, net: opened.Network, setup: setup, vs: vs, pe: -1}
}

// at moves the run to a clock; -1 means its end.
func (c *claim) at(t testing.TB, clock int) *claim {
	t.Helper()
	line := "continue"
	if clock >= 0 {
		line = fmt.Sprintf("goto %d", clock)
	}
	if f := c.session.Frame(); clock < 0 && f.Ended {
		return c
	}
	x, err := c.session.Do(context.Background(), line)
	require.NoError(t, err)
	require.Empty(t, x.Error)
	return c
}

// over returns the frame at the end of a run.
func over(setup engine.Setup) *engine.Frame {
	s := &engine.Session{}
	if s.Open(context.Background(), setup).Error != "" {
		return nil
	}
	x, err := s.Do(context.Background(), "continue")
	if err != nil {
		return nil
	}
	return x.Frame
}

// holds evaluates a condition.
func (c *claim) holds(condition string) (yes bool, err error) {
	e, err := parser.ParseExpr(ofPE.ReplaceAllString(condition, "$1($2,$3)")) // Go has no index of this form
	if err != nil {
		return false, fmt.Errorf("%q is no condition: %w", condition, err)
	}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%q: %v", condition, x)
		}
	}()
	v := c.value(e)
	if v.Kind() != constant.Bool {
		return false, fmt.Errorf("%q is no condition, but %v", condition, v)
	}
	return constant.BoolVal(v), nil
}

var ofPE = regexp.MustCompile(`\b(\w+)\[(\d+),(\d+)\]`)

// perPE maps names to the numbers of a PE.
var perPE = map[string]func(f *engine.Frame, pe int) int64{
	"fifo":     func(f *engine.Frame, pe int) int64 { return int64(f.FIFO[pe]) },
	"mib":      func(f *engine.Frame, pe int) int64 { return int64(f.MIB[pe]) },
	"load":     func(f *engine.Frame, pe int) int64 { return int64(f.Load[pe]) },
	"operands": func(f *engine.Frame, pe int) int64 { return int64(f.Operands[pe]) },
	"segments": func(f *engine.Frame, pe int) int64 { return int64(f.Segments[pe]) },
	"calls":    func(f *engine.Frame, pe int) int64 { return int64(f.Calls[pe]) },
	"spills":   func(f *engine.Frame, pe int) int64 { return int64(f.Spilled[pe]) },
	"circle": func(f *engine.Frame, pe int) int64 {
		return map[bool]int64{true: 1}[slices.Contains(f.Circle, pe)]
	},
}

// tenths returns a share in per cent, with one decimal as on the page.
func tenths(share float64) constant.Value {
	return constant.BinaryOp(constant.MakeInt64(int64(math.Round(1000*share))), token.QUO, constant.MakeInt64(10))
}

// atEnd maps names to numbers of a whole run.
var atEnd = map[string]func(f *engine.Frame) constant.Value{
	"clocks":       func(f *engine.Frame) constant.Value { return constant.MakeUint64(f.Result.Clocks) },
	"spilled":      func(f *engine.Frame) constant.Value { return constant.MakeUint64(f.Result.Spilled) },
	"instructions": func(f *engine.Frame) constant.Value { return constant.MakeUint64(f.Result.Instructions) },
	"instances":    func(f *engine.Frame) constant.Value { return constant.MakeUint64(f.Result.Calls) },
	"packets":      func(f *engine.Frame) constant.Value { return constant.MakeUint64(f.Result.Packets) },
	"idle":         func(f *engine.Frame) constant.Value { return tenths(f.Result.States[3]) },
	"work":         func(f *engine.Frame) constant.Value { return tenths(f.Result.States[0] + f.Result.States[1]) },
	"in_flight": func(f *engine.Frame) constant.Value {
		n, _ := strconv.Atoi(regexp.MustCompile(`(\d+) packets? (?:is|are) in flight`).FindStringSubmatch(f.Failure +
			"; 0 packets are in flight")[1])
		return constant.MakeInt64(int64(n))
	},
	"ends":    func(f *engine.Frame) constant.Value { return constant.MakeUint64(f.Clock) },
	"answer":  func(f *engine.Frame) constant.Value { return constant.MakeString(f.Answer) },
	"failure": func(f *engine.Frame) constant.Value { return constant.MakeString(f.Failed) },
}

// ofMachine returns a number of the machine.
func (c *claim) ofMachine(name string) (constant.Value, bool) {
	n := c.net
	switch name {
	case "args":
		return constant.MakeString(strings.Join(c.setup.Args, " ")), true
	case "pes":
		return constant.MakeInt64(int64(len(n.Next))), true
	case "groups":
		return constant.MakeInt64(int64(n.Groups)), true
	case "members":
		return constant.MakeInt64(int64(n.Members)), true
	case "links":
		return constant.MakeInt64(int64(len(n.Next[0]))), true
	case "mib_words":
		return constant.MakeInt64(int64(n.MIBWords)), true
	}
	for _, k := range engine.TheCatalogue().Knobs {
		if k.Key == name {
			value := k.Default
			if v, set := c.setup.Sets[name]; set {
				value = v
			}
			x, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return constant.MakeString(value), true
			}
			return constant.MakeInt64(x), true
		}
	}
	return nil, false
}

func (c *claim) value(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return c.value(e.X)
	case *ast.UnaryExpr:
		return constant.UnaryOp(e.Op, c.value(e.X), 0)
	case *ast.BinaryExpr:
		return c.binary(e)
	case *ast.Ident:
		return c.named(e.Name)
	case *ast.CallExpr:
		return c.call(e.Fun.(*ast.Ident).Name, e.Args)
	}
	panic(fmt.Sprintf("a form that claims do not have: %T", e))
}

func (c *claim) binary(e *ast.BinaryExpr) constant.Value {
	x := c.value(e.X)
	switch {
	case e.Op == token.LAND && !constant.BoolVal(x):
		return x
	case e.Op == token.LOR && constant.BoolVal(x):
		return x
	}
	y := c.value(e.Y)
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constant.MakeBool(constant.Compare(x, e.Op, y))
	}
	return constant.BinaryOp(x, e.Op, y)
}

func (c *claim) named(name string) constant.Value {
	if c.pe >= 0 {
		m := c.net.Members
		switch name {
		case "group":
			return constant.MakeInt64(int64(c.pe / m))
		case "member":
			return constant.MakeInt64(int64(c.pe % m))
		}
		return c.of(name, c.pe)
	}
	if name == "clock" {
		return constant.MakeUint64(c.session.Frame().Clock)
	}
	if f, ok := atEnd[name]; ok {
		if c.end == nil {
			c.end = over(c.setup)
		}
		return f(c.end)
	}
	if v, ok := c.ofMachine(name); ok {
		return v
	}
	panic("there is no " + name)
}

// of returns a number of a PE, or the letter of its state.
func (c *claim) of(name string, pe int) constant.Value {
	f := c.frame
	if f == nil {
		f = c.session.Frame()
	}
	if name == "state" {
		return constant.MakeString(f.State[pe : pe+1])
	}
	get, ok := perPE[name]
	if !ok {
		panic("a PE has no " + name)
	}
	return constant.MakeInt64(get(f, pe))
}

// number returns the number of a PE.
func (c *claim) number(address string) int {
	var group, member int
	if _, err := fmt.Sscanf(address, "[%d,%d]", &group, &member); err != nil {
		panic(err)
	}
	return group*c.net.Members + member
}

func (c *claim) call(name string, args []ast.Expr) constant.Value {
	word := func(i int) string { return constant.StringVal(c.value(args[i])) }
	member := func(i int) int { n, _ := constant.Int64Val(c.value(args[i])); return int(n) }
	switch name {
	case "all", "none", "count":
		n := int64(0)
		last := args[len(args)-1]
		x := *c
		x.frame = c.session.Frame()
		for pe := range x.frame.State {
			x.pe = pe
			if len(args) == 2 && !constant.BoolVal(x.value(args[0])) {
				continue
			}
			if constant.BoolVal(x.value(last)) != (name == "all") {
				n++
			}
		}
		if name == "count" {
			return constant.MakeInt64(n)
		}
		return constant.MakeBool(n == 0)
	case "does":
		for _, u := range c.inside(word(0)).Units {
			if u.Name == word(1) {
				return constant.MakeBool(strings.Contains(u.Does+", waits for "+u.Waits, word(2)))
			}
		}
		panic("there is no unit " + word(1))
	case "says":
		return constant.MakeBool(strings.Contains(saysOf(c.inside(word(0))), word(1)))
	case "way":
		for _, s := range c.follow(word(0)).Stations {
			if strings.Contains(s.Text, word(1)) {
				return constant.MakeUint64(s.Clock)
			}
		}
		return constant.MakeInt64(-1)
	case "runs":
		return constant.MakeInt64(c.runs(word(0), word(1)))
	case "about":
		return constant.MakeBool(strings.Contains(c.follow(word(0)).Packet.String(), word(1)))
	case "leads":
		return constant.MakeBool(c.leads(member(0), member(1)))
	case "busiest":
		return constant.MakeBool(c.busiest(member(0), member(1)))
	case "b":
		other := &claim{session: c.session, net: c.net, setup: *c.vs, pe: -1}
		return other.value(args[0])
	}
	if len(args) == 2 {
		return c.of(name, c.number(fmt.Sprintf("[%v,%v]", c.value(args[0]), c.value(args[1]))))
	}
	panic("there is no " + name + "()")
}

func (c *claim) inside(address string) *engine.Inside {
	x, err := c.session.Inside(c.number(address))
	if err != nil {
		panic(err)
	}
	return x
}

// saysOf returns the text that the page shows for an opened PE.
func saysOf(in *engine.Inside) string {
	text := in.Why
	for _, u := range in.Units {
		text += "\n" + u.Name + " " + u.Does + ", waits for " + u.Waits
	}
	for _, p := range in.Slots {
		text += "\n" + p.Packet.String() + " " + p.Why
	}
	for _, seg := range in.Segments {
		for _, o := range seg.Operands {
			text += fmt.Sprintf("\n%s has the %s operand %s, waits for the %s one", o.Node, o.Have, o.Value, o.Wants)
		}
	}
	return text
}

// follow returns the way of a packet so far.
func (c *claim) follow(id string) *debug.Way {
	var reply struct {
		Value debug.Way
		Error *engine.Error
	}
	text, _ := json.Marshal(id)
	if err := json.Unmarshal(c.session.Call(context.Background(), "follow", text), &reply); err != nil {
		panic(err)
	}
	if reply.Error != nil {
		return &debug.Way{} // it has not been made yet
	}
	return &reply.Value
}

// runs returns the clock at which a block first ran, if it was on the given PE, or else -1.
func (c *claim) runs(block, pe string) int64 {
	s := &engine.Session{}
	s.Open(context.Background(), c.setup)
	x, err := s.Do(context.Background(), "until block "+block)
	if err != nil || len(x.Hits) == 0 || !strings.HasPrefix(x.Hits[0], pe+" ") {
		return -1
	}
	return int64(x.Frame.Clock)
}

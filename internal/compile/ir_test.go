package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile/ir"
)

// sum returns a program whose entry adds the words n, n-1, ..., 1 of a table in a loop.
func sum() (p *ir.Program, loop *ir.Loop, turn *ir.If) {
	f := &ir.Func{Name: "sum", Results: []ir.Type{ir.Int32}, Line: 1, End: &ir.Label{}}
	table := &ir.Memory{Name: "words", Words: 10, Table: true}
	n := f.NewValue(ir.Int32, "n")
	f.Params = []*ir.Value{n}
	s, k := f.NewValue(ir.Int32, "s"), f.NewValue(ir.Int32, "k")
	more, word, next, left := f.NewValue(ir.Bool, ""), f.NewValue(ir.Int32, ""), f.NewValue(ir.Int32, "s"), f.NewValue(ir.Int32, "k")
	result := f.NewValue(ir.Int32, "s")
	loop = &ir.Loop{First: []*ir.Value{ir.Const(ir.Int32, 0), n}, Next: &ir.Label{Params: []*ir.Value{s, k}}, End: &ir.Label{Params: []*ir.Value{result}}}
	turn = &ir.If{Cond: more, End: &ir.Label{}, No: &ir.Region{Exit: &ir.Exit{To: loop.End, Values: []*ir.Value{s}}}}
	turn.Yes = &ir.Region{Nodes: []ir.Node{
		&ir.Instr{Op: ir.Check, Args: []*ir.Value{k, ir.Const(ir.Int32, 10)}},
		&ir.Instr{Op: ir.Load, Args: []*ir.Value{k}, Results: []*ir.Value{word}, Memory: table},
		&ir.Instr{Op: ir.Add, Args: []*ir.Value{s, word}, Results: []*ir.Value{next}},
		&ir.Instr{Op: ir.Sub, Args: []*ir.Value{k, ir.Const(ir.Int32, 1)}, Results: []*ir.Value{left}},
	}, Exit: &ir.Exit{To: loop.Next, Values: []*ir.Value{next, left}}}
	loop.Body = &ir.Region{Nodes: []ir.Node{&ir.Instr{Op: ir.Less, Args: []*ir.Value{ir.Const(ir.Int32, 0), k}, Results: []*ir.Value{more}}, turn}}
	f.Body = &ir.Region{Nodes: []ir.Node{&ir.Instr{Op: ir.Mark, Line: 2}, loop}, Exit: &ir.Exit{To: f.End, Values: []*ir.Value{result}}}
	return &ir.Program{Funcs: []*ir.Func{f}, Tables: []*ir.Memory{table}, Entry: f}, loop, turn
}

// String writes a program in this form.
func TestText(t *testing.T) {
	p, _, _ := sum()
	require.NoError(t, verify(p))
	require.Equal(t, `table words [10]

func sum(n.1 int32) int32 {
	line 2
	loop turn1: s.2 int32 = 0, k.3 int32 = n.1 {
		v4 bool = less 0, k.3
		if v4 {
			check k.3, 10
			v5 int32 = load words+0 k.3
			s.6 int32 = add s.2, v5
			k.7 int32 = sub k.3, 1
			to turn1 s.6, k.7
		} else {
			to end2 s.2
		} end3:
	} end2: s.8 int32
	to return s.8
}
`, p.String())
}

// Verify rejects a program after each of these changes.
func TestVerify(t *testing.T) {
	for says, change := range map[string]func(f *ir.Func, loop *ir.Loop, turn *ir.If){
		"k.7 is used where it is not defined": func(_ *ir.Func, _ *ir.Loop, turn *ir.If) { turn.Yes.Nodes = turn.Yes.Nodes[:3] },
		"s.6 is used where it is not defined": func(f *ir.Func, _ *ir.Loop, turn *ir.If) { // defined only in the loop
			f.Body.Exit.Values[0] = turn.Yes.Exit.Values[0]
		},
		"s.2 is used where it is not defined": func(f *ir.Func, loop *ir.Loop, _ *ir.If) { // after the loop
			f.Body.Exit.Values[0] = loop.Next.Params[0]
		},
		"n.1 is defined twice":                  func(f *ir.Func, loop *ir.Loop, _ *ir.If) { loop.End.Params[0] = f.Params[0] },
		"gives 1 values, and its label has 2":   func(_ *ir.Func, _ *ir.Loop, turn *ir.If) { turn.Yes.Exit.Values = turn.Yes.Exit.Values[:1] },
		"v4 is given to a parameter of type":    func(_ *ir.Func, _ *ir.Loop, turn *ir.If) { turn.No.Exit.Values[0] = turn.Cond },
		"leads to a label that is not around":   func(_ *ir.Func, _ *ir.Loop, turn *ir.If) { turn.No.Exit.To = &ir.Label{} },
		"a region has no exit":                  func(_ *ir.Func, _ *ir.Loop, turn *ir.If) { turn.No.Exit = nil },
		"n.1 is no condition":                   func(f *ir.Func, _ *ir.Loop, turn *ir.If) { turn.Cond = f.Params[0] },
		"add has operands or results of wrong":  func(_ *ir.Func, _ *ir.Loop, turn *ir.If) { turn.Yes.Nodes[2].(*ir.Instr).Args[1] = turn.Cond },
		"check has operands or results of":      func(_ *ir.Func, _ *ir.Loop, turn *ir.If) { turn.Yes.Nodes[0].(*ir.Instr).Args[0] = turn.Cond },
		"line has operands or results of wrong": func(f *ir.Func, _ *ir.Loop, _ *ir.If) { f.Body.Nodes[0].(*ir.Instr).Line = 0 },
		"comes after a panic":                   func(f *ir.Func, _ *ir.Loop, _ *ir.If) { f.Body.Nodes[0].(*ir.Instr).Op = ir.Panic },
		"which is no function of the program": func(f *ir.Func, _ *ir.Loop, _ *ir.If) {
			x := f.Body.Nodes[0].(*ir.Instr)
			x.Op, x.Callee = ir.Call, &ir.Func{Name: "g", Body: &ir.Region{}}
		},
	} {
		p, loop, turn := sum()
		change(p.Entry, loop, turn)
		require.ErrorContains(t, verify(p), says)
	}
}

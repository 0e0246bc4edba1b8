// Package ir has the intermediate representation of a program, between Go's types and the machine's blocks. A
// function is a tree of regions, whose leaves are instructions. Every value is defined once. At a join, each
// exit that leads there says which values it gives.
//
//	ir.go          types, values, instructions, regions
//	print.go       the text, which emsim build --show ir writes
//	ends.go        which values for the receiving ends of streams may be no end
//	iterations.go  the iterations of loops, and the sums that they carry
//	unroll.go      iterations written out
//
// Nothing here knows Go's syntax, the machine, or the assembly text.
//
// chosen: everything.
package ir

// Type is the type of a word.
type Type uint8

// The types.
const (
	Int32 Type = iota
	Uint32
	Float32
	Bool
	End // the receiving end of a stream
)

// Program is a program and the tables in the memory of every PE.
type Program struct {
	Funcs  []*Func   // in the order of the text, and then the bodies of function literals
	Tables []*Memory // in the order of the text
	Inits  []*Func   // run by every PE before the start, in this order
	Entry  *Func     // called by the host
}

// Func is a function.
type Func struct {
	Name     string
	Line     int
	Params   []*Value
	Results  []Type
	Body     *Region    // nil: package df implements the function
	End      *Label     // exits lead here to return: it has no parameters, and the exits give the results
	Channels []*Channel // channels among its parameters on which it sends
	Arrays   []*Memory  // one copy per instance

	values int
}

// Memory is an array: a table with a copy on every PE, or words of an instance.
type Memory struct {
	Name  string
	Words int64
	Table bool
	Init  []int64 // the words of a table, as signed numbers; nil means zeros
}

// Value is a word that is defined once: by a parameter, a label or an instruction. A constant
// needs no definition.
type Value struct {
	ID       int // unique within the function; constants have 0
	Type     Type
	Name     string // the Go variable that the value is assigned to, or ""
	Constant bool
	Word     int64 // of a constant, as a signed number
}

// Channel is a channel on which a function sends.
type Channel struct {
	Name  string
	Words int // of an item
}

// Op is what an instruction does.
type Op uint8

// The operations. Arithmetic is Go's on words of 32 bits.
const (
	Copy Op = iota // the value itself, or the other integer type with the same bits
	Add
	Sub
	Mul
	Div // panics if an integer is divided by 0
	Rem // likewise
	And
	Or
	Xor
	AndNot
	Shl // by any count; panics if a signed count is negative
	Shr // likewise
	Neg
	Not  // of bits, or of a Bool
	Less // the comparisons give a Bool
	LessEq
	Equal
	NotEqual
	Min     // like Go's min: NaN if a float is NaN
	Max     // likewise
	ToFloat // of an Int32
	PEs     // the number of PEs
	Method  // a method of package df's type PE, in a policy
	Check   // panics unless the first is less than the second, both unsigned
	Load    // a word of Memory, at an index
	Store   // sets a word of Memory, at an index
	Call    // has any number of results
	Open    // makes a channel on which the function sends; gives its receiving end
	Start   // starts a function, like a go statement; gives the receiving ends of the channels on which it sends
	Send    // the words of an item, then the receiving ends to drop if nothing receives it
	Close   // closes a channel
	Leave   // leaves a channel open: nothing is sent on it any more, and a receiver waits for ever
	Receive // the words of the next item, or zeros after the last one
	Next    // likewise, and whether there is one
	Drop    // gives up receiving ends: no more items are requested
	Output  // gives the host the words of an array of package df, and returns
	Panic   // stops the machine; nothing follows in the region
	Mark    // a statement begins at Line
	ops
)

// Instr is an instruction.
type Instr struct {
	Op      Op
	Args    []*Value
	Results []*Value
	Memory  *Memory  // of Load, Store and Output
	Channel *Channel // of Open, Send, Close and Leave
	Panics  string   // of Panic: "send" or "close" on a closed channel, or "" if the program called it
	Offset  int64    // in words, added to the index
	Callee  *Func    // of Call and Start
	Line    int      // in the source text
	At      int      // the line that a panic names, or 0 if it is Line
}

// Region is a part of a function with a single entry point.
type Region struct {
	Nodes []Node
	Exit  *Exit // nil if the last node never continues: a Panic, or a node whose End no exit reaches
}

// Exit ends a region and continues at a label around it.
type Exit struct {
	To     *Label
	Values []*Value // for the label's parameters, or the results of the function
}

// Label is the target of exits: the point after an If, a Block or a Loop, the next iteration of a Loop, or the
// return from the function.
type Label struct {
	Params []*Value
}

// Node is a part of a region: *Instr, *If, *Block or *Loop.
type Node interface{ node() }

// If runs Yes if Cond is true, or else No.
type If struct {
	Cond    *Value
	Yes, No *Region
	End     *Label
}

// Block runs a region that exits can leave early.
type Block struct {
	Body *Region
	End  *Label
}

// Loop repeats a region: an exit to Next starts another iteration, and an exit to End leaves the loop.
type Loop struct {
	First []*Value // the parameters of Next in the first iteration
	Next  *Label
	Body  *Region
	End   *Label
}

func (*Instr) node() {}
func (*If) node()    {}
func (*Block) node() {}
func (*Loop) node()  {}

// Streams reports whether an operation is on streams.
func (o Op) Streams() bool { return Open <= o && o <= Drop }

// MayPanic reports whether an instruction may panic, apart from what it calls. If several instructions would panic, any
// of the panics may stop the program.
func (x *Instr) MayPanic() bool {
	switch x.Op {
	case Div, Rem:
		d := x.Args[1]
		return d.Type != Float32 && (!d.Constant || d.Word == 0)
	case Shl, Shr:
		return x.Args[1].Type == Int32 && !x.Args[1].Constant
	}
	return x.Op == Check || x.Op == Panic
}

// NewValue makes a value of a function.
func (f *Func) NewValue(t Type, name string) *Value {
	f.values++
	return &Value{ID: f.values, Type: t, Name: name}
}

// Const returns a constant with the low 32 bits of word.
func Const(t Type, word int64) *Value {
	return &Value{Type: t, Constant: true, Word: int64(int32(word))}
}

// Parts returns the regions inside a node and the label after it, or nil, nil for an instruction.
func Parts(n Node) (inside []*Region, end *Label) {
	switch n := n.(type) {
	case *If:
		return []*Region{n.Yes, n.No}, n.End
	case *Block:
		return []*Region{n.Body}, n.End
	case *Loop:
		return []*Region{n.Body}, n.End
	}
	return nil, nil
}

// Each calls do for every instruction in a region, in the order of the text.
func (r *Region) Each(do func(x *Instr)) {
	for _, n := range r.Nodes {
		if x, ok := n.(*Instr); ok {
			do(x)
		}
		inside, _ := Parts(n)
		for _, r := range inside {
			r.Each(do)
		}
	}
}

// EachRegion calls do for a region and every region inside it.
func (r *Region) EachRegion(do func(r *Region)) {
	do(r)
	for _, n := range r.Nodes {
		inside, _ := Parts(n)
		for _, r := range inside {
			r.EachRegion(do)
		}
	}
}

// Loops reports whether there is a loop in a region.
func (r *Region) Loops() (found bool) {
	r.EachRegion(func(r *Region) {
		for _, n := range r.Nodes {
			_, isLoop := n.(*Loop)
			found = found || isLoop
		}
	})
	return found
}

// Leaves reports whether an exit inside a block leads further than to its end, and whether one leads there early, or a
// region inside never continues.
func (b *Block) Leaves() (further, early bool) {
	labels := map[*Label]bool{}
	b.Body.EachRegion(func(r *Region) {
		for _, n := range r.Nodes {
			_, end := Parts(n)
			labels[end] = true
			if l, ok := n.(*Loop); ok {
				labels[l.Next] = true
			}
		}
	})
	b.Body.EachRegion(func(r *Region) {
		if r.Exit == nil || r.Exit.To == b.End {
			early = early || r != b.Body
		} else {
			further = further || !labels[r.Exit.To]
		}
	})
	return further, early
}

// EachUse calls do for the values that a region uses, in the order of the text.
func (r *Region) EachUse(do func(v *Value)) {
	for _, n := range r.Nodes {
		EachUse(n, do)
	}
	if r.Exit != nil {
		for _, v := range r.Exit.Values {
			do(v)
		}
	}
}

// EachUse calls do for the values that a node uses.
func EachUse(n Node, do func(v *Value)) {
	var list []*Value
	switch n := n.(type) {
	case *Instr:
		list = n.Args
	case *If:
		list = []*Value{n.Cond}
	case *Loop:
		list = n.First
	}
	for _, v := range list {
		do(v)
	}
	inside, _ := Parts(n)
	for _, r := range inside {
		r.EachUse(do)
	}
}

// Defined returns the values that a node defines for the nodes after it.
func Defined(n Node) []*Value {
	if x, ok := n.(*Instr); ok {
		return x.Results
	}
	_, end := Parts(n)
	return end.Params
}

// EachDefined calls do for every value that is defined inside a region.
func (r *Region) EachDefined(do func(v *Value)) {
	for _, n := range r.Nodes {
		for _, v := range Defined(n) {
			do(v)
		}
		if l, ok := n.(*Loop); ok {
			for _, v := range l.Next.Params {
				do(v)
			}
		}
		inside, _ := Parts(n)
		for _, r := range inside {
			r.EachDefined(do)
		}
	}
}

// Package ir has the form of a program between Go's types and the machine's blocks. A function
// is a tree of regions, whose leaves are instructions. Every value is defined once; where ways
// meet, the exits that lead there say which values they give.
//
//	ir.go      types, values, instructions, regions
//	print.go   as text, which emsim build --show ir writes
//	verify.go  what holds of every function, whatever made or changed it
//	effects.go what instructions and functions do besides giving values
//	turns.go   what the turns of a loop have to do with each other
//
// Nothing here knows Go's syntax, the machine, or how text is written.
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
	End // of a stream, where its receiver asks for items
)

// Program is a program, with what lies in the memory of every PE.
type Program struct {
	Funcs   []*Func   // in the order of the text
	Tables  []*Memory // in the order of the text
	Inits   []*Func   // that every PE runs before the start, in their order
	Entry   *Func     // which the host calls
	Missing []Missing // functions that are not among Funcs
}

// Missing is a function that has no such form yet.
type Missing struct {
	Name string
	Line int
	Why  string // what it uses
}

// Func is a function.
type Func struct {
	Name     string
	Line     int
	Params   []*Value
	Results  []Type
	Body     *Region
	End      *Label     // where it returns: it has no parameters, and exits give it the results
	Channels []*Channel // that come as parameters: on them it sends
	Arrays   []*Memory  // of an instance
	Effects  Effects    // of a call; FindEffects sets them

	values int
}

// Memory is an array: a table of every PE or words of an instance.
type Memory struct {
	Name  string
	Words int64
	Table bool
	Init  []int64 // the words of a table as signed numbers, or nil: zeros
}

// Value is a word that is defined once: by a parameter, a label or an instruction. A constant
// needs no definition.
type Value struct {
	ID       int // of its function; constants have 0
	Type     Type
	Name     string // of the Go variable that it is given to, or ""
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
	Copy     Op = iota // the value itself, perhaps as another type of whole numbers
	Add                // arithmetic
	Sub                //
	Mul                //
	Div                // panics if it divides a whole number by 0
	Rem                // likewise
	And                //
	Or                 //
	Xor                //
	AndNot             //
	Shl                // by any count; panics if a signed count is negative
	Shr                // likewise
	Neg                //
	Not                // of bits, or of a condition
	Less               // conditions
	LessEq             //
	Equal              //
	NotEqual           //
	Min                // as Go's, with a NaN if one is among floats
	Max                //
	ToFloat            // of a signed number
	PEs                // how many there are
	Method             // of package df's type PE, in a policy
	Check              // panics unless the first is below the second, both without a sign
	Load               // the word of an array with an index
	Store              // gives it a value
	Call               // of a function, with any number of results
	Open               // makes a channel on which the function sends; gives its receiving end
	Start              // of a function, by a go statement; gives the receiving ends of what it sends on
	Send               // the words of an item; then come the ends that the function asks
	Close              // of a channel
	Receive            // the words of the next item, or zeros after the last one
	Next               // likewise, and whether there is one
	Drop               // asks no more of some ends
	Output             // gives the host the words of an array of package df, and returns
	Panic              // as the program says; nothing comes after it
	Mark               // a statement begins here
	ops
)

// Instr is an instruction.
type Instr struct {
	Op      Op
	Args    []*Value
	Results []*Value
	Memory  *Memory  // of Load and Store
	Channel *Channel // of Open, Send and Close
	Offset  int64    // words after the index
	Callee  *Func    // of Call and Start
	Line    int      // in the text
}

// Region is a piece of a function that has one beginning.
type Region struct {
	Nodes []Node
	Exit  *Exit // nil only after Panic
}

// Exit ends a region: it continues at a label around it.
type Exit struct {
	To     *Label
	Values []*Value // its parameters get, or what the function returns
}

// Label is where exits lead: after an If, a Block or a Loop, to the next turn of a Loop, or out
// of the function.
type Label struct {
	Params []*Value
}

// Node is a part of a region: *Instr, *If, *Block or *Loop.
type Node interface{ node() }

// If runs one of two regions.
type If struct {
	Cond    *Value
	Yes, No *Region
	End     *Label
}

// Block is a region that exits can leave.
type Block struct {
	Body *Region
	End  *Label
}

// Loop runs a region again and again: an exit to Next is another turn.
type Loop struct {
	First []*Value // what the parameters of Next are in the first turn
	Next  *Label
	Body  *Region
	End   *Label
}

func (*Instr) node() {}
func (*If) node()    {}
func (*Block) node() {}
func (*Loop) node()  {}

// Streams reports whether an operation has to do with streams.
func (o Op) Streams() bool { return Open <= o && o <= Drop }

// NewValue makes a value of a function.
func (f *Func) NewValue(t Type, name string) *Value {
	f.values++
	return &Value{ID: f.values, Type: t, Name: name}
}

// Const makes a constant.
func Const(t Type, word int64) *Value {
	return &Value{Type: t, Constant: true, Word: int64(int32(word))}
}

// Parts returns the regions inside of a node and the label after it, or nil of an instruction.
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

// Each calls do for the instructions of a region, in the order of the text.
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

// Loops reports whether a region has loops.
func (r *Region) Loops() bool {
	for _, n := range r.Nodes {
		if _, ok := n.(*Loop); ok {
			return true
		}
		inside, _ := Parts(n)
		for _, r := range inside {
			if r.Loops() {
				return true
			}
		}
	}
	return false
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

// Defined returns the values that are known after a node.
func Defined(n Node) []*Value {
	if x, ok := n.(*Instr); ok {
		return x.Results
	}
	_, end := Parts(n)
	return end.Params
}

// EachDefined calls do for the values that a region defines.
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

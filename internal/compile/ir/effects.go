package ir

import "strings"

// Effects is a set of what code does besides computing values.
type Effects uint8

// The effects.
const (
	ReadsTables  Effects = 1 << iota // loads words of a PE's tables
	WritesTables                     // stores words of tables, as only code that runs before the start does
	MayPanic                         // if several panics are possible, any may be reported
	MayNotEnd                        // loops, waits, or calls itself directly or indirectly
	UsesStreams                      // must keep its order with other operations on streams
)

// effectNames are the effects in words.
var effectNames = []string{"reads tables", "writes tables", "may panic", "may not end", "uses streams"}

// String lists the effects in words.
func (e Effects) String() string {
	var list []string
	for i, name := range effectNames {
		if e>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// Effects returns the effects of an instruction. A call has the effects that FindEffects has set for its function.
func (x *Instr) Effects() Effects {
	switch x.Op {
	case Div, Rem:
		if d := x.Args[1]; d.Type != Float32 && (!d.Constant || d.Word == 0) {
			return MayPanic
		}
	case Shl, Shr:
		if n := x.Args[1]; n.Type == Int32 && !n.Constant {
			return MayPanic
		}
	case Check, Panic:
		return MayPanic
	case Load:
		if x.Memory.Table {
			return ReadsTables
		}
	case Store:
		if x.Memory.Table {
			return WritesTables
		}
	case Call:
		return x.Callee.Effects
	case Send, Receive, Next:
		return UsesStreams | MayNotEnd
	case Open, Start, Close, Leave, Drop:
		return UsesStreams
	}
	return 0
}

// FindEffects sets the effects of all functions. It sets MayNotEnd for a function that loops, is recursive, or calls a
// function with MayNotEnd.
func (p *Program) FindEffects() {
	all := append(append([]*Func{}, p.Funcs...), p.Inits...)
	calls := map[*Func][]*Func{}
	for _, f := range all {
		f.Effects = 0
		f.Body.Each(func(x *Instr) {
			if x.Op == Call {
				calls[f] = append(calls[f], x.Callee)
			}
		})
	}
	for _, f := range all {
		if f.Body.Loops() || reaches(calls, f) {
			f.Effects |= MayNotEnd
		}
	}
	for again := true; again; {
		again = false
		for _, f := range all {
			e := f.Effects
			f.Body.Each(func(x *Instr) { e |= x.Effects() })
			again = again || e != f.Effects
			f.Effects = e
		}
	}
}

// reaches reports whether a function calls itself, directly or indirectly.
func reaches(calls map[*Func][]*Func, f *Func) bool {
	seen := map[*Func]bool{}
	for due := calls[f]; len(due) > 0; {
		g := due[0]
		if due = due[1:]; g == f {
			return true
		}
		if !seen[g] {
			seen[g] = true
			due = append(due[:len(due):len(due)], calls[g]...)
		}
	}
	return false
}

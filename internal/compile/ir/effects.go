package ir

import "strings"

// Effects says what is done besides giving values.
type Effects uint8

// The effects.
const (
	ReadsTables  Effects = 1 << iota // words of a PE's tables
	WritesTables                     // which only what runs before the start does
	MayPanic                         // which panic is reported, of several, is free
	MayNotEnd                        // it loops, waits, or calls itself by way of others
	UsesStreams                      // it has an order with what else is asked and sent
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

// Effects returns what an instruction does; of a call, what its function does.
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
	case Open, Start, Close, Drop:
		return UsesStreams
	}
	return 0
}

// FindEffects sets the effects of all functions. A function that calls itself, or another one
// that does, may not end, like one with a loop.
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

// reaches reports whether a function calls itself, by way of others or not.
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

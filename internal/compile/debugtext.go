package compile

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"emsim/internal/base/lists"
)

// The text tells the debugger, for each piece of code, which inlined calls it belongs to, where variables are, and what
// a block waits for at its end. docs/FORMATS.md describes the format.

// mostDebugText bounds the characters of this information. Beyond the limit, the debugger gets only line numbers
// [chosen: many times the need of a program that fits a PE].
const mostDebugText = 1 << 22

// lookupCost is how many characters a search for a variable counts as [chosen].
const lookupCost = 8

// frame is the function of a unit, or a call whose code is inlined.
type frame struct {
	*scope
	late map[types.Object]bool // variables whose values have not arrived yet
}

// scope has the variables of a frame.
type scope struct {
	outer  *frame // the frame with the call, or nil
	line   int    // of the call
	vars   map[types.Object]reg
	arrays map[types.Object]*spot
	named  map[reg][]types.Object // the variables whose values a register has
}

// enterFrame begins the frame of a unit, or of a call whose code is inlined.
func (l *lowerer) enterFrame() {
	l.frame = &frame{scope: &scope{outer: l.frame, line: l.line, vars: l.vars, arrays: l.arrays, named: map[reg][]types.Object{}}}
	l.u.scopes = append(l.u.scopes, l.frame.scope)
}

// callsOf returns the lines of the calls around the code of a frame, the innermost first.
func (t *debugWriter) callsOf(f *frame) (text string) {
	for ; f.outer != nil; f = f.outer {
		_, line := t.e.c.where(f.line)
		text += fmt.Sprintf(" %d", line)
	}
	return text
}

// awaited returns what a block waits for at its end, in words.
func (b *block) awaited() string {
	var list []string
	if b.waitsFor != nil {
		list = b.waitsFor.calls
	}
	for _, n := range b.wakes {
		if b.waitsFor == nil && !strings.Contains(n.node.name, ".step") && !n.node.follows {
			what, wanted := strings.CutSuffix(n.node.why, " is wanted")
			if wanted {
				what = strings.Replace(what, "an item", "the receiver", 1)
			}
			list = append(list, what)
		}
	}
	return cmp.Or(b.awaits, strings.Join(list, " and "))
}

// debugWriter writes the information about a unit for the debugger.
type debugWriter struct {
	e        *emitter
	k        subset // the variables
	out, far []set  // live at the end of a block: out within its strongly connected block, far also after it
	live     [][2]set
	moved    bool   // the node's operands have been moved to their registers
	begun    bool   // a node begins, and the text has not said anything about it
	passed   []pass // marks for the next directive, besides those of its instruction

	line  int // the last values written
	calls string
	vars  []string
}

// newDebugWriter finds where values are: a value is in its register while it is live there, or else in its word.
func (e *emitter) newDebugWriter() *debugWriter {
	t := &debugWriter{e: e}
	bound := map[reg]bool{}
	for _, s := range e.u.scopes {
		for obj, r := range s.vars {
			s.named[r] = append(s.named[r], obj)
		}
		for r := range s.named {
			bound[r] = true
		}
	}
	t.k = e.u.subsetOf(func(r reg) bool { return bound[r] })
	_, t.out = e.u.liveness(&t.k, false)
	for _, b := range e.u.blocks { // a value that waits in its word is live as if it were in a register
		defer func(code []instr) { b.code = code }(b.code)
		b.code = slices.DeleteFunc(slices.Clone(b.code), e.u.isHomeMove)
	}
	_, t.far = e.u.liveness(&t.k, true)
	return t
}

// isHomeMove reports whether an instruction loads or stores a register's own word.
func (u *unit) isHomeMove(x instr) bool {
	return u.movesHome(&x, func(r reg) bool { return u.home[r] != "" })
}

// enter begins a block. If moves is set, the block first moves its operands to their registers.
func (t *debugWriter) enter(b *block, begins, moves bool) {
	t.live = make([][2]set, len(b.code)+1)
	list := t.k.accesses(b)
	for i, now := range [2]set{t.out[b.id].copy(), t.far[b.id].copy()} {
		rest := len(list)
		for at := len(b.code); at >= 0; at-- {
			first, _ := slices.BinarySearchFunc(list, at, func(x access, at int) int { return x.at - at })
			for _, x := range slices.Backward(list[first:rest]) { // its results, then its operands
				switch {
				case i == 1 && at < len(b.code) && t.e.u.isHomeMove(b.code[at]):
				case x.writes:
					now.drop(x.i)
				default:
					now.add(x.i)
				}
			}
			t.live[at][i], rest = now.copy(), first
		}
	}
	t.begun = t.begun || begins
	if t.moved = !moves; moves {
		t.write(b, 0, false)
	}
	t.moved = true
}

// variables lists the variables that an instruction can use, each with its place. At a block's end it lists the
// variables that wait in their words, including the variable that the last instruction stores.
func (t *debugWriter) variables(b *block, i int, end bool, f *frame, line int) []string {
	u := t.e.u
	if t.e.c.debugText > mostDebugText {
		return nil
	}
	seen := map[string]types.Object{}
	place := map[string]string{}
	see := func(obj types.Object, at string) {
		t.e.c.meter.countSteps(1)
		if obj.Parent() == nil || t.e.c.lineAt(obj.Pos()) > line || t.e.c.lineAt(obj.Parent().End()) < line {
			return
		}
		if o := seen[obj.Name()]; o == nil || o.Pos() <= obj.Pos() {
			seen[obj.Name()], place[obj.Name()] = obj, at
		}
	}
	in := func(r reg, at string) {
		for _, obj := range f.named[r] {
			see(obj, at)
		}
	}
	live := t.live[i]
	if end {
		live = [2]set{t.k.newSet(), t.live[len(b.code)][1]}
		if n := len(b.code) - 1; n >= 0 && u.isHomeMove(b.code[n]) && t.k.at[b.code[n].args[0].reg] >= 0 {
			live[0].add(t.k.at[b.code[n].args[0].reg])
		}
	}
	if !u.system { // system code has no operand segment
		for obj, s := range f.arrays {
			if s.local && s.base == none {
				see(obj, fmt.Sprintf("%s+%d", s.label, s.off))
			}
		}
		for _, r := range u.kept {
			in(r, u.home[r])
		}
		t.k.eachRegister(live[1], func(_ int, r reg) { in(r, u.home[r]) })
	}
	t.k.eachRegister(live[0], func(_ int, r reg) {
		at := t.e.color[r]
		if n := slices.Index(b.in, r); n >= 0 && !t.moved {
			at = n + 1
		}
		in(r, fmt.Sprintf("r%d", at))
	})
	for obj, late := range f.late {
		if late {
			see(obj, "?")
		}
	}
	var list []string
	for name, obj := range seen {
		list = append(list, fmt.Sprintf("%s %s %s", name, place[name], typeText(obj.Type())))
	}
	slices.Sort(list)
	t.e.c.debugText += lookupCost * len(list) // the search is work, too
	return list
}

// resultText returns the type of the entry's result, as the host gets it.
func resultText(t types.Type) string {
	if elem, ok := spreadElem(t); ok {
		return "[]" + typeText(elem)
	}
	return typeText(t)
}

// typeText writes a type for the debugger: a word, [N]T or {T T}.
func typeText(t types.Type) string {
	if a := arrayType(t); a != nil {
		return fmt.Sprintf("[%d]%s", a.Len(), typeText(a.Elem()))
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		list := lists.Of(slices.Collect(s.Fields()), func(f *types.Var) string { return typeText(f.Type()) })
		return "{" + strings.Join(list, " ") + "}"
	}
	return t.Underlying().String()
}

// write writes the line from which the next instruction of a block comes, and the statements that begin with it, unless
// the text has said so already. end says that the instruction is the last one.
func (t *debugWriter) write(b *block, i int, end bool) {
	c := t.e.c
	f, line := t.origin(b, i)
	if marks := b.marks; t.moved {
		if i < len(b.code) {
			marks = b.code[i].marks
		}
		t.pass("passes", marks)
	}
	passed, begun := t.passed, t.begun
	t.passed, t.begun = nil, false
	begins := false
	if n := len(passed) - 1; n >= 0 {
		m := passed[n]
		if line < 1 { // code of no line
			f, line = m.frame, m.line
		}
		if begins = m.way == "passes" && m.line == line && m.frame.scope == f.scope; begins {
			passed = passed[:n]
		}
	}
	if line < 1 {
		if t.line != 0 || begun {
			t.line, t.calls, t.vars = 0, "", nil
			t.e.writeLine(noLine)
		}
		return
	}
	vars, calls := t.variables(b, i, end && b.awaited() != "", f, line), t.callsOf(f)
	gone := func(v string) bool { return !slices.Contains(vars, v) }
	said := t.line == line && t.calls == calls && !slices.ContainsFunc(t.vars, gone)
	if said && !begun && !begins && len(passed) == 0 && (!end || b.awaited() == "") {
		return
	}
	t.line, t.calls, t.vars = line, calls, vars
	var parts []string
	if calls != "" {
		parts = append(parts, "in"+calls)
	}
	for _, m := range passed {
		parts = append(parts, t.passText(m, line))
	}
	if begins {
		parts = append(parts, "begins")
	}
	parts = append(parts, vars...)
	if end && b.awaited() != "" {
		parts = append(parts, "awaits "+b.awaited())
	}
	if parts == nil {
		parts = []string{"continues"}
	}
	text, detail := c.lineDirective(line), strings.Join(parts, "; ")
	if c.debugText += len(detail); c.debugText <= mostDebugText {
		text += fmt.Sprintf(", %q", detail)
	}
	t.e.writeLine(fmt.Sprintf("%-40s ; %s", text, remark(strings.TrimSpace(c.lines[line-1]))))
}

// origin returns the frame and the line of an instruction of a block, or of its end. Loads and stores that a pass has
// inserted have the origin of the next instruction.
func (t *debugWriter) origin(b *block, i int) (*frame, int) {
	for _, x := range b.code[i:] {
		if x.frame != nil {
			return x.frame, x.line
		}
	}
	return cmp.Or(b.frame, &frame{scope: t.e.u.scopes[0]}), b.line
}

package compile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/isa"
	"emsim/programs"
)

// segmentWords is the size of an operand segment. The displacements of its nodes and words are smaller.
const segmentWords = 64

// assemblyLine returns a line of assembly text.
func assemblyLine(name, args string) string {
	return strings.TrimRight(fmt.Sprintf("    %-7s %s", name, args), " ")
}

var words = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// libraryNames returns the reserved names, which names of the program must not equal: registers, options, prefixes of
// the compiler's own labels, and all words of the library.
func libraryNames() map[string]bool {
	taken := map[string]bool{"fp": true, "main": true, "init": true, "answer": true, "new": true, "own": true, "short": true, "back": true, "seek": true, "room": true, "next": true, "nowhere": true, "enter": true, "go": true, "df": true}
	for r := range 16 {
		taken[fmt.Sprintf("r%d", r)] = true
	}
	for _, name := range OptionNames() {
		taken[name] = true
	}
	for _, file := range []string{"lib/place.s", "lib/go.s", "lib/read.s"} {
		text, _ := programs.Source(file)
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, ";")
			for _, w := range words.FindAllString(line, -1) {
				taken[w] = true
			}
		}
	}
	return taken
}

// emitter writes the text of one unit.
type emitter struct {
	c     *compiler
	u     *unit
	color []int // by register: its machine register, or 0 if it is not used
	out   []string
	tell  *debugWriter
	goals map[string]bool // labels that the code jumps to
	cold  []*block        // cold blocks still to be written

	placed map[*block]bool // blocks that belong to a chunk

	words   int            // number of words that the unit would need in one segment
	further [][]part       // the parts in each further segment
	in      map[string]int // by name: the segment of a part; 0: the first, 1: the first further one
	now     int            // the segment that fp points to, numbered likewise
}

// emitProgram returns the assembly text of the whole program.
func (c *compiler) emitProgram() (string, error) {
	var templates, system, directives, argBlocks []string
	for _, u := range c.units {
		c.bounded(func() { templates = append(templates, c.unitText(u)...) })
	}
	c.bounded(func() {
		directives, argBlocks = c.argLines()
		for _, u := range c.roots {
			system = append(system, c.unitText(u)...)
		}
	})
	if c.failed() {
		return "", c.errs
	}
	base := remark(filepath.Base(c.name))
	out := []string{
		"//go:build ignore", "",
		fmt.Sprintf("; %s, compiled by emsim from %s (blocks %s, guards at the %s)", c.entry.decl.Name.Name, base, c.opt.Blocks, c.opt.Guards),
		"", `.include "lib/place.s"`, `.include "lib/go.s"`,
	}
	if c.asks {
		out = append(out, `.include "lib/read.s"`)
	}
	out = append(out, "")
	out = append(out, c.opt.paramLines()...)
	out = append(out, directives...)
	out = append(out, ".result "+resultText(c.entry.result), ".init init", "")
	enter, returned := c.returned()
	out = append(append(append(out, templates...), noLine), enter...)
	out = append(out, "; ---------------------------------------------------------------------------", "; System blocks", "")
	out = append(out, argBlocks...)
	out = append(out, system...)
	out = append(append(out, c.serverBlocks()...), returned...)
	out = append(out, c.dataWords()...)
	return strings.Join(out, "\n") + "\n", nil
}

// noLine says that what follows comes from no line of the program.
const noLine = "    .line"

// serverBlocks returns the blocks that serve requests for instances, and the block that gets the entry's result.
func (c *compiler) serverBlocks() []string {
	out := []string{noLine, "answer:                                  ; the first instance's result", assemblyLine("out!", "r1"), ""}
	unused := "df.none"
	for _, f := range c.order {
		if !f.lowered || f.of != nil {
			continue
		}
		out = append(out, c.servers(f)...)
		if f.place == "mlpe" {
			unused = f.name
			if f.own != nil {
				unused += ", own.reserve"
			}
		}
	}
	if c.sink {
		out = append(out, "go.nowhere:                              ; a result that nobody waits for", assemblyLine("nop!", ""), "")
	}
	if unused == "df.none" {
		out = append(out, "    .template df.none                    ; for MLPE, which nothing here uses", assemblyLine("nop!", ""), "    .endtemplate")
	}
	if c.asks {
		out = append(out, "    read_blocks", "")
	}
	return append(out, "    place_blocks "+unused, "")
}

// dataWords returns the words of every PE: for arrays of package df, tables, large constants and the library.
func (c *compiler) dataWords() []string {
	out := []string{"; ---------------------------------------------------------------------------", "; Words of every PE", ""}
	for _, a := range c.arrays {
		out = append(out, c.spreadWords(a)...)
	}
	if out = append(out, c.tableLines()...); c.asks {
		out = append(out, "    read_data")
	}
	return append(out, "    place_data")
}

// tableLines returns tables, large constants and words of system code.
func (c *compiler) tableLines() (out []string) {
	for _, t := range c.tables {
		comment := c.lineName(t.line)
		if t.words == nil {
			out = append(out, fmt.Sprintf("%-40s ; %s", fmt.Sprintf("%s: .space %d", t.label, t.size), comment))
			continue
		}
		out = append(out, fmt.Sprintf("%-40s ; %s", t.label+":", comment))
		for part := range slices.Chunk(t.words, 8) {
			list := lists.Of(part, func(w int64) string { return fmt.Sprint(w) })
			out = append(out, assemblyLine(".word", strings.Join(list, ", ")))
		}
	}
	out = append(out, lists.Of(c.pool, func(v int64) string { return fmt.Sprintf("%s: .word %#x", c.consts[v], v) })...)
	return append(out, c.static...)
}

// unitText runs the passes of a unit and writes it.
func (c *compiler) unitText(u *unit) []string {
	if u.merges {
		u.mergeMoves()
	}
	u.foldMoves()
	u.assignHomes()
	e := &emitter{c: c, u: u, color: u.colors(), goals: map[string]bool{}, placed: map[*block]bool{}, in: map[string]int{}}
	u.linkBlocks()
	e.tell = e.newDebugWriter()
	if !u.system {
		e.fit()
		c.sizes[u.name] = c.sized(e)
	}
	e.writeLine("; " + u.title)
	words := &c.static
	if !u.system {
		e.writeLine(".template " + u.name)
		words = &e.out
	}
	for _, w := range u.words {
		if e.in[w] == 0 {
			*words = append(*words, fmt.Sprintf("%s: .space %d", w, u.space(w)))
		}
	}
	for i := range e.further {
		e.writeLine(fmt.Sprintf("%s: .space 1", e.furtherWord(i+1)))
	}
	chunks, ends := e.chunks(), e.ends()
	e.moveMarks(slices.Concat(chunks, ends))
	e.layout(chunks)
	for _, k := range ends {
		e.chunk(k, false)
	}
	if !u.system {
		e.writeLine(".endtemplate")
		e.furtherTemplates()
	}
	return append(append(e.needed(), c.awaitLines(u)...), "")
}

func (e *emitter) writeLine(s string) { e.out = append(e.out, s) }

func (e *emitter) blockName(b *block) string {
	switch {
	case b.panics != "":
		return fmt.Sprintf("%s.panic_%s%d", e.u.name, b.panics, b.id)
	case b.node != nil:
		return b.node.name
	}
	return fmt.Sprintf("%s.b%d", e.u.name, b.id)
}

// jumpGoal returns the name of a block, and records that the code jumps to it.
func (e *emitter) jumpGoal(b *block) string {
	e.goals[e.blockName(b)] = true
	return e.blockName(b)
}

// needed returns the lines, except labels that nothing uses.
func (e *emitter) needed() []string {
	inner := map[string]bool{}
	for _, b := range e.u.blocks {
		if b.node == nil && b.panics == "" && !e.goals[e.blockName(b)] {
			inner[e.blockName(b)+":"] = true
		}
	}
	return slices.DeleteFunc(e.out, func(s string) bool { return inner[s] })
}

func (e *emitter) label(b *block) {
	s := e.blockName(b) + ":"
	if b.node != nil && (b.node.name == e.u.name+".start" || strings.HasPrefix(b.node.name, e.u.name+".args")) {
		e.u.begins = append(e.u.begins, b.node.name)
	}
	if b.node != nil && b.node.why != "" {
		s = fmt.Sprintf("%-40s ; %s", s, b.node.why)
	}
	e.writeLine(s)
}

// chunk writes a node and its code. far says that the node's word lies elsewhere, so only the code is written.
func (e *emitter) chunk(k *chunk, far bool) {
	if !far && k.root.node != nil {
		e.before(k.root)
	}
	e.writeLine("")
	for i, b := range k.list {
		var after *block
		if i+1 < len(k.list) {
			after = k.list[i+1]
		}
		if e.now = 0; b == k.root && far {
			e.writeLine(b.node.name + ".code:")
			e.now = e.from(b)
		} else {
			e.label(b)
		}
		e.block(b, after, b == k.root && b.node != nil && !far)
	}
}

// block writes one block; after is the block that is written next.
func (e *emitter) block(b, after *block, first bool) {
	pre := e.entryMoves(b)
	gets := len(e.further) > 0 && b == e.u.entries[0]
	if first {
		e.tell.pass("arrived", b.first)
	}
	e.tell.enter(b, first, len(pre) > 0 || gets || e.now > 0)
	if e.switchTo(0); gets {
		e.getFurther()
	}
	for i := range pre {
		e.instr(&pre[i], false)
	}
	ends := len(b.next) == 0 && !b.ended
	last := e.lastOf(b)
	for i := range b.code {
		if x := &b.code[i]; e.vanishes(x) {
			e.tell.pass("passes", x.marks)
		} else {
			end := ends && i == last && !x.other().macro
			e.tell.write(b, i, end)
			e.instr(x, end)
		}
	}
	if ends && (last < 0 || b.code[last].other().macro) {
		e.tell.write(b, len(b.code), true)
		e.writeLine(assemblyLine("nop!", ""))
	}
	if len(b.next) > 0 {
		e.switchTo(0)
	}
	switch len(b.next) {
	case 1:
		if b.next[0] != after && e.repeats(b.next[0]) {
			e.block(b.next[0], nil, false)
		} else if b.next[0] != after {
			e.tell.write(b, len(b.code), false)
			e.writeLine(assemblyLine("jmp", e.jumpGoal(b.next[0])))
		}
	case 2:
		e.branch(b, after)
	}
}

// mostRepeated bounds the instructions of a block that is written again instead of a jump to it, if the strongly
// connected block ends there [chosen: this takes at most two more words].
const mostRepeated = 3

// repeats reports whether a block is written again instead of jumps to it.
func (e *emitter) repeats(b *block) bool {
	return len(b.next) == 0 && b.node == nil && b.panics == "" && len(b.code) <= mostRepeated
}

// vanishes reports whether an instruction moves a machine register to itself.
func (e *emitter) vanishes(x *instr) bool {
	return x.op == move && x.args[1].kind == isUse && e.color[x.args[0].reg] == e.color[x.args[1].reg]
}

func (e *emitter) branch(b, after *block) {
	yes, no, test, ways := b.next[0], b.next[1], b.branch, b.ways
	if opposite, ok := map[opcode]opcode{isa.BEQ: isa.BNE, isa.BNE: isa.BEQ}[test]; yes == after && ok {
		test, yes, no, ways = opposite, no, yes, [2][]mark{ways[1], ways[0]}
	}
	e.tell.pass("taken", ways[0])
	e.tell.pass("untaken", ways[1])
	e.tell.write(b, len(b.code), false)
	e.writeLine(assemblyLine(isa.Table[test].Name, e.operand(b.conds[0])+", "+e.operand(b.conds[1])+", "+e.jumpGoal(yes)))
	if no != after {
		e.writeLine(assemblyLine("jmp", e.jumpGoal(no)))
	}
}

// entryMoves returns the moves of a node's operands from r1 and r2 to their registers.
func (e *emitter) entryMoves(b *block) []instr {
	var list []instr
	at := []int{0, 0}
	for i, r := range b.in {
		if r != none {
			at[i] = e.color[r] // 0 if nothing reads it
		}
	}
	order := []int{0, 1}
	switch {
	case at[0] == 2 && at[1] == 1:
		for _, to := range []int{1, 2, 1} {
			list = append(list, instr{op: isa.XOR, args: []arg{machineArg(to), machineArg(1), machineArg(2)}, line: b.line})
		}
		return list
	case at[0] == 2: // the first operand goes to r2, so the second one has to leave it first
		order = []int{1, 0}
	}
	for _, i := range order {
		if at[i] != 0 && at[i] != i+1 {
			list = append(list, instr{op: move, args: []arg{machineArg(at[i]), machineArg(i + 1)}, line: b.line})
		}
	}
	return list
}

func (e *emitter) operand(a arg) string {
	switch a.kind {
	case isUse, isDef:
		return fmt.Sprintf("r%d", e.color[a.reg])
	case isMachine:
		if a == fp {
			return "fp"
		}
		return fmt.Sprintf("r%d", a.n)
	case isSpecial:
		return isa.SpecialNames[a.n]
	case isNumber:
		return fmt.Sprint(a.n)
	case isServer:
		return "new." + a.node.name
	case isLabel:
		return labelPlus(a.name, a.n)
	}
	return "@" + labelPlus(a.displaced(), a.n)
}

func (e *emitter) instr(x *instr, end bool) {
	name := x.name()
	if end {
		name += "!"
	}
	if s := e.segmentOf(x); s >= 0 {
		e.switchTo(s)
	}
	if x.op == isa.RELSEG {
		e.releaseFurther()
	}
	list := lists.Of(x.args, e.operand)
	e.writeLine(assemblyLine(name, strings.Join(list, ", ")))
}

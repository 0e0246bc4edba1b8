package randprog

import (
	"fmt"
	"strings"

	"emsim/packet"
)

// placeWords is the length of the macro place.
const placeWords = 13

const place = `.macro place d, x                ; d = the PE that x chooses
    rds   r12, k
    mov   r13, 1
    shl   r13, r13, r12
    sub   r13, r13, 1
    and   r13, \x, r13
    rds   \d, gapos
    shl   r13, r13, \d
    add   r12, r12, 1
    shr   \d, \x, 5
    and   \d, \d, 4095
    rem   \d, \d, r12
    shl   \d, \d, 18
    or    \d, \d, r13
.endm

`

// render returns the program's text: templates, system blocks and variables.
func (g *gen) render() string {
	var b strings.Builder
	for _, f := range g.fns {
		f.render(&b)
	}
	text := b.String()
	if f := g.firstFunction(); g.p.Dynamic {
		fill := "fill"
		if g.coinToss() {
			fill = fmt.Sprintf("%#x", packet.PrefetchAddr)
		}
		fmt.Fprintf(&b, mlpe, f.name, fill)
	}
	for _, x := range g.systemBlocks() {
		if strings.Contains(text, x[0]) || g.init && x[0] == "add0" {
			fmt.Fprintf(&b, "%s:\n%s\n", x[0], x[1])
		}
	}
	for v := range sums {
		fmt.Fprintf(&b, "sum%d: .space 1\n", v)
	}
	for v := range g.puts {
		fmt.Fprintf(&b, "var%d: .space 1\n", v)
	}
	b.WriteString("table:\n")
	if len(g.tables) > 0 {
		b.WriteString("    .word " + strings.Trim(strings.ReplaceAll(fmt.Sprint(g.tables), " ", ", "), "[]") + "\n")
	}
	if zeros := tableWords - len(g.tables); zeros > 0 {
		fmt.Fprintf(&b, "    .space %d\n", zeros)
	}
	fmt.Fprintf(&b, "mine: .space %d\nfirst: .space 1\n", tableWords)
	return b.String()
}

// systemBlocks returns the names and code of all system blocks. Only blocks in use become part of the program.
func (g *gen) systemBlocks() (list [][2]string) {
	for _, f := range g.fns {
		list = append(list, [2]string{"new_" + f.name, fmt.Sprintf("    getseg r3, %s\n    send! r3, r1, 0\n", f.name)})
	}
	list = append(list,
		[2]string{"release", "    relseg! r1\n"},
		[2]string{"query", "    rds r3, ga\n    shl r3, r3, 5\n    rds r4, ca\n    add r3, r3, r4\n" +
			"    ld r4, r0, mine + 3\n    xor r3, r3, r4\n    send! r3, r1, 0\n"})
	for v := range sums {
		list = append(list, [2]string{
			fmt.Sprintf("add%d", v),
			fmt.Sprintf("    ld r3, r0, sum%d\n    %s r3, r3, r1\n    st! r3, r0, sum%d\n", v, sumOp(v), v),
		})
	}
	for v := range g.puts {
		list = append(list,
			[2]string{fmt.Sprintf("put%d", v), fmt.Sprintf("    st! r1, r0, var%d\n", v)},
			[2]string{fmt.Sprintf("fetch%d", v), fmt.Sprintf("    ld r3, r0, var%d\n    send! r3, r1, 0\n", v)})
	}
	return list
}

// mlpe is code as in fib: the answer to a search is a prefetched segment, which a block or its packet puts into the
// register.
const mlpe = `found:
    and r3, r1, 15
    mov r4, 15
    beq r3, r4, .again
    rds r4, pe
    send.d! r4, r1, prefetch
.again:
    mlpe! found
prefetch:
    getseg r3, %s
    send.d! r3, r1, %s
fill:
    wrs! mlpe, r1

`

// render writes one template. It writes the code of a node into the template if a word is left for each later node;
// otherwise it writes a jump to the code, which follows the template.
func (f *function) render(b *strings.Builder) {
	fmt.Fprintf(b, ".template %s\n", f.name)
	at, behind := 1, []*node{}
	for i, n := range f.nodes {
		left := len(f.nodes) - i - 1
		fmt.Fprintf(b, "%s:\n", n.label)
		if at+n.words()+left <= firstSlot {
			f.writeNode(b, n)
			at += n.words()
			continue
		}
		fmt.Fprintf(b, "    jmp %s_code\n", n.label)
		at++
		behind = append(behind, n)
	}
	b.WriteString(".endtemplate\n\n")
	for _, n := range behind {
		fmt.Fprintf(b, "%s_code:\n", n.label)
		f.writeNode(b, n)
	}
	b.WriteString("\n")
}

func (f *function) writeNode(b *strings.Builder, n *node) {
	for _, l := range n.lines {
		if l.op == "" {
			fmt.Fprintf(b, "%s:\n", l.label)
			continue
		}
		fmt.Fprintln(b, strings.TrimRight("    "+f.settle(l.op, true)+" "+f.settle(l.args, false), " "))
	}
}

// headText returns the head of the program: arguments, the init block, main.
func (g *gen) headText(two bool, body string) string {
	var b strings.Builder
	if g.init || strings.Contains(body, "place") {
		b.WriteString(place)
	}
	if two {
		b.WriteString(".arg first, 0, 4294967295, keep\n")
	}
	b.WriteString(".arg last, 0, 4294967295, main\n")
	if g.init {
		b.WriteString(".init init\n")
	}
	if two {
		b.WriteString("keep:\n    st! r1, r0, first\n")
	}
	b.WriteString("main:\n")
	if two {
		b.WriteString("    ld r2, r0, first\n    xor r1, r1, r2\n")
	}
	b.WriteString("    getseg r3, root\n    send.1! r1, r3, @root_start\n\n")
	if !g.init {
		return b.String()
	}
	b.WriteString("init:                            ; every PE: a table of its own, and a packet to another\n" +
		"    rds r1, ga\n    rds r2, ca\n    shl r1, r1, 4\n    add r1, r1, r2\n" +
		"    mov r9, 8\n.fill:\n    mul r1, r1, 69069\n    add r1, r1, 1\n    st r1, r9, mine - 1\n" +
		"    sub r9, r9, 1\n    bne r9, r0, .fill\n    place r14, r1\n")
	if g.p.Dynamic {
		b.WriteString("    mlpe found\n")
	}
	b.WriteString("    send.d! r1, r14, add0\n\n")
	return b.String()
}

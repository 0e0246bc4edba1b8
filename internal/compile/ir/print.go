package ir

import (
	"fmt"
	"math"
	"strings"
)

var typeNames = [...]string{"int32", "uint32", "float32", "bool", "end"}

// String returns the type as Go names it, or "end".
func (t Type) String() string { return typeNames[t] }

var opNames = [ops]string{
	"copy", "add", "sub", "mul", "div", "rem", "and", "or", "xor", "andnot", "shl", "shr", "neg", "not", "less", "lesseq", "equal", "notequal",
	"min", "max", "tofloat", "pes", "method", "check", "load", "store", "call", "open", "start", "send", "close", "leave", "receive", "next", "drop", "output", "panic", "line",
}

// String returns the name of the operation in the text.
func (o Op) String() string { return opNames[o] }

// String returns the value's name in the text, with its ID, or the constant.
func (v *Value) String() string {
	switch {
	case !v.Constant && v.Name != "":
		return fmt.Sprintf("%s.%d", v.Name, v.ID)
	case !v.Constant:
		return fmt.Sprintf("v%d", v.ID)
	case v.Type == Bool:
		return fmt.Sprint(v.Word != 0)
	case v.Type == Uint32:
		return fmt.Sprint(uint32(v.Word))
	case v.Type == Float32:
		return fmt.Sprintf("%gf", math.Float32frombits(uint32(v.Word)))
	}
	return fmt.Sprint(v.Word)
}

// printer writes a function as text.
type printer struct {
	strings.Builder
	labels map[*Label]string
	indent int
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(p, "%s%s\n", strings.Repeat("\t", p.indent), fmt.Sprintf(format, args...))
}

// label gives a label a name of the given kind and returns the name.
func (p *printer) label(l *Label, kind string) string {
	p.labels[l] = fmt.Sprint(kind, len(p.labels))
	return p.labels[l]
}

// typed formats values with their types, as definitions have them.
func typed(list []*Value) string {
	var parts []string
	for _, v := range list {
		parts = append(parts, v.String()+" "+v.Type.String())
	}
	return strings.Join(parts, ", ")
}

// listed formats values without their types.
func listed(list []*Value) string {
	var parts []string
	for _, v := range list {
		parts = append(parts, v.String())
	}
	return strings.Join(parts, ", ")
}

// String returns the program as text.
func (p *Program) String() string {
	var b strings.Builder
	for _, t := range p.Tables {
		fmt.Fprintf(&b, "table %s [%d]\n", t.Name, t.Words)
	}
	for _, f := range append(append([]*Func{}, p.Inits...), p.Funcs...) {
		fmt.Fprintf(&b, "\n%s", f)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// String returns the function as text.
func (f *Func) String() string {
	p := &printer{labels: map[*Label]string{f.End: "return"}}
	var results []string
	for _, t := range f.Results {
		results = append(results, t.String())
	}
	head := fmt.Sprintf("func %s(%s)", f.Name, typed(f.Params))
	if results != nil {
		head += " " + strings.Join(results, ", ")
	}
	p.line("%s {", head)
	p.indent++
	for _, ch := range f.Channels {
		p.line("channel %s", ch.Name)
	}
	for _, m := range f.Arrays {
		p.line("array %s [%d]", m.Name, m.Words)
	}
	p.region(f.Body)
	p.indent--
	p.line("}")
	return p.Builder.String()
}

func (p *printer) region(r *Region) {
	for _, n := range r.Nodes {
		switch n := n.(type) {
		case *Instr:
			p.instr(n)
		case *If:
			end := p.label(n.End, "end")
			p.line("if %s {", n.Cond)
			p.inner(n.Yes)
			p.line("} else {")
			p.inner(n.No)
			p.end(end, n.End)
		case *Block:
			end := p.label(n.End, "end")
			p.line("block {")
			p.inner(n.Body)
			p.end(end, n.End)
		case *Loop:
			next, end := p.label(n.Next, "turn"), p.label(n.End, "end")
			var first []string
			for i, v := range n.Next.Params {
				first = append(first, fmt.Sprintf("%s %s = %s", v, v.Type, n.First[i]))
			}
			p.line("%s", strings.TrimRight(fmt.Sprintf("loop %s: %s", next, strings.Join(first, ", ")), " ")+" {")
			p.inner(n.Body)
			p.end(end, n.End)
		}
	}
	if e := r.Exit; e != nil {
		p.line("%s", strings.TrimSpace("to "+p.labels[e.To]+" "+listed(e.Values)))
	}
}

func (p *printer) inner(r *Region) {
	p.indent++
	p.region(r)
	p.indent--
}

// end writes the end of a node and the label after it.
func (p *printer) end(name string, l *Label) {
	p.line("%s", strings.TrimSpace("} "+name+": "+typed(l.Params)))
}

func (p *printer) instr(x *Instr) {
	text := x.Op.String()
	switch {
	case x.Op == Mark:
		p.line("line %d", x.Line)
		return
	case x.Callee != nil:
		text += " " + x.Callee.Name
	case x.Channel != nil:
		text += " " + x.Channel.Name
	case x.Panics != "":
		text += " " + x.Panics
	case x.Memory != nil:
		text += fmt.Sprintf(" %s+%d", x.Memory.Name, x.Offset)
	}
	if len(x.Args) > 0 {
		text += " " + listed(x.Args)
	}
	if len(x.Results) > 0 {
		text = typed(x.Results) + " = " + text
	}
	p.line("%s", text)
}

// Command doc writes the tables of docs/ISA.md from the instruction table: go
// generate ./isa
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/wholefile"
	"emsim/isa"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run writes the tables of the page that args names, and returns the exit status.
func run(args []string, errs io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(errs, "usage: doc FILE (run it as: go generate ./isa)")
		return 2
	}
	old, err := os.ReadFile(args[0])
	if err == nil {
		err = wholefile.WriteFile(args[0], []byte(isaPage(string(old))), 0o666)
	}
	if err != nil {
		fmt.Fprintln(errs, err)
		return 1
	}
	return 0
}

// operands lists for each operand letter how it is written, its field in the instruction word, and its meaning.
var operands = []struct {
	letter            rune
	text, field, what string
}{
	{isa.LetterD, "rd", "D", "register that gets the result"},
	{isa.LetterA, "ra", "A", "register"},
	{isa.LetterB, "rb", "B", "register"},
	{isa.LetterS, "s", "B or constant", "register, or constant %d..%d (literal bit set)"},
	{isa.LetterI, "i", "constant", "constant %d..%d: a displacement or an address; with `.d` a code address"},
	{isa.LetterX, "x", "constant", "code address 0..%d"},
	{isa.LetterM, "m", "constant", "special register by name, its number in the word"},
	{isa.LetterO, "o", "B", "order of PEs by name, its number in the word"},
	{isa.LetterN, "n", "constant", "number of steps, %d..%d"},
}

// isaPage rewrites all tables of the page whose text is old, and returns the new text.
func isaPage(old string) string {
	for _, t := range []struct {
		title, head, rule string
		rows              func(b *strings.Builder)
	}{
		{
			"Instructions", "code | instruction | clocks | what it does | source", "--: | --- | --- | --- | ---",
			instructions,
		},
		{"Operands", "operand | field | what it is", "--- | --- | ---", operandTable},
		{
			"Suffixes", "number | suffix | the packet or continuation is for | instructions",
			"--: | --- | --- | ---", formTable,
		},
		{"Aliases", "alias | what it does", "--- | ---", aliases},
		{"Special registers", "number | name | what it holds", "--: | --- | ---", specials},
		{"Orders of PEs", "number | name | the steps", "--: | --- | ---", orders},
	} {
		before, rest, _ := strings.Cut(old, "\n## "+t.title+"\n\n")
		for strings.HasPrefix(rest, "|") {
			_, rest, _ = strings.Cut(rest, "\n")
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n## %s\n\n| %s |\n| %s |\n", before, t.title, t.head, t.rule)
		t.rows(&b)
		old = b.String() + rest
	}
	return old
}

func aliases(b *strings.Builder) {
	for _, a := range isa.Aliases {
		fmt.Fprintf(b, "| `%s` | %s |\n", written(a.Name, a.Operands), escape(a.Doc))
	}
}

func specials(b *strings.Builder) {
	for i, name := range isa.SpecialNames {
		fmt.Fprintf(b, "| %d | `%s` | %s |\n", i, name, escape(isa.SpecialDocs[i]))
	}
}

func orders(b *strings.Builder) {
	for i, name := range isa.OrderNames {
		fmt.Fprintf(b, "| %d | `%s` | %s |\n", i, name, escape(isa.OrderDocs[i]))
	}
}

func instructions(b *strings.Builder) {
	for op := range isa.Table {
		row := &isa.Table[op]
		name := row.Name
		if n := isa.FormsOf(isa.Op(op)); n > 1 {
			name += "[" + strings.Join(isa.Suffixes[1:n], "\\|") + "]"
		}
		mark := map[bool]string{true: " (assumed)"}[row.Assumed]
		fmt.Fprintf(b, "| %d | `%s` | %s%s | %s | %s |\n", op, written(name, row.Operands), clocks(row), mark,
			escape(row.Doc), row.Source)
	}
}

// clocks returns the clocks of an instruction as a sum: the fetch, further memory clocks, clocks without memory and,
// for packets, the second word.
func clocks(row *isa.Row) string {
	s := "1"
	if row.Mem > 0 {
		s += fmt.Sprintf(" + %d mem", row.Mem)
	}
	if row.Extra > 0 {
		s += fmt.Sprintf(" + %d", row.Extra)
	}
	if row.Class == isa.ClassSend {
		s += " + 1 word"
	}
	return s
}

// written returns an instruction as it is written in a program.
func written(name, letters string) string {
	list := lists.Of([]rune(letters), operandText)
	return strings.TrimSpace(name + " " + strings.Join(list, ", "))
}

func operandText(letter rune) string {
	for _, o := range operands {
		if o.letter == letter {
			return o.text
		}
	}
	return "?"
}

func operandTable(b *strings.Builder) {
	for _, o := range operands {
		what := o.what
		switch o.letter {
		case isa.LetterS, isa.LetterI:
			what = fmt.Sprintf(what, isa.ImmMin, isa.ImmMax)
		case isa.LetterX:
			what = fmt.Sprintf(what, isa.ImmMax)
		case isa.LetterN:
			what = fmt.Sprintf(what, -isa.MaxSteps, isa.MaxSteps)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", o.text, o.field, what)
	}
}

// formDocs describes the suffixes, in order.
var formDocs = [...]string{
	isa.FormCont:   "the matching condition of the continuation `ra`",
	isa.FormOne:    "a one-operand node: it fires at once",
	isa.FormLeft:   "left operand of a two-operand node",
	isa.FormRight:  "right operand of a two-operand node",
	isa.FormDirect: "direct mode: the constant is the code address of a system block",
}

func formTable(b *strings.Builder) {
	for f, doc := range formDocs {
		var users []string
		for op := range isa.Table {
			if n := isa.FormsOf(isa.Op(op)); n > 1 && isa.Form(f) < n {
				users = append(users, "`"+isa.Table[op].Name+"`")
			}
		}
		suffix := "none"
		if s := isa.Suffixes[f]; s != "" {
			suffix = "`" + s + "`"
		}
		fmt.Fprintf(b, "| %d | %s | %s | %s |\n", f, suffix, doc, strings.Join(users, ", "))
	}
}

func escape(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

package engine

import (
	"fmt"
	"io/fs"
	"strings"

	"emsim/asm"
	"emsim/isa"
	"emsim/omega"
	"emsim/programs"
)

// Catalogue lists everything that the user can choose.
type Catalogue struct {
	Programs  []Program `json:"programs"`
	Sizes     []int     `json:"sizes"` // of machines
	Knobs     []Knob    `json:"-"`     // of the machine
	Words     []Word    `json:"words"` // of the assembly language, for completion
	Exercises []Task    `json:"exercises"`
}

// Program is a program that the page offers.
type Program struct {
	Name string   `json:"name"`
	Main string   `json:"main"`
	Does string   `json:"does"`
	Args []string `json:"args"` // typical arguments for a few PEs
	Own  bool     `json:"own"`  // it is a template for the user's own program
}

// Knob is a parameter of the machine.
type Knob struct {
	Key, Unit, Range string
	Values           []string // the possible words
	Default          string
	Doc, Source      string
}

// Word is a word of the assembly language, in the form of a completion of CodeMirror.
type Word struct {
	Label  string `json:"label"`
	Type   string `json:"type"`             // keyword: an instruction; type: a directive; or variable, constant, text: a file
	Detail string `json:"detail,omitempty"` // the operands
	Info   string `json:"info,omitempty"`
}

// State is a letter of Frame.State, with the name of its colour on the page and its meaning.
type State struct{ Letter, Ink, Doc string }

// largestPage is the size of the largest machine that a page offers [chosen: the picture of a larger one would show no
// detail].
const largestPage = 1024

// TheCatalogue returns the catalogue.
func TheCatalogue() *Catalogue {
	c := &Catalogue{Programs: offered(), Exercises: tasks(), Knobs: knobs(), Words: glossary()}
	for k := omega.MinK; ; k++ {
		t, err := omega.New(k)
		if err != nil || t.N > largestPage {
			break
		}
		c.Sizes = append(c.Sizes, t.N)
	}
	return c
}

// fewPEs are arguments with which a few PEs finish within some seconds.
var fewPEs = map[string][]string{
	"fib": {"10"}, "knapsack": {"8"}, "loop": {"20"}, "matmul": {"8"}, "pi": {"22"}, "queens": {"6"}, "sort": {"100"},
	"stream": {"20"}, "sum": {"1000"},
}

// offered returns emsim's programs, including the ones in Go, and the templates for the user's own programs.
func offered() []Program {
	var list, compiled []Program
	for _, p := range programs.List() {
		list = append(list, Program{Name: p.Name, Main: p.Name + ".s", Does: p.Does, Args: fewPEs[p.Name]})
		main := p.Name + ".go"
		if _, ok := programs.GoSource(main); ok {
			compiled = append(compiled, Program{Name: main, Main: main, Does: p.Does + ", in Go", Args: fewPEs[p.Name]})
		}
	}
	list = append(list, compiled...)
	for _, p := range programs.Starts() {
		main := "my" + p.Name + ".s"
		list = append(list, Program{
			Name: "my" + p.Name, Main: main, Does: p.Does, Args: p.Args,
			Own: true,
		})
	}
	return list
}

// glossary returns the words of the assembly language: instructions, directives, registers and files to include.
func glossary() []Word {
	var list []Word
	for op := range isa.Table {
		r := &isa.Table[op]
		list = append(list, Word{r.Name, "keyword", r.Operands, r.Doc})
	}
	for _, a := range isa.Aliases {
		list = append(list, Word{a.Name, "keyword", a.Operands, a.Doc})
	}
	for _, name := range asm.Directives() {
		list = append(list, Word{Label: name, Type: "type"})
	}
	for r := range isa.Registers - 1 {
		list = append(list, Word{Label: fmt.Sprintf("r%d", r), Type: "variable"})
	}
	list = append(list, Word{Label: "fp", Type: "variable", Info: "the operand segment of the instance"})
	for _, name := range isa.SpecialNames {
		list = append(list, Word{Label: name, Type: "constant"})
	}
	_ = fs.WalkDir(programs.Library(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".s") {
			list = append(list, Word{Label: path, Type: "text"})
		}
		return err
	})
	return list
}

// states returns the letters of Frame.State with their meanings.
func states() []State {
	return []State{
		{"R", "runs", "runs: the EXU executes a block"},
		{"M", "matches", "matches: the FMU works on a packet"},
		{"S", "spills", "spills: the IBU writes packets to its MIB, or reads them back"},
		{"W", "waits", "waits for the network: the switch has not taken the EXU's packet"},
		{"o", "partner", "waits for a partner: operands wait for partners that have not arrived"},
		{".", "idle", "has no work"},
		{"!", "failed", "has failed"},
	}
}

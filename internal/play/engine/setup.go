package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/run"
	"emsim/internal/play/engine/compiled"
	"emsim/programs"
)

// Setup describes a program and the machine that runs it.
type Setup struct {
	Main   string            `json:"main"`            // file name of the program
	Files  map[string]string `json:"files,omitempty"` // texts by file name; emsim's own files only if changed
	Args   []string          `json:"args,omitempty"`
	PEs    int               `json:"pes,omitempty"`    // 0 means 80
	Sets   map[string]string `json:"sets,omitempty"`   // knobs of the machine
	Params map[string]string `json:"params,omitempty"` // parameters of the program
	Seed   uint64            `json:"seed,omitempty"`   // 0 means 1

	Compiled *compiled.Program `json:"compiled,omitempty"` // the compiler's result for a main file in Go

	included []string // the files that the assembler has read
}

// Problem is one error of the program, with its place.
type Problem struct {
	File    string     `json:"file"`
	Line    int        `json:"line"`
	Column  int        `json:"column"`
	Width   int        `json:"width"`
	Message string     `json:"message"`
	Via     []asm.Step `json:"via,omitempty"` // the macros and includes that led to the place
}

// File is a text that belongs to the program.
type File struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	Own   bool   `json:"own"`   // the file is not in emsim's library
	Given bool   `json:"given"` // the text came with the Setup
	Made  bool   `json:"made"`  // the compiler made the text from the main file
}

// Param is a parameter of the program.
type Param struct {
	Name     string
	Values   []string // empty if the value is a number from Min to Max
	Min, Max int64
	Chosen   string
	Doc      string // the description in the program's text
}

// Arg is an argument of the program.
type Arg struct {
	Name string `json:"name"`
	Min  int64  `json:"min"`
	Max  int64  `json:"max"`
}

// Opened is the answer to a Setup. Without problems the machine is ready to run.
type Opened struct {
	Problems []Problem `json:"problems"`
	More     int       `json:"more,omitempty"`  // further problems
	Error    string    `json:"error,omitempty"` // about the machine, the parameters or the arguments
	Files    []File    `json:"files"`           // the main file first
	Params   []Param   `json:"-"`
	Args     []Arg     `json:"args"`
	Labels   []string  `json:"labels"`
	Form     string    `json:"form"` // the fields of parameters and knobs, as HTML
	Network  *Network  `json:"network,omitempty"`
	Frame    *Frame    `json:"frame,omitempty"`
}

// libraryFolder precedes the names of library files in an object.
const libraryFolder = "<emsim>/"

// fileText returns the text of a file.
func (s *Setup) fileText(name string) (string, bool) {
	name = strings.TrimPrefix(name, libraryFolder)
	if text, ok := s.Files[name]; ok {
		return text, true
	}
	return shipped(name)
}

// shipped returns the text of one of emsim's own files, or of a template for the user's own program.
func shipped(name string) (string, bool) {
	if text, ok := programs.Source(name); ok {
		return text, true
	}
	if start, ok := programs.StartNamed(strings.TrimPrefix(strings.TrimSuffix(name, ".s"), "my")); ok &&
		name == "my"+start.Name+".s" {
		return start.Text("my" + start.Name), true
	}
	return programs.GoSource(name)
}

// openFile returns a file's text to the assembler.
func (s *Setup) openFile(name string) ([]byte, error) {
	if text, ok := s.fileText(path.Clean(name)); ok {
		s.included = append(s.included, path.Clean(name))
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

// program returns the name of the program in messages; emsim's own programs have no .s.
func (s *Setup) program() string {
	name := strings.TrimSuffix(s.Main, ".s")
	if _, changed := s.Files[s.Main]; !changed && programs.Known(name) {
		return name
	}
	return s.Main
}

// machine returns the machine in the form of the command's flags.
func (s *Setup) machine() run.Machine {
	m := run.Machine{Name: "emc-r"}
	if s.PEs != 0 {
		m.PEs = &s.PEs
	}
	for _, key := range slices.Sorted(maps.Keys(s.Sets)) {
		m.Sets = append(m.Sets, key+"="+s.Sets[key])
	}
	return m
}

// files returns the texts of the program that have been read.
func (s *Setup) files() []File {
	list := []File{}
	for _, name := range append([]string{s.Main}, s.included...) {
		text, ok := s.fileText(name)
		if !ok || slices.ContainsFunc(list, func(f File) bool { return f.Name == name }) {
			continue
		}
		_, known := shipped(name)
		_, given := s.Files[name]
		list = append(list, File{Name: name, Text: text, Own: !known || name == s.Main, Given: given})
	}
	if s.Compiled != nil && s.Compiled.Text != "" && len(list) > 0 {
		list = slices.Insert(list, 1, File{Name: s.madeName(), Text: s.Compiled.Text, Made: true})
	}
	return list
}

func (s *Setup) madeName() string { return s.Main + ".s" }

// assemble assembles the main file, or the compiler's output for it.
func (s *Setup) assemble() (*asm.Object, error) {
	main, open, made := s.Main, s.openFile, (*asm.Made)(nil)
	if path.Ext(main) == ".go" {
		switch c := s.Compiled; {
		case c == nil:
			return nil, simerr.Usagef("%s must be compiled first", main)
		case c.Err() != nil:
			return nil, c.Err()
		case c.Error != "":
			return nil, simerr.Usagef("%s", c.Error)
		}
		text, _ := s.fileText(s.Main)
		main, made = s.madeName(), &asm.Made{File: s.Main, Text: []byte(text)}
		open = func(name string) ([]byte, error) {
			if name == main {
				return []byte(s.Compiled.Text), nil
			}
			return s.openFile(name)
		}
	}
	if err := programs.CheckPolicy(s.Params, s.openFile); err != nil {
		return nil, err
	}
	o, _, err := asm.Assemble(main, asm.Options{Open: open, OpenValue: s.openFile, Params: s.Params, Made: made})
	return o, err
}

// build assembles the program, loads it, runs the init blocks and begins the run. The object is nil if the program has
// errors.
func (s *Setup) build(ctx context.Context) (*run.Batch, *asm.Object, error) {
	seed := s.Seed
	if seed == 0 {
		seed = 1
	}
	if _, ok := s.fileText(s.Main); !ok {
		return nil, nil, simerr.Usagef("there is no program %q", s.Main)
	}
	config, err := s.machine().Config()
	if err != nil {
		return nil, nil, err
	}
	o, err := s.assemble()
	if err != nil {
		return nil, nil, err
	}
	t, err := run.Build(s.program(), o, config, seed)
	if err != nil {
		return nil, o, err
	}
	if err := t.GiveText(s.Args); err != nil {
		return nil, o, err
	}
	if err := t.Boot(ctx, 0); err != nil {
		return nil, o, err
	}
	b := run.New(t, run.Plan{Runs: 1, Window: 1})
	return b, o, b.Begin()
}

// paramDoc returns the comment on the line that declares a parameter. Lines that the assembler skips may declare a
// parameter of the same name with other values.
func paramDoc(files []File, p *asm.Param) string {
	named := slices.DeleteFunc(slices.Clone(p.Values), programs.IsPolicyFile)
	want := ".param" + p.Name + strings.Join(append([]string{""}, named...), ",")
	for _, f := range files {
		for line := range strings.Lines(f.Text) {
			code, doc, _ := strings.Cut(line, ";")
			code = strings.NewReplacer(`, "*.s"`, "", " ", "", "\t", "", "*", "").Replace(strings.TrimSpace(code))
			if code == want || len(p.Values) == 0 && strings.HasPrefix(code, want+"=") {
				return strings.TrimSpace(doc)
			}
		}
	}
	return ""
}

// answer returns the answer for an assembled or rejected program.
func (s *Setup) answer(o *asm.Object, err error) *Opened {
	x := &Opened{Problems: []Problem{}, Files: s.files(), Params: []Param{}, Args: []Arg{}, Labels: []string{}}
	var wrong asm.Errors
	switch {
	case errors.As(err, &wrong):
		x.More = wrong.More
		for _, e := range wrong.List {
			x.Problems = append(x.Problems,
				Problem{strings.TrimPrefix(e.File, libraryFolder), e.Line, e.Column, e.Width, e.Message, e.Chain})
		}
		x.Error = fmt.Sprintf("%s:%d:%d: %s", x.Problems[0].File, x.Problems[0].Line, x.Problems[0].Column,
			x.Problems[0].Message)
	case err != nil:
		x.Error = err.Error()
	}
	if o == nil {
		return x
	}
	for i := range o.Params {
		p := &o.Params[i]
		values := p.Values
		if s.Compiled != nil && s.Compiled.Choices[p.Name] != nil {
			values = s.Compiled.Choices[p.Name]
		}
		x.Params = append(x.Params, Param{
			p.Name, append([]string{}, values...), p.Min, p.Max, p.Chosen(),
			paramDoc(x.Files, p),
		})
	}
	for _, a := range o.Args {
		x.Args = append(x.Args, Arg{a.Name, a.Min, a.Max})
	}
	for _, sym := range o.Symbols {
		if sym.Kind != asm.Constant {
			x.Labels = append(x.Labels, sym.Name)
		}
	}
	slices.Sort(x.Labels)
	return x
}

package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/suggest"
	"emsim/internal/machine/machinefile"
	"emsim/packet"
	"emsim/programs"
)

// Machine chooses a machine. PEs take precedence over Sets, Sets over the file or preset.
type Machine struct {
	Name string   // of a preset or a file
	Sets []string // changes of knobs, KEY=VALUE
	PEs  *int     // nil means the machine's own
}

// Spec describes a run.
type Spec struct {
	Machine
	Program   string            // built-in name, assembly file or object file
	Args      []string          // as given
	Params    map[string]string // values of the program's parameters
	Include   []string          // folders with files that the program includes
	Seed      uint64
	MaxClocks uint64 // per run; 0 means no limit
	Threads   int    // number that step the machine, 1..64; 0 means auto (threads.Choice)

	Plan *Placement // the choice of placement auto or measured; nil until the program is read
}

// Config returns the checked configuration of the machine.
func (m Machine) Config() (em4.Config, error) {
	c, err := m.baseConfig()
	if err != nil {
		return c, err
	}
	if err := m.apply(&c); err != nil {
		return c, err
	}
	if m.PEs != nil {
		c.PEs = *m.PEs
	}
	if err := c.Validate(); err != nil {
		return c, &simerr.Usage{Err: err}
	}
	return c, nil
}

// baseConfig returns the machine before Sets and PEs. EMC-R machines of some sizes have presets of their own, so for
// emc-r it returns the preset of the size that Sets and PEs choose.
func (m Machine) baseConfig() (em4.Config, error) {
	c, err := machinefile.Load(m.Name)
	if err != nil {
		return c, &simerr.Usage{Err: err}
	}
	if m.Name != "emc-r" {
		return c, nil
	}
	if err := m.apply(&c); err != nil {
		return c, err
	}
	if m.PEs != nil {
		c.PEs = *m.PEs
	}
	return machinefile.ForSize(c.PEs), nil
}

// apply applies the changes of Sets.
func (m Machine) apply(c *em4.Config) error {
	if err := machinefile.EM4(c).Set(m.Sets); err != nil {
		return &simerr.Usage{Err: err}
	}
	return nil
}

// LoadProgram reads a program with the values of its parameters. Name is a built-in program, a Go program, an assembly
// file or an object file. An assembly file can include files in the folders of include, and emsim's library. The errors
// are for the user.
func LoadProgram(name string, params map[string]string, include ...string) (*asm.Object, error) {
	return (&Spec{Program: name, Params: params, Include: include}).LoadProgram()
}

// ProgramOf splits a command line into the program and its arguments. A Go program may consist of several files.
func ProgramOf(line []string) (program string, args []string) {
	n := 1
	for n < len(line) && filepath.Ext(line[0]) == ".go" && filepath.Ext(line[n]) == ".go" {
		n++
	}
	return strings.Join(line[:n], " "), line[n:]
}

// IsGoProgram reports whether name is a Go program: a file, or a folder with a package.
func IsGoProgram(name string) bool {
	info, err := os.Stat(name)
	return (filepath.Ext(name) == ".go" || err == nil && info.IsDir()) && !programs.Known(name)
}

// LoadProgram reads the program of the run.
func (s *Spec) LoadProgram() (*asm.Object, error) {
	what := map[bool]string{programs.Known(s.Program): "built-in", IsGoProgram(s.Program): "Go"}[true]
	if what != "" && len(s.Include) > 0 {
		return nil, simerr.Usagef("-I has no effect: %s is a %s program, which includes no other files", s.Program,
			what)
	}
	var err error
	if what != "built-in" {
		err = exists(s.Program)
	}
	if policy := s.Params["policy"]; err == nil && programs.IsPolicyFile(policy) {
		err = exists(policy)
		if err == nil { // the policy's own errors are reported as such
			_, err = OpenPolicy(policy)
		}
		if err == nil {
			err = programs.CheckPolicy(s.Params, OpenPolicy)
		}
	}
	if err != nil {
		return nil, err
	}
	switch what {
	case "built-in":
		return programs.AssembleWith(s.Program, asm.Options{Params: s.Params, OpenValue: OpenPolicy})
	case "Go":
		return s.loadGo()
	}
	return asm.Load(s.Program, asm.Options{
		Params: s.Params, Include: s.Include, Library: programs.Library(),
		OpenValue: OpenPolicy,
	})
}

// LoadFrom reads a program that somebody else has written, from one file. The program can include only files of the
// file system, such as a folder opened by os.OpenRoot, and emsim's library.
func LoadFrom(files fs.FS, name string) (*asm.Object, error) {
	if filepath.Ext(name) == ".go" {
		return loadGoFrom(files, name)
	}
	return asm.Load(name, asm.Options{Library: programs.Library(), Files: files})
}

// exists returns an error if the file or files of a program do not exist.
func exists(name string) error {
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if files := strings.Split(name, " "); len(files) > 1 && filepath.Ext(files[0]) == ".go" {
		return errors.Join(lists.Of(files, exists)...)
	}
	if filepath.Ext(name) != "" || strings.ContainsRune(name, filepath.Separator) {
		return simerr.Usagef("there is no file %s", name)
	}
	return simerr.Usagef("no program is called %q: expected %s, a Go program (.go), an assembly file (.s) or "+
		"an object file%s",
		name, strings.Join(programs.Names(), ", "), suggest.DidYouMean(name, programs.Names()))
}

// programArgs parses the arguments of a program's command line, and truncates them to the machine's words.
func programArgs(name string, o *asm.Object, f packet.Format, args []string) (values []int64, words []uint64,
	err error,
) {
	if len(args) != len(o.Args) {
		return nil, nil, simerr.Usagef("%s takes %s, got %s", name, argList(o.Args), plural.Of(len(args), "argument"))
	}
	if len(args) == 0 { // .start: a start packet without a value
		return []int64{}, []uint64{0}, nil
	}
	for i, text := range args {
		a := o.Args[i]
		v, err := ParseInt(text)
		if err != nil {
			return nil, nil, simerr.Usagef("the argument %s of %s is a whole number %d..%d, not %q", a.Name, name,
				a.Min, a.Max, text)
		}
		if v < a.Min || v > a.Max {
			return nil, nil, simerr.Usagef("the argument %s of %s is %d, it must be %d..%d", a.Name, name, v, a.Min,
				a.Max)
		}
		if bits := f.DataBits; bits < 64 && (v < -1<<(bits-1) || v > 1<<bits-1) {
			return nil, nil, simerr.Usagef("the argument %s of %s is %d, which the machine's words of %d "+
				"bits cannot hold", a.Name, name, v, bits)
		}
		values = append(values, v)
		words = append(words, uint64(v)&(1<<f.DataBits-1))
	}
	return values, words, nil
}

// ParseInt parses an argument: a decimal number, or a hexadecimal, octal or binary number after 0x, 0o or 0b. Unlike in
// Go, a leading zero does not mean octal.
func ParseInt(text string) (int64, error) {
	digits := strings.ToLower(strings.TrimLeft(text, "+-"))
	if slices.ContainsFunc([]string{"0x", "0o", "0b"}, func(p string) bool { return strings.HasPrefix(digits, p) }) {
		return strconv.ParseInt(text, 0, 64)
	}
	return strconv.ParseInt(text, 10, 64)
}

func argList(args []asm.Arg) string {
	if len(args) == 0 {
		return "no arguments"
	}
	list := lists.Of(args, func(a asm.Arg) string { return fmt.Sprintf("%s (%d..%d)", a.Name, a.Min, a.Max) })
	return plural.Of(len(args), "argument") + ": " + strings.Join(list, ", ")
}

package sim

import (
	"io/fs"

	"emsim/asm"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// Program is an assembled dataflow program.
type Program struct {
	Name   string      // the name given to Load or Assemble
	Object *asm.Object // its words, symbols, parameters and arguments
}

// Programs returns the names of the programs included in emsim.
func Programs() []string { return programs.Names() }

// Load reads a program: one that is included in emsim, an assembly file (.s) or an object file. params are values for
// the parameters that the program declares, for example {"policy": "line"}; nil leaves all at their defaults.
// Mistakes in the program give an asm.Errors, in which each error has file, line and column.
func Load(name string, params map[string]string) (*Program, error) {
	o, err := run.LoadProgram(name, params)
	if err != nil {
		return nil, err
	}
	return &Program{name, o}, nil
}

// Assemble assembles the program in text; name stands for it in messages. It can include only files of emsim's
// library: use Load for a program of several files. params and errors are as for Load.
func Assemble(name, text string, params map[string]string) (*Program, error) {
	o, _, err := asm.Assemble(name, asm.Options{
		Params: params, Library: programs.Library(),
		Open: func(path string) ([]byte, error) {
			if path != name {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		},
	})
	if err != nil {
		return nil, err
	}
	return &Program{name, o}, nil
}

// Answer computes, without the machine, the words that a program included in emsim must send to the host for its
// arguments on a machine of pes PEs.
func (p *Program) Answer(pes int, args ...uint64) ([]uint64, error) {
	return programs.Answer(p.Name, p.Object, args, pes)
}

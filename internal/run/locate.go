package run

import (
	"errors"
	"fmt"
	"path/filepath"

	"emsim/asm"
	"emsim/emcr"
)

// Located gives the code addresses in an error of the machine the names and
// source lines that the program's symbols know. It returns err.
func (t *Target) Located(err error) error {
	var places []*emcr.Place
	var fault *emcr.Fault
	var hang interface{ Places() []*emcr.Place }
	switch {
	case errors.As(err, &fault) && fault.Code:
		p := emcr.Place{Code: fault.PC}
		locate(t.Object, &p)
		fault.Name, fault.Source = p.Name, p.Source
	case errors.As(err, &hang):
		places = hang.Places()
	}
	for _, p := range places {
		locate(t.Object, p)
	}
	return err
}

// locate fills in a place.
func locate(o *asm.Object, p *emcr.Place) {
	if name, words, ok := o.SymbolAt(p.Code); ok {
		if p.Name = name; words > 0 {
			p.Name = fmt.Sprintf("%s+%d", name, words)
		}
	}
	if file, line, ok := o.LineAt(p.Code); ok {
		p.Source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
}

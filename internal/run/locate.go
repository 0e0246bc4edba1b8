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
	var locations []*emcr.CodeLocation
	var fault *emcr.Fault
	var hang interface{ CodeLocations() []*emcr.CodeLocation }
	switch {
	case errors.As(err, &fault) && fault.Code:
		p := emcr.CodeLocation{Code: fault.PC}
		locate(t.Object, &p)
		fault.Name, fault.Source = p.Name, p.Source
	case errors.As(err, &hang):
		locations = hang.CodeLocations()
	}
	for _, p := range locations {
		locate(t.Object, p)
	}
	return err
}

// locate fills in name and source line of a code location.
func locate(o *asm.Object, p *emcr.CodeLocation) {
	p.Name = o.NameAt(p.Code)
	if file, line, ok := o.LineAt(p.Code); ok {
		p.Source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
}

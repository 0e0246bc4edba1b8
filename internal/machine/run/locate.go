package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/compile/panics"
	"emsim/packet"
	"emsim/programs"
)

// Located names the code addresses in an error of the machine, with their source lines, if the program's symbols
// include them. It returns err, or, if all goroutines of a Go program wait, an error that says where.
func (t *Target) Located(err error) error {
	var locations []*emcr.CodeLocation
	var fault *emcr.Fault
	var hang interface{ CodeLocations() []*emcr.CodeLocation }
	switch {
	case errors.As(err, &fault):
		locations = fault.CodeLocations()
		t.locateFault(fault)
	case errors.As(err, &hang):
		locations = hang.CodeLocations()
	}
	for _, p := range locations {
		locate(t.Object, p)
	}
	return t.asleep(err)
}

// leaks returns the machine's leaks with the names of their templates.
func (t *Target) leaks() []em4.Leak {
	list := t.Machine.Leaks()
	for i := range list {
		locate(t.Object, &list[i].Template)
	}
	return list
}

// locateFault names the failed instruction in a fault, and the argument if a packet of the host failed.
func (t *Target) locateFault(f *emcr.Fault) {
	if f.Code {
		p := emcr.CodeLocation{Code: f.PC}
		locate(t.Object, &p)
		f.Name, f.Source = p.Name, p.Source
		switch text, ok := panics.Text(p.Name); {
		case !strings.HasPrefix(filepath.Ext(p.Source), ".go"):
		case ok:
			f.Text = text
		case f.Kind() == emcr.SegmentOverflow: // a policy does not help: the request has searched all PEs
			what, _, _ := strings.Cut(f.Text, ";")
			f.Text = what +
				` for what this line begins; every stream and level of a recursion needs one until it ends: ` +
				`keep fewer open at a time, or raise segments ('emsim docs DATAFLOW', "When segments run short")`
		}
	}
	if policy := t.Object.Chosen()["policy"]; f.FreeSegments != nil && policy != "" &&
		!strings.HasPrefix(filepath.Ext(f.Source), ".go") {
		if all := programs.SpreadingPolicies(); !slices.Contains(all, policy) {
			f.FreeSegments.Policies = all
		}
	}
	if x := f.Packet; x != nil && x.Src == packet.Host && int(x.Seq) <= len(t.Object.Args) {
		x.Argument = t.Object.Args[x.Seq-1].Name
	}
}

// locate sets the name and the source line of a code location.
func locate(o *asm.Object, p *emcr.CodeLocation) {
	p.Name = o.NameAt(p.Code)
	if file, line, ok := o.LineAt(p.Code); ok {
		p.Source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
}

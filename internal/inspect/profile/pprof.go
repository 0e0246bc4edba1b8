package profile

import (
	"fmt"
	"io"

	"github.com/google/pprof/profile"

	"emsim/asm"
	"emsim/internal/base/lists"
)

// WritePprof writes the profile as a file for 'go tool pprof': the clocks of all EXUs by template, block and source
// line. Equal profiles give equal bytes. comment describes the run, and clockNS is the length of a clock.
func (p *Profile) WritePprof(w io.Writer, comment string, clockNS float64) error {
	x := &pprofFile{source: p, functions: map[string]*profile.Function{}, locations: map[string]*profile.Location{}}
	x.SampleType = []*profile.ValueType{
		{Type: "clocks", Unit: "count"},
		{Type: "execute", Unit: "count"},
		{Type: "wait", Unit: "count"},
		{Type: "instructions", Unit: "count"},
		{Type: "packets", Unit: "count"},
		{Type: "spilled", Unit: "count"},
	}
	x.DefaultSampleType = "clocks"
	x.PeriodType, x.Period = &profile.ValueType{Type: "clocks", Unit: "count"}, 1
	x.DurationNanos = int64(float64(p.Clocks()) * clockNS)
	x.Comments = []string{comment}
	for _, r := range p.Rows(ByInstruction) {
		c := &r.Counts
		if r.Code {
			x.sample(x.stack(&r), c.Clocks(), c.EXU[Executes], c.Waiting(), c)
			continue
		}
		for wait, n := range c.EXU {
			if n > 0 {
				x.sample([]*profile.Location{
					x.location(0, Wait(wait).String(), "", 0),
					x.location(0, r.Template, "", 0),
				}, n, 0, n, &Counts{})
			}
		}
		if c.Packets > 0 {
			x.sample([]*profile.Location{x.location(0, r.Template, "", 0)}, 0, 0, 0, c)
		}
	}
	if err := x.CheckValid(); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return x.Write(w)
}

// pprofFile is a file under construction.
type pprofFile struct {
	profile.Profile
	source    *Profile
	functions map[string]*profile.Function
	locations map[string]*profile.Location
}

func (x *pprofFile) sample(stack []*profile.Location, clocks, execute, wait uint64, c *Counts) {
	x.Sample = append(x.Sample, &profile.Sample{
		Location: stack,
		Value: []int64{
			int64(clocks), int64(execute), int64(wait), int64(c.Instructions), int64(c.Packets),
			int64(c.Spilled),
		},
	})
}

// stack returns the frames of a row: the instruction, its block and its template.
func (x *pprofFile) stack(r *Row) []*profile.Location {
	outer, file, line := r.Template, "", 0
	object := x.source.object
	template := func(s asm.Symbol) bool { return s.Kind == asm.Template && s.Name == r.Template }
	if t, ok := lists.Find(object.Symbols, template); ok {
		outer = "template " + r.Template
		file, line, _ = object.LineAt(uint32(t.Value))
	}
	return []*profile.Location{x.location(uint64(r.PC), r.Block, r.File, r.Line), x.location(0, outer, file, line)}
}

func (x *pprofFile) location(address uint64, name, file string, line int) *profile.Location {
	f := x.functions[name+"\x00"+file]
	if f == nil {
		f = &profile.Function{
			ID: uint64(len(x.Function) + 1), Name: name, SystemName: name, Filename: file,
			StartLine: int64(line),
		}
		x.functions[name+"\x00"+file] = f
		x.Function = append(x.Function, f)
	}
	key := fmt.Sprintf("%d %d %d", address, f.ID, line)
	l := x.locations[key]
	if l == nil {
		l = &profile.Location{
			ID: uint64(len(x.Location) + 1), Address: address,
			Line: []profile.Line{{Function: f, Line: int64(line)}},
		}
		x.locations[key] = l
		x.Location = append(x.Location, l)
	}
	return l
}

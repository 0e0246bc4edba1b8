package sweep

import (
	"slices"

	"emsim/internal/base/knob"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machines"
)

// fileFlags are the flags of the files that the machines of the sweep take.
func (r *reader) fileFlags() (flags []string) {
	for _, k := range machines.FileKinds(r.kind.Name) {
		flags = append(flags, k.Flag)
	}
	return flags
}

// withFiles adds the key file to those of a table, if the machines take files.
func (r *reader) withFiles(keys ...string) []string {
	if len(r.fileFlags()) > 0 {
		keys = append(keys, "file")
	}
	return keys
}

// ownFile checks the flag of a file, and reads the file.
func (r *reader) ownFile(e tomlfile.Entry, s setting) {
	if r.HasMostErrors() {
		return
	}
	if flags := r.fileFlags(); !slices.Contains(flags, s.name) {
		r.Failf(e.At, "%s takes no file %q%s", r.kind.A, s.name, tomlfile.OrList(s.name, flags))
		return
	}
	if s.value == "" {
		r.Failf(s.at, "which file of --%s?", s.name)
		return
	}
	path := r.resolvePath(s.value)
	text, err := machines.ReadFile(r.kind.Name, s.name, path)
	if err != nil {
		r.Failf(s.at, "%v", err)
		return
	}
	r.texts[path] = text
}

// decided refuses knobs that the files of a grid leave nothing to say.
func (r *reader) decided(g *grid) {
	files, sets := g.axes[ofUser], g.axes[ofMachine]
	for _, s := range g.variants {
		if v := r.findVariant(s.name); v != nil {
			for _, f := range v.changes[ofUser] {
				files = append(slices.Clip(files), axis{name: f.name})
			}
			for _, k := range v.changes[ofMachine] {
				sets = append(slices.Clip(sets), axis{name: k.name, at: s.at})
			}
		}
	}
	for _, k := range machines.FileKinds(r.kind.Name) {
		if !slices.ContainsFunc(files, func(a axis) bool { return a.name == k.Flag }) {
			continue
		}
		for _, a := range sets {
			if slices.Contains(k.Decides, a.name) {
				r.Failf(a.at, "the file %s decides %s: leave one of them out, or write a grid for each", k.Flag, a.name)
			}
		}
	}
}

// columns is the list to which a name of a kind adds its column. A file whose flag is
// also a knob shares the knob's column.
func (x *expansion) columns(kind int, name string) *[]string {
	switch _, isKnob := knob.Find(x.kind.NewMachine().Rows, name); {
	case kind == ofProgram:
		return &x.plan.Params
	case kind == ofMachine || isKnob:
		return &x.plan.Knobs
	}
	return &x.plan.Files
}

package sweep

import (
	"os"
	"slices"
	"strings"

	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// choose sets the file's kind of machine: the kind of the first grid's first machine, or the EM-4 if the grid names no
// machine. If there is no such machine, it adds an error and returns false.
func (r *reader) choose(grids *tomlfile.Node) bool {
	r.kind = machines.Kinds()[0]
	if grids == nil || len(grids.List) == 0 {
		return true
	}
	m := grids.List[0].Get("machine")
	if m != nil && len(m.List) > 0 {
		m = m.List[0]
	}
	if m == nil {
		return true
	}
	name, _ := m.Value.(string)
	if k, ok := machines.KindOfName(r.resolvePath(name)); ok {
		r.kind = k
		return true
	}
	_, preset := machinefile.Lookup(name)
	_, err := os.Stat(r.resolvePath(name))
	if preset || err == nil || name == "" || grids.List[0].Get("program") != nil {
		return true // a machine of the EM-4, or an error that the grid will report
	}
	kinds := lists.Of(machines.Kinds(), func(k machinefile.Kind) string { return k.Name })
	presets := machinefile.PresetNames()
	r.Failf(m.At, "no machine and no file is called %q: expected %s, a preset of the EM-4 (%s) or a machine file%s",
		name,
		strings.Join(kinds, ", "), strings.Join(presets, ", "), suggest.DidYouMean(name, append(kinds, presets...)))
	return false
}

// seeded reports whether machines of the file's kind have the knob seed.
func (r *reader) seeded() bool {
	_, ok := knob.Find(r.kind.NewMachine().Rows, "seed")
	return ok
}

// listed returns a list of strings in the form that --set takes, and whether it is a value of a knob that takes such
// lists.
func (r *reader) listed(n *tomlfile.Node, key string) (string, bool) {
	row, ok := knob.Find(r.kind.NewMachine().Rows, key)
	if !ok || !n.IsList {
		return "", false
	}
	if _, ok := row.Get().([]string); !ok {
		return "", false
	}
	var words []string
	for _, x := range n.List {
		word, isWord := x.Value.(string)
		if !isWord {
			return "", false
		}
		words = append(words, word)
	}
	return strings.Join(words, ","), true
}

// bound reads max_clocks. It adds an error if the file's machines run no programs.
func (r *reader) bound(n *tomlfile.Node) {
	if r.kind.Programs {
		r.maxClocks = r.number(n, "max_clocks", 0)
		return
	}
	if _, ok := knob.Find(r.kind.NewMachine().Rows, "max_clocks"); ok {
		r.Failf(n.At, "max_clocks is a knob of %s: write set = {max_clocks = %v} in the grid", r.kind.Doc, n.Value)
		return
	}
	r.Failf(n.At, "max_clocks bounds runs of the EM-4, and this file is about %s: leave it out", r.kind.Doc)
}

// sameKind reports whether a machine has the file's kind. It adds an error if the machine has another kind or cannot be
// loaded.
func (r *reader) sameKind(m setting) bool {
	path := r.resolvePath(m.name)
	k, ok := machines.KindOfName(path)
	if _, preset := machinefile.Lookup(m.name); preset {
		k, ok = machines.Kinds()[0], true
	}
	if ok && k.Name != r.kind.Name {
		r.mixed(m, k)
		return false
	}
	var err error
	if r.kind.Programs {
		_, err = machinefile.Load(path)
	} else {
		err = r.kind.NewMachine().Load(path)
	}
	if err != nil {
		r.Failf(m.at, "%v", err)
	}
	return true
}

// mixed adds an error for a machine whose kind differs from the file's.
func (r *reader) mixed(m setting, k machinefile.Kind) {
	r.Failf(m.at, "the machine %s has the kind %q, but the first grid has the kind %q: a table has one kind of "+
		"machine, so write a sweep file for each", m.name, k.Name, r.kind.Name)
}

// fileFlags returns the flags for the files that the sweep's machines take.
func (r *reader) fileFlags() (flags []string) {
	return lists.Of(machines.FileKinds(r.kind.Name), func(k machines.FileKind) string { return k.Flag })
}

// withFiles adds the key "file" to the keys of a table, if the machines take files.
func (r *reader) withFiles(keys ...string) []string {
	if len(r.fileFlags()) > 0 {
		keys = append(keys, "file")
	}
	return keys
}

// ownFile checks the flag of a user's own file, and reads the file.
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

// decided adds errors for knobs whose values the files of a grid determine.
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

// columns returns the list to which a setting adds its column. A file whose flag is also a knob shares the knob's
// column.
func (x *expansion) columns(kind int, name string) *[]string {
	switch _, isKnob := knob.Find(x.kind.NewMachine().Rows, name); {
	case kind == ofProgram:
		return &x.plan.Params
	case kind == ofMachine || isKnob:
		return &x.plan.Knobs
	}
	return &x.plan.Files
}

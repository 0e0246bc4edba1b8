package sweep

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"emsim/asm"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// base is the variant without changes; star stands for all variants.
const (
	base = "base"
	star = "*"
)

// maxPoints is the largest number of points in one file.
const maxPoints = 1_000_000

// setting is one value in a sweep file, with its position: a knob, parameter or file with its value, or only a name,
// such as a program, a machine or a seed.
type setting struct {
	name, value string
	at          tomlfile.Range
}

// axis is a parameter or knob with its values in a grid.
type axis struct {
	name   string
	at     tomlfile.Range
	values []setting
}

// The targets of the changes that a file can make in a point.
const (
	ofProgram = iota // its parameters
	ofMachine        // its knobs
	ofUser           // users' own files
	kinds
)

var kindKeys = [kinds]string{"param", "set", "file"}

// changes holds settings by target.
type changes [kinds][]setting

// variant is a named change of machine and program.
type variant struct {
	name    string
	changes changes
	at      tomlfile.Range // of its name
}

// grid is a product of lists.
type grid struct {
	at       tomlfile.Range
	programs []setting // name is the program with its arguments, quoted as for a shell
	machines []setting
	pes      []setting // empty means the machine's own
	axes     [kinds][]axis
	variants []setting
	seeds    []setting
	runs     []setting
}

// reader holds what has been read of a sweep file so far.
type reader struct {
	tomlfile.File
	title     string
	maxClocks uint64
	seeds     int // runs of every cell; 0 if the key is missing
	vary      bool
	kind      machinefile.Kind
	variants  []variant
	grids     []grid
	words     map[string][]string // programs with their arguments, by setting name
	objects   map[string]*program // by program and parameters
	texts     map[string][]byte   // of users' own files, by path
	added     []string            // users' policies in addition to the file's
	policies  map[string]string   // paths of all policies that are files, by name
}

// onlyKeys adds errors for unknown keys of a table.
func (r *reader) onlyKeys(n *tomlfile.Node, what string, keys ...string) {
	for _, e := range n.Keys {
		if !slices.Contains(keys, e.Name) && !r.HasMostErrors() {
			r.Failf(e.At, "%s has no key %q%s", what, e.Name, tomlfile.OrList(e.Name, keys))
		}
	}
}

// readFile reads the whole file.
func (r *reader) readFile() {
	root := r.Tree()
	if root == nil || !r.choose(root.Get("grid")) {
		return
	}
	r.onlyKeys(root, "a sweep file", "title", "max_clocks", "seeds", "vary", "variant", "grid")
	if n := root.Get("title"); n != nil {
		r.title = r.readString(n, "title")
	}
	if n := root.Get("max_clocks"); n != nil {
		r.bound(n)
	}
	r.readSeeds(root.Get("seeds"))
	r.readVary(root.Get("vary"))
	for _, n := range r.tables(root.Get("variant"), "variant") {
		r.variant(n)
	}
	for _, n := range r.tables(root.Get("grid"), "grid") {
		r.readGrid(n)
	}
	if len(r.grids) == 0 && !r.Failed() {
		r.Failf(tomlfile.Range{},
			"the file has no [[grid]], so there is nothing to run; 'emsim sweep --help' shows one")
	}
}

// tables returns the tables of an array of tables. It adds an error if n is another kind of value.
func (r *reader) tables(n *tomlfile.Node, name string) []*tomlfile.Node {
	switch {
	case n == nil:
		return nil
	case n.IsList && !slices.ContainsFunc(n.List, func(x *tomlfile.Node) bool { return !x.Table }):
		return n.List
	case n.Table:
		r.Failf(n.At, "%s is a list of tables: write [[%s]]", name, name)
	default:
		r.Failf(n.At, "%s is a list of tables, not %s: write [[%s]]", name, n.KindName(), name)
	}
	return nil
}

// readString reads a string, and adds an error for another kind of value.
func (r *reader) readString(n *tomlfile.Node, key string) string {
	s, ok := n.Value.(string)
	if !ok {
		r.Failf(n.At, "%s is a string, not %s", key, n.KindName())
	}
	return s
}

// number reads an integer, and adds an error if it is less than least.
func (r *reader) number(n *tomlfile.Node, key string, least int64) uint64 {
	v, ok := n.Value.(int64)
	switch {
	case !ok:
		r.Failf(n.At, "%s is a whole number, not %s", key, n.KindName())
	case v < least:
		r.Failf(n.At, "%s is %d, it must be at least %d", key, v, least)
	}
	return uint64(v)
}

// scalar returns the value of a parameter or knob as the command line would write it. For a value of another type, it
// adds an error and returns "".
func (r *reader) scalar(n *tomlfile.Node, key string) string {
	switch v := n.Value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	if text, ok := r.listed(n, key); ok {
		return text
	}
	r.Failf(n.At, "%s is a number, a string, true or false, not %s", key, n.KindName())
	return ""
}

// valuesOf returns the elements of a list, or the value itself if it is not a list.
func (r *reader) valuesOf(n *tomlfile.Node, key string) []*tomlfile.Node {
	if !n.IsList {
		return []*tomlfile.Node{n}
	}
	if len(n.List) == 0 {
		r.Failf(n.At, "%s is an empty list: the grid has no points", key)
	}
	return n.List
}

// variant reads one [[variant]].
func (r *reader) variant(n *tomlfile.Node) {
	if r.kind.Programs {
		r.onlyKeys(n, "a variant", "name", "set", "param", "together")
	} else {
		r.onlyKeys(n, "a variant of "+r.kind.Doc, r.withFiles("name", "set", "together")...)
	}
	v := variant{at: n.At}
	if name := n.Get("name"); name == nil {
		r.Failf(n.At, "the variant has no name: name = \"...\"")
	} else {
		v.name, v.at = r.readString(name, "name"), name.At
		switch {
		case slices.Contains([]string{base, star, ""}, v.name):
			r.Failf(name.At, "no variant can be called %q: \"base\" changes nothing, \"*\" stands for all of them",
				v.name)
		case r.findVariant(v.name) != nil:
			r.Failf(name.At, "there are two variants %q", v.name)
		}
	}
	if list := n.Get("together"); list != nil {
		for _, x := range r.valuesOf(list, "together") {
			r.addVariant(&v, x)
		}
	}
	for kind, axes := range r.readAxes(n, false) {
		for _, a := range axes {
			r.addSetting(&v.changes[kind], a.values[0], v.name)
		}
	}
	if len(slices.Concat(v.changes[:]...)) == 0 && !r.Failed() {
		r.Failf(v.at, "the variant %q changes nothing: give it set = {...}, param = {...} or together = [...]", v.name)
	}
	r.variants = append(r.variants, v)
}

// addVariant adds the changes of the variant that n names.
func (r *reader) addVariant(v *variant, n *tomlfile.Node) {
	name := r.readString(n, "together")
	other := r.findVariant(name)
	if other == nil {
		r.Failf(n.At, "there is no variant %q above%s", name, suggest.DidYouMean(name, r.names()))
		return
	}
	for kind, list := range other.changes {
		for _, s := range list {
			s.at = n.At
			r.addSetting(&v.changes[kind], s, v.name)
		}
	}
}

// addSetting adds a setting. It adds an error if the list has another value for the same name.
func (r *reader) addSetting(list *[]setting, s setting, who string) {
	for _, old := range *list {
		if old.name == s.name && old.value != s.value {
			r.Failf(s.at, "%q gives %s two values, %s and %s", who, s.name, old.value, s.value)
		}
		if old.name == s.name {
			return
		}
	}
	*list = append(*list, s)
}

func (r *reader) findVariant(name string) *variant {
	for i := range r.variants {
		if r.variants[i].name == name {
			return &r.variants[i]
		}
	}
	return nil
}

func (r *reader) names() []string {
	return lists.Of(r.variants, func(v variant) string { return v.name })
}

// readAxes reads the changes of a grid or a variant from tables. The tables hold lists of values if lists is set, and
// single values otherwise.
func (r *reader) readAxes(n *tomlfile.Node, lists bool) (all [kinds][]axis) {
	for kind, key := range kindKeys {
		table := n.Get(key)
		if table == nil || !r.changes(kind) {
			continue
		}
		if !table.Table {
			r.Failf(table.At, "%s is a table, not %s: %s = {name = %s}", key, table.KindName(), key,
				map[bool]string{true: "[values]", false: "value"}[lists])
		}
		for _, e := range table.Keys {
			read := func(x *tomlfile.Node) string { return r.scalar(x, e.Name) }
			var values []setting
			if lists {
				values = r.listOf(e.Node, e.Name, read)
			} else {
				values = []setting{{name: read(e.Node), at: e.Node.At}}
			}
			a := axis{name: e.Name, at: e.At}
			for _, v := range values {
				s := setting{e.Name, v.name, v.at}
				switch {
				case kind == ofProgram && e.Name == policyKey && programs.IsPolicyFile(s.value):
					s.value = r.policy(r.resolvePath(s.value), s.at)
				case kind == ofMachine && s.value != "":
					r.checkKnob(e, s)
				case kind == ofUser:
					r.ownFile(e, s)
				}
				a.values = append(a.values, s)
			}
			all[kind] = append(all[kind], a)
		}
	}
	return all
}

// changes reports whether points of the file's kind have settings with this target.
func (r *reader) changes(kind int) bool {
	switch kind {
	case ofProgram:
		return r.kind.Programs
	case ofUser:
		return len(r.fileFlags()) > 0
	}
	return true
}

// checkKnob adds an error if the name or the value of a knob is invalid.
func (r *reader) checkKnob(e tomlfile.Entry, s setting) {
	if r.HasMostErrors() {
		return
	}
	rows := r.kind.NewMachine().Rows
	row, ok := knob.Find(rows, s.name)
	switch {
	case !ok:
		r.Failf(e.At, "%s has no knob %q%s", r.kind.A, s.name, tomlfile.OrList(s.name, knob.Keys(rows)))
	case s.name == "pes" && r.kind.Programs:
		r.Failf(e.At, "the size is a separate list: pes = [...] next to set")
	case s.name == "seed":
		r.Failf(e.At, "the seeds are a separate list of the grid: seed = [...] next to set")
	default:
		err := row.Set(s.value)
		if err == nil {
			err = row.Check()
		}
		if err != nil {
			r.Failf(s.at, "%v", err)
		}
	}
}

// program is an assembled program, or its error.
type program struct {
	*asm.Object
	digest string
	err    error
}

// object assembles a program. It assembles every combination of program and parameters only once.
func (r *reader) object(path string, params map[string]string) (*program, error) {
	return r.objectFor(&run.Spec{Program: path, Params: params}, "")
}

// objectFor assembles the program of a run. The string where identifies other properties of the run, for which the
// compiler chooses a placement.
func (r *reader) objectFor(s *run.Spec, where string) (*program, error) {
	key := s.Program + "\x00" + joined(s.Params) + "\x00" + where
	if o := r.objects[key]; o != nil {
		return o, o.err
	}
	o, err := s.LoadProgram()
	if err != nil {
		r.objects[key] = &program{err: err}
		return nil, err
	}
	r.objects[key] = &program{Object: o, digest: run.Digest(o)}
	return r.objects[key], nil
}

// resolvePath returns the path of a program or machine. Files are relative to the sweep file. An unknown name is
// returned unchanged, for the error.
func (r *reader) resolvePath(name string) string {
	_, kind := machines.KindOf(name)
	if _, preset := machinefile.Lookup(name); preset || kind || programs.Known(name) || filepath.IsAbs(name) {
		return name
	}
	path := filepath.Join(filepath.Dir(r.Name), name)
	if _, err := os.Stat(path); err != nil && filepath.Base(name) == name && filepath.Ext(name) == "" {
		return name
	}
	return path
}

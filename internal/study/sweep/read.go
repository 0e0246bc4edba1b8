package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"emsim/asm"
	"emsim/internal/base/knob"
	"emsim/internal/base/srcerr"
	"emsim/internal/base/suggest"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// base is the variant that changes nothing; star stands for all variants.
const (
	base = "base"
	star = "*"
)

// maxPoints bounds the points of one file.
const maxPoints = 1_000_000

// setting is one value of a parameter or knob.
type setting struct {
	name, value string
	at          unstable.Range
}

// axis is a parameter or knob with its values in a grid.
type axis struct {
	name   string
	at     unstable.Range
	values []setting
}

// variant is a named change of machine and program.
type variant struct {
	name   string
	sets   []setting
	params []setting
	files  []setting
	at     unstable.Range // of its name
}

// grid is a product of lists.
type grid struct {
	at       unstable.Range
	programs []setting // name is the program with its arguments
	machines []setting
	pes      []setting // empty: the machine's own
	params   []axis
	sets     []axis
	files    []axis
	variants []setting
	seeds    []setting
	runs     []setting
}

// reader is the state of one reading.
type reader struct {
	file      string
	text      []byte
	errs      Errors
	title     string
	maxClocks uint64
	seeds     int // of every cell; 0 without
	kind      machinefile.Kind
	variants  []variant
	grids     []grid
	objects   map[string]*program // by program and parameters
	texts     map[string][]byte   // of users' own files, by path
}

func (r *reader) fail(at unstable.Range, format string, args ...any) {
	if r.full() {
		return
	}
	e := errorAt(r.file, r.text, at, fmt.Sprintf(format, args...))
	if !slices.Contains(r.errs, e) {
		r.errs = append(r.errs, e)
	}
}

// full reports whether there are so many errors that the search stops.
func (r *reader) full() bool { return len(r.errs) >= srcerr.Most }

// known reports unknown keys of a table.
func (r *reader) known(n *node, what string, keys ...string) {
	for _, e := range n.keys {
		if !slices.Contains(keys, e.name) && !r.full() {
			r.fail(e.at, "%s has no key %q%s", what, e.name, orList(e.name, keys))
		}
	}
}

// orList suggests a name, or lists all.
func orList(name string, all []string) string {
	if h := suggest.DidYouMean(name, all); h != "" {
		return h
	}
	return "; it has " + strings.Join(all, ", ")
}

// read reads the whole file.
func (r *reader) read() {
	root, err := parse(r.text)
	if err != nil {
		r.errs = syntaxError(r.file, r.text, err)
		return
	}
	if !r.choose(root.get("grid")) {
		return
	}
	r.known(root, "a sweep file", "title", "max_clocks", "seeds", "variant", "grid")
	if n := root.get("title"); n != nil {
		r.title = r.word(n, "title")
	}
	if n := root.get("max_clocks"); n != nil {
		r.bound(n)
	}
	r.readSeeds(root.get("seeds"))
	for _, n := range r.tables(root.get("variant"), "variant") {
		r.variant(n)
	}
	for _, n := range r.tables(root.get("grid"), "grid") {
		r.grid(n)
	}
	if len(r.grids) == 0 && r.errs == nil {
		r.errs = Errors{{File: r.file, Message: "the file has no [[grid]], so there is nothing to run; 'emsim sweep --help' shows one"}}
	}
}

// tables returns the tables of an array of tables.
func (r *reader) tables(n *node, name string) []*node {
	switch {
	case n == nil:
		return nil
	case n.isSet && !slices.ContainsFunc(n.list, func(x *node) bool { return !x.table }):
		return n.list
	case n.table:
		r.fail(n.at, "%s is a list of tables: write [[%s]]", name, name)
	default:
		r.fail(n.at, "%s is a list of tables, not %s: write [[%s]]", name, n.what(), name)
	}
	return nil
}

// word reads a string.
func (r *reader) word(n *node, key string) string {
	s, ok := n.value.(string)
	if !ok {
		r.fail(n.at, "%s is a string, not %s", key, n.what())
	}
	return s
}

// number reads a whole number.
func (r *reader) number(n *node, key string, least int64) uint64 {
	v, ok := n.value.(int64)
	switch {
	case !ok:
		r.fail(n.at, "%s is a whole number, not %s", key, n.what())
	case v < least:
		r.fail(n.at, "%s is %d, it must be at least %d", key, v, least)
	}
	return uint64(v)
}

// scalar reads any value of a parameter or knob as the command line writes it;
// it reports any other value and returns "".
func (r *reader) scalar(n *node, key string) string {
	switch v := n.value.(type) {
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
	r.fail(n.at, "%s is a number, a string, true or false, not %s", key, n.what())
	return ""
}

// each returns the values of a list, or the value itself.
func (r *reader) each(n *node, key string) []*node {
	if !n.isSet {
		return []*node{n}
	}
	if len(n.list) == 0 {
		r.fail(n.at, "%s is an empty list: the grid has no points", key)
	}
	return n.list
}

// variant reads one [[variant]].
func (r *reader) variant(n *node) {
	if r.isEM4() {
		r.known(n, "a variant", "name", "set", "param", "together")
	} else {
		r.known(n, "a variant of "+r.kind.Doc, r.withFiles("name", "set", "together")...)
	}
	v := variant{at: n.at}
	if name := n.get("name"); name == nil {
		r.fail(n.at, "the variant has no name: name = \"...\"")
	} else {
		v.name, v.at = r.word(name, "name"), name.at
		switch {
		case slices.Contains([]string{base, star, ""}, v.name):
			r.fail(name.at, "no variant can be called %q: \"base\" changes nothing, \"*\" stands for all of them", v.name)
		case r.find(v.name) != nil:
			r.fail(name.at, "there are two variants %q", v.name)
		}
	}
	if list := n.get("together"); list != nil {
		for _, x := range r.each(list, "together") {
			r.join(&v, x)
		}
	}
	for _, s := range r.settings(n.get("set"), "set", r.knob) {
		r.add(&v.sets, s, v.name)
	}
	for _, s := range r.settings(n.get("param"), "param", nil) {
		r.add(&v.params, s, v.name)
	}
	for _, s := range r.settings(n.get("file"), "file", r.ownFile) {
		r.add(&v.files, s, v.name)
	}
	if len(v.sets)+len(v.params)+len(v.files) == 0 && r.errs == nil {
		r.fail(v.at, "the variant %q changes nothing: give it set = {...}, param = {...} or together = [...]", v.name)
	}
	r.variants = append(r.variants, v)
}

// join adds another variant's changes.
func (r *reader) join(v *variant, n *node) {
	name := r.word(n, "together")
	other := r.find(name)
	if other == nil {
		r.fail(n.at, "there is no variant %q above%s", name, suggest.DidYouMean(name, r.names()))
		return
	}
	for _, s := range other.sets {
		s.at = n.at
		r.add(&v.sets, s, v.name)
	}
	for _, s := range other.params {
		s.at = n.at
		r.add(&v.params, s, v.name)
	}
	for _, s := range other.files {
		s.at = n.at
		r.add(&v.files, s, v.name)
	}
}

// add adds a setting; two different values of one name contradict each other.
func (r *reader) add(list *[]setting, s setting, who string) {
	for _, old := range *list {
		if old.name == s.name && old.value != s.value {
			r.fail(s.at, "%q gives %s two values, %s and %s", who, s.name, old.value, s.value)
		}
		if old.name == s.name {
			return
		}
	}
	*list = append(*list, s)
}

func (r *reader) find(name string) *variant {
	for i := range r.variants {
		if r.variants[i].name == name {
			return &r.variants[i]
		}
	}
	return nil
}

func (r *reader) names() []string {
	var names []string
	for _, v := range r.variants {
		names = append(names, v.name)
	}
	return names
}

// settings reads a table of single values.
func (r *reader) settings(n *node, what string, check func(e entry, s setting)) []setting {
	if n == nil {
		return nil
	}
	if !n.table {
		r.fail(n.at, "%s is a table, not %s: %s = {name = value}", what, n.what(), what)
	}
	var list []setting
	for _, e := range n.keys {
		s := setting{e.name, r.scalar(e.node, e.name), e.node.at}
		if check != nil && (s.value != "" || what == "file") {
			check(e, s)
		}
		list = append(list, s)
	}
	return list
}

// knob checks the name and the value of a knob.
func (r *reader) knob(e entry, s setting) {
	if r.full() {
		return
	}
	rows := r.kind.Make().Rows
	row, ok := knob.Find(rows, s.name)
	switch {
	case !ok:
		r.fail(e.at, "%s has no knob %q%s", r.kind.A, s.name, orList(s.name, knob.Keys(rows)))
	case s.name == "pes" && r.isEM4():
		r.fail(e.at, "the size is a separate list: pes = [...] next to set")
	case s.name == "seed":
		r.fail(e.at, "the seeds are a separate list of the grid: seed = [...] next to set")
	default:
		err := row.Set(s.value)
		if err == nil {
			err = row.Check()
		}
		if err != nil {
			r.fail(s.at, "%v", err)
		}
	}
}

// program is an assembled program, or its error.
type program struct {
	*asm.Object
	digest string
	err    error
}

// object assembles a program, once for each choice of parameters.
func (r *reader) object(path string, params map[string]string) (*program, error) {
	return r.objectFor(&run.Spec{Program: path, Params: params}, "")
}

// objectFor assembles the program of a run; where names what else of the run
// matters, because the compiler makes its choices for it.
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

// path returns the path of a program or machine: files are relative to the
// sweep file. It returns an unknown name unchanged, for the error.
func (r *reader) path(name string) string {
	_, kind := machines.KindOf(name)
	if _, preset := machinefile.Lookup(name); preset || kind || programs.Known(name) || filepath.IsAbs(name) {
		return name
	}
	path := filepath.Join(filepath.Dir(r.file), name)
	if _, err := os.Stat(path); err != nil && filepath.Base(name) == name && filepath.Ext(name) == "" {
		return name
	}
	return path
}

package sweep

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
)

// readGrid reads one [[grid]].
func (r *reader) readGrid(n *tomlfile.Node) {
	none := []setting{{}}
	g := grid{at: n.At, programs: none, pes: none, seeds: none, runs: none}
	if n.Get("machine") == nil && !r.kind.Programs {
		if n.Get("program") != nil {
			r.mixed(setting{name: "emc-r", at: n.At}, machines.Kinds()[0])
		} else {
			r.Failf(n.At, "the grid has no machine: machine = %q", r.kind.Name)
		}
		return
	}
	word := func(key string) func(x *tomlfile.Node) string {
		return func(x *tomlfile.Node) string { return r.readString(x, key) }
	}
	whole := func(key string, least int64) func(x *tomlfile.Node) string {
		return func(x *tomlfile.Node) string { return strconv.FormatUint(r.number(x, key, least), 10) }
	}
	g.machines = r.optional(n, "machine", "emc-r", word("machine"))
	for _, m := range g.machines {
		if !r.sameKind(m) {
			return // the other keys belong to that kind, too
		}
	}
	if r.kind.Programs {
		r.onlyKeys(n, "a grid", "program", "machine", "pes", "param", "set", "variant", "seed", "runs")
		if p := n.Get("program"); p == nil {
			r.Failf(n.At, "the grid has no program: program = [\"fib 20\", ...]")
		} else {
			g.programs = r.listOf(p, "program", r.readProgram)
		}
		g.pes = r.optional(n, "pes", "", whole("pes", 1))
		g.seeds = r.optional(n, "seed", "1", whole("seed", 0))
		g.runs = r.optional(n, "runs", "1", r.readRuns)
	} else {
		r.knownOfMachine(n)
		if r.seeded() {
			g.seeds = r.optional(n, "seed", "", whole("seed", 0))
		}
	}
	r.oneSeed(&g, n)
	g.axes = r.readAxes(n, true)
	if r.kind.Programs {
		r.addPolicies(&g)
	}
	g.variants = r.optional(n, "variant", base, word("variant"))
	r.chosenVariants(&g)
	if r.kind.Programs {
		r.checkPrograms(&g)
	} else {
		r.decided(&g)
	}
	r.grids = append(r.grids, g)
}

// knownOfMachine works like onlyKeys, for a grid of a machine other than the EM-4. It has a hint for knobs, which users
// easily mistake for keys.
func (r *reader) knownOfMachine(n *tomlfile.Node) {
	keys := []string{"machine", "set", "variant"}
	if r.seeded() {
		keys = append(keys, "seed")
	}
	keys = r.withFiles(keys...)
	for _, e := range n.Keys {
		_, isKnob := knob.Find(r.kind.NewMachine().Rows, e.Name)
		switch {
		case slices.Contains(keys, e.Name):
		case isKnob:
			r.Failf(e.At, "%s is a knob of %s: write set = {%s = ...}", e.Name, r.kind.Doc, e.Name)
		default:
			r.Failf(e.At, "a grid of %s has no key %q%s", r.kind.Doc, e.Name, tomlfile.OrList(e.Name, keys))
		}
	}
}

// readProgram reads a program with its arguments: a list of words, which may contain spaces, or one string with spaces
// between the words. It returns the words, quoted as for a shell.
func (r *reader) readProgram(x *tomlfile.Node) string {
	var words []string
	if x.IsList {
		words = lists.Of(x.List, func(word *tomlfile.Node) string {
			if n, ok := word.Value.(int64); ok {
				return strconv.FormatInt(n, 10)
			}
			return r.readString(word, "a word of program")
		})
	} else {
		words = strings.Fields(r.readString(x, "program"))
	}
	name := strings.Join(lists.Of(words, recipe.Quoted), " ")
	r.words[name] = words
	return name
}

// readRuns reads a number of runs, and adds an error if it is out of range.
func (r *reader) readRuns(x *tomlfile.Node) string {
	n := r.number(x, "runs", 1)
	if n > run.MaxRuns {
		r.Failf(x.At, "runs is %d, it must be at most %d (the clocks of all of them are kept)", n, run.MaxRuns)
	}
	return strconv.FormatUint(n, 10)
}

// listOf reads a list of names or numbers. It adds an error for a duplicate.
func (r *reader) listOf(n *tomlfile.Node, key string, read func(x *tomlfile.Node) string) []setting {
	var list []setting
	seen := map[string]bool{}
	for _, x := range r.valuesOf(n, key) {
		s := setting{name: read(x), at: x.At}
		if seen[s.name] {
			r.Failf(x.At, "%s has %s twice", key, s.name)
		}
		seen[s.name] = true
		list = append(list, s)
	}
	return list
}

// optional works like listOf, with a default value if the key is missing.
func (r *reader) optional(n *tomlfile.Node, key, value string, read func(x *tomlfile.Node) string) []setting {
	if x := n.Get(key); x != nil {
		return r.listOf(x, key, read)
	}
	return []setting{{name: value, at: n.At}}
}

// chosenVariants checks the variants of a grid and expands "*" to all variants.
func (r *reader) chosenVariants(g *grid) {
	var list []setting
	for _, s := range g.variants {
		switch {
		case s.name == star:
			for _, name := range append([]string{base}, r.names()...) {
				list = append(list, setting{name: name, at: s.at})
			}
		case r.HasMostErrors():
			return
		case s.name != base && r.findVariant(s.name) == nil:
			r.Failf(s.at, "there is no variant %q%s", s.name, suggest.DidYouMean(s.name, append(r.names(), base, star)))
		default:
			list = append(list, s)
		}
	}
	if g.variants = list; len(list) > 1 && list[0].name == base &&
		slices.ContainsFunc(list[1:], func(s setting) bool { return s.name == base }) {
		r.Failf(g.variants[0].at, "\"*\" includes all variants, also \"base\"")
	}
	for _, s := range g.variants {
		if v := r.findVariant(s.name); v != nil {
			r.contradictions(g, s, v)
		}
	}
}

// contradictions adds errors for settings that both a variant and the grid have.
func (r *reader) contradictions(g *grid, s setting, v *variant) {
	for kind, list := range v.changes {
		for _, c := range list {
			if slices.ContainsFunc(g.axes[kind], func(a axis) bool { return a.name == c.name }) {
				r.Failf(s.at, "the variant %q chooses %s, and so does the grid", v.name, c.name)
			}
		}
	}
}

// checkPrograms checks that the programs exist, accept their arguments, and have the parameters that the grid and its
// variants set.
func (r *reader) checkPrograms(g *grid) {
	for _, p := range g.programs {
		if r.HasMostErrors() {
			return
		}
		f := r.words[p.name]
		if len(f) == 0 || f[0] == "" {
			r.Failf(p.at, "which program? For example: program = \"fib 20\"")
			continue
		}
		path := r.resolvePath(f[0])
		o, err := r.object(path, nil)
		if err != nil {
			r.Failf(p.at, "%v%s", err, r.asList(f))
			continue
		}
		for _, a := range g.axes[ofProgram] {
			for _, s := range a.values {
				if !r.checkParam(path, o, s, a) {
					break
				}
			}
		}
		for _, s := range g.variants {
			if v := r.findVariant(s.name); v != nil {
				for _, c := range v.changes[ofProgram] {
					r.checkParam(path, o, setting{c.name, c.value, s.at}, axis{at: s.at})
				}
			}
		}
	}
}

// asList returns a hint to write the program as a list, if the first words of a string together are the name of a file.
func (r *reader) asList(words []string) string {
	for n := len(words); n > 1; n-- {
		name := strings.Join(words[:n], " ")
		if _, err := os.Stat(r.resolvePath(name)); err == nil {
			return "\nwrite a name with blanks as a list, with its arguments: program = " +
				"[[" + strings.Join(lists.Of(append([]string{name}, words[n:]...), strconv.Quote), ", ") + "]]"
		}
	}
	return ""
}

// checkParam checks one value of a program's parameter, and reports whether further values should be checked.
func (r *reader) checkParam(path string, o *program, s setting, a axis) bool {
	if r.HasMostErrors() {
		return false
	}
	_, err := r.object(path, map[string]string{s.name: s.value})
	if err == nil {
		return true
	}
	if !slices.ContainsFunc(o.Params, func(p asm.Param) bool { return p.Name == s.name }) {
		r.Failf(a.at, "%s: %v", path, err)
		return false
	}
	r.Failf(s.at, "%s: %v", path, err)
	return true
}

package tidy

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// recipePage describes how to add things of eight kinds, each with a list of files.
const recipePage = "docs/CHANGING.md"

// A recipe is checked against the latest addition of its kind.
type recipe struct {
	kind string // its heading
	// table is the file with a row for each thing of the kind, of which a new one is the last, and row finds their
	// names. If it is a folder, whose files have rows for the things of one machine each, all of them are checked.
	table string
	row   *regexp.Regexp
	// besides lists files and folders that name the addition although no recipe requires it, with the reason. It is
	// about the thing named of: once that is no longer the last one, besides says nothing.
	of      string
	besides map[string]string
}

var recipes = []recipe{
	{
		kind: "An instruction", table: "isa/table.go", row: regexp.MustCompile(`\t[A-Z0-9]+: +\{Name: "(\w+)"`),
		of: "movpe", besides: map[string]string{
			"docs":                     "programs that use it, and pages on them",
			"emcr/image.go":            "the loader fills its constant in",
			"emcr/inspect.go":          "the debugger asks what the loader has filled in",
			"internal/compile/seek.go": "compiled programs use it",
			"internal/dev/ref/near.go": "the second loader",
			"programs/lib":             "the policies use it",
		},
	},
	{
		kind: "A statistic", table: "em4/stats.go",
		row: regexp.MustCompile(`\{\s*Key: "(\w+)",[^{}]*\b(?:one|links): `),
	},
	{
		kind: "A knob", table: "em4/knobs.go", row: regexp.MustCompile(`\{\s*Key: "(\w+)"`),
		of: "structure_words", besides: map[string]string{
			"docs":                             "programs that need much of it",
			"em4/program.go":                   "the loader tells a program where its memory is",
			"internal/dev/randprog/machine.go": "machines with little of it",
			"internal/dev/ref":                 "the second model",
		},
	},
	{
		kind: "A figure", table: "internal/draw/figures", row: regexp.MustCompile(`\bfigure\("([\w-]+)"`),
		besides: map[string]string{
			"docs": "pages that show it", "internal/command": "examples in the help",
		},
	},
	{
		// Not line, a word that every file has.
		kind: "A policy", table: "programs/lib/place.s",
		row: regexp.MustCompile(`\.param policy, .*?, (\w[\w-]*)(?:, line)?, "\*\.s"`),
		of:  "ring-round-robin", besides: map[string]string{
			"balance":               "the policy of the same name",
			"docs":                  "what it does to programs",
			"verify/em4relation.go": "a claim of the paper",
		},
	},
	{
		// Those that are no bounds, whose rows begin with free.
		kind: "A balancing policy", table: "balance/policies.go",
		row: regexp.MustCompile(`\t(?:[^f\W]\w*\(|\{?Name: )"([a-z-]+)", `),
	},
	{kind: "A balancing policy", table: "balance/policies.go", row: regexp.MustCompile(`\tfree\("([a-z-]+)", `)},
	{kind: "A command", table: "internal/command/command.go", row: regexp.MustCompile(`\t(new\w+Cmd)\(a\),\n`)},
	{
		kind: "A machine key", table: "cluster/rhinet/knobs.go", row: regexp.MustCompile(`\{\s*Key: "(\w+)"`),
		of: "hub_ticks", besides: map[string]string{
			"docs/sweeps/rhinet": "a sweep varies it",
		},
	},
}

// added returns the names of the latest addition, or of all things if their tables are in a folder.
func (c recipe) added(r *repo) (names []string) {
	for _, s := range r.sources {
		if !within(s.path, c.table) || s.isTest() {
			continue
		}
		for _, row := range c.row.FindAllStringSubmatch(s.text, -1) {
			names = append(names, row[1])
		}
	}
	if path.Ext(c.table) != "" && len(names) > 0 {
		return names[len(names)-1:]
	}
	return names
}

// spellings returns the names as texts and Go have them.
func spellings(names []string) (out []string) {
	for _, name := range names {
		camel, words := "", strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '-' })
		for _, word := range words {
			camel += strings.ToUpper(word[:1]) + word[1:]
		}
		out = append(out, strings.Join(words, "-"), strings.Join(words, "_"), camel, strings.ToUpper(name))
	}
	return out
}

// readBy lists the endings of files that a recipe may list: handwritten files, without tests and recorded outputs.
var readBy = []string{".go", ".s", ".sv", ".md", ".toml"}

// checkRecipes requires that the files of every recipe exist, and that no other file names the kind's latest addition
// without a reason.
func checkRecipes(r *repo) []finding {
	i := slices.IndexFunc(r.sources, func(s *source) bool { return s.path == recipePage })
	if i < 0 {
		return []finding{{recipePage, 0, "the page of recipes is missing"}}
	}
	var out []finding
	for _, c := range recipes {
		files, line := c.files(r.sources[i].text)
		say := func(text string) { out = append(out, finding{recipePage, line, c.kind + ": " + text}) }
		if len(files) == 0 {
			say("no recipe")
		}
		for _, f := range files {
			if !r.all[f] {
				say(f + " does not exist")
			}
		}
		names := c.added(r)
		if len(names) == 0 {
			say(c.table + " has no row; mend the expression in recipes_test.go")
			continue
		}
		if !slices.Contains(names, cmp.Or(c.of, names[0])) {
			c.besides = nil // they are of an earlier one
		}
		used := map[string]bool{}
		files = append(files, c.inPlace(r, names, r.sources[i].text, files)...)
		for _, text := range c.elsewhere(r, names, files, used) {
			say(text)
		}
		for where := range c.besides {
			if !used[where] {
				say(where + " does not name the last one; drop it from recipes_test.go")
			}
		}
	}
	slices.SortStableFunc(out, func(a, b finding) int { return strings.Compare(a.text, b.text) })
	return out
}

// elsewhere says which handwritten files name one of the things, and are neither files of the recipe nor besides. It
// notes which of besides name one.
func (c recipe) elsewhere(r *repo, names, files []string, used map[string]bool) (out []string) {
	for _, s := range namedIn(r, names) {
		known := slices.ContainsFunc(files, func(f string) bool { return within(s.path, f) })
		for where := range c.besides {
			if within(s.path, where) {
				known, used[where] = true, true
			}
		}
		if !known {
			out = append(out, s.name+" is in "+s.path+", which is not in the recipe")
		}
	}
	return out
}

// inPlace returns the files that stand in place of one of the recipe. If an item says "or a new file", or "or another
// file", and its file does not name the thing, one more file of that folder may.
func (c recipe) inPlace(r *repo, names []string, page string, files []string) (out []string) {
	all := namedIn(r, names)
	items, _ := c.items(page)
	for _, item := range items {
		if !strings.Contains(item, "or a new file") && !strings.Contains(item, "or another file") {
			continue
		}
		file := codeOf.FindStringSubmatch(item)[1]
		if slices.ContainsFunc(all, func(s naming) bool { return s.path == file }) {
			continue
		}
		i := slices.IndexFunc(all, func(s naming) bool {
			return path.Dir(s.path) == path.Dir(file) && !slices.Contains(files, s.path)
		})
		if i >= 0 {
			out = append(out, all[i].path)
		}
	}
	return out
}

// A naming is a file that names a thing, in one of its spellings.
type naming struct{ path, name string }

// namedIn returns the handwritten files that name one of the things, without the page of recipes.
func namedIn(r *repo, names []string) (out []naming) {
	spelled := spellings(names)
	pattern := regexp.MustCompile(`\b(?:` + strings.Join(spelled, "|") + `)\b`)
	for _, s := range r.sources {
		if s.isTest() || !slices.Contains(readBy, path.Ext(s.path)) || strings.Contains(s.path, "testdata/") ||
			s.path == "CHANGELOG.md" || s.path == recipePage ||
			!slices.ContainsFunc(spelled, func(name string) bool { return strings.Contains(s.text, name) }) {
			continue
		}
		if name := pattern.FindString(s.text); name != "" {
			out = append(out, naming{s.path, name})
		}
	}
	return out
}

var (
	recipeItem = regexp.MustCompile("^\\* (`[^:]*`)[^:]*: ")
	codeOf     = regexp.MustCompile("`([^`]+)`")
)

// files returns the files of a recipe, and the line of its heading.
func (c recipe) files(page string) (files []string, line int) {
	items, line := c.items(page)
	for _, item := range items {
		for _, code := range codeOf.FindAllStringSubmatch(item, -1) {
			files = append(files, code[1])
		}
	}
	return files, line
}

// items returns what stands before the colon in every item of a recipe, and the line of its heading.
func (c recipe) items(page string) (items []string, line int) {
	for i, text := range strings.Split(page, "\n") {
		switch {
		case text == "### "+c.kind:
			line = i + 1
		case line > 0 && strings.HasPrefix(text, "#"):
			return items, line
		case line > 0:
			if m := recipeItem.FindString(text); m != "" {
				items = append(items, m)
			}
		}
	}
	return items, line
}

func TestRecipesCanFail(t *testing.T) {
	all := recipes
	t.Cleanup(func() { recipes = all })
	row := regexp.MustCompile(`// (\w+)`)
	recipes = []recipe{
		{
			kind: "A thing", table: "things/list.go", row: row,
			of: "oil_lamp", besides: map[string]string{"use": "shines"},
		},
		{kind: "A pot", table: "pots/p.go", row: row, of: "kettle", besides: map[string]string{"use/a.go": "boils"}},
		{kind: "A hat", table: "hats/h.go", row: row},
		{kind: "A shoe", table: "shoes", row: row, besides: map[string]string{"use": "walks"}},
	}
	good := `
-- docs/CHANGING.md --
### A thing

* ` + "`things/list.go`, `things/b.s` or `docs/THINGS.md`" + `: its row
* ` + "`things/list_test.go`" + `: its test, with ` + "`more`" + `

### A pot

* ` + "`pots`" + `: its place

### A shoe

* ` + "`shoes`" + `: its place
-- things/list.go --
package things
// torch
// oil_lamp
-- things/list_test.go --
package things
// oil_lamp
-- things/b.s --
OIL_LAMP
-- docs/THINGS.md --
oil-lamp
-- use/a.go --
package use
// OilLamp kettle boot
-- pots/p.go --
package pots
// kettle
-- shoes/a.go --
package shoes
// boot
-- shoes/b.go --
package shoes
// slipper
`
	hat := []string{"docs/CHANGING.md: A hat: hats/h.go has no row", "docs/CHANGING.md: A hat: no recipe"}
	expect(t, checkRecipes, good, hat...)
	bad := strings.NewReplacer("-- things/b.s --", "-- things/c.s --", "OilLamp kettle", "OilLamp",
		"`pots`", "`pans`").Replace(good)
	expect(t, checkRecipes, bad+"-- z.md --\noil-lamp slipper\n", append(hat,
		"A pot: kettle is in pots/p.go, which is not in the recipe", "A pot: pans does not exist",
		"A pot: use/a.go does not name",
		"A shoe: slipper is in z.md, which is not in the recipe",
		"A thing: OIL_LAMP is in things/c.s", "A thing: oil-lamp is in z.md, which is not in the recipe",
		"A thing: things/b.s does not exist")...)
	later := strings.NewReplacer("// kettle\n", "// kettle\n// pan\n").Replace(good) // besides is about the kettle
	expect(t, checkRecipes, later, hat...)
	expect(t, checkRecipes, later+"-- use/b.go --\npackage use\n// pan\n", append(hat, "A pot: pan is in use/b.go")...)
	expect(t, checkRecipes, "-- a.md --\n", "the page of recipes is missing")
}

// A file may stand in place of the recipe's, and only one may.
func TestNewFileOfRecipe(t *testing.T) {
	all := recipes
	t.Cleanup(func() { recipes = all })
	recipes = []recipe{{kind: "A lid", table: "lids.go", row: regexp.MustCompile(`// (\w+)`)}}
	const (
		page  = "-- docs/CHANGING.md --\n### A lid\n\n* `lids.go`: its row\n"
		files = "-- lids.go --\npackage lids\n// flap\n-- a/old.go --\npackage a\n-- a/new.go --\npackage a\n// flap\n"
		alone = page + "* `a/old.go`: what it does\n" + files
		other = page + "* `a/old.go`, or a new file: what it does\n" + files
	)
	expect(t, checkRecipes, alone, "A lid: flap is in a/new.go, which is not in the recipe")
	expect(t, checkRecipes, other)
	expect(t, checkRecipes, other+"-- a/z.go --\npackage a\n// flap\n", "A lid: flap is in a/z.go")
	expect(t, checkRecipes, other+"-- b/z.go --\npackage b\n// flap\n", "A lid: flap is in b/z.go")
	expect(t, checkRecipes, strings.Replace(other, "old.go --\npackage a\n", "old.go --\npackage a\n// flap\n", 1),
		"A lid: flap is in a/new.go")
}

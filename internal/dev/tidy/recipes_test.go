package tidy

import (
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
	// table is the file with a row for each thing of the kind, of which a new one is the last,
	// and row finds their names.
	table string
	row   *regexp.Regexp
	// besides lists files and folders that name the addition although no recipe requires it, with the reason.
	besides map[string]string
}

var recipes = []recipe{
	{
		kind: "An instruction", table: "isa/table.go", row: regexp.MustCompile(`\t[A-Z]+: +\{Name: "(\w+)"`),
		besides: map[string]string{
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
		row: regexp.MustCompile(`\{\s*Key: "(\w+)".*, (?:one|links): `),
	},
	{
		kind: "A knob", table: "em4/knobs.go", row: regexp.MustCompile(`\{\s*Key: "(\w+)"`),
		besides: map[string]string{
			"docs":                             "programs that need much of it",
			"em4/program.go":                   "the loader tells a program where its memory is",
			"emcr":                             "the unit that obeys it",
			"internal/dev/randprog/machine.go": "machines with little of it",
			"internal/dev/ref":                 "the second model",
		},
	},
	{
		kind: "A figure", table: "internal/draw/figures/em4tour.go", row: regexp.MustCompile(`figure\("([\w-]+)"`),
		besides: map[string]string{
			"docs/BEYOND.md": "the page that the figure is for",
		},
	},
	{
		// The last one whose name is more than a word that every file has, such as line.
		kind: "A policy", table: "programs/lib/place.s",
		row: regexp.MustCompile(`\.param policy, .*, (\w+(?:-\w+)+), `),
		besides: map[string]string{
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
		besides: map[string]string{
			"cluster/rhinet/hub.go": "the file of the model that obeys it",
			"docs/sweeps/rhinet":    "a sweep varies it",
		},
	},
}

// names returns a pattern for the names of the latest addition, or nil if its table has no row.
func (c recipe) names(r *repo) *regexp.Regexp {
	i := slices.IndexFunc(r.sources, func(s *source) bool { return s.path == c.table })
	if i < 0 {
		return nil
	}
	rows := c.row.FindAllStringSubmatch(r.sources[i].text, -1)
	if len(rows) == 0 {
		return nil
	}
	name, camel := rows[len(rows)-1][1], ""
	words := strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '-' })
	for _, word := range words {
		camel += strings.ToUpper(word[:1]) + word[1:]
	}
	return regexp.MustCompile(`\b(?:` + strings.Join(words, "[-_]") + `|` + camel + `|` + strings.ToUpper(name) + `)\b`)
}

// readBy lists the endings of files that a recipe may list: handwritten files, without tests and recorded outputs.
var readBy = []string{".go", ".s", ".sv", ".md", ".toml"}

// checkRecipes requires that the files of every recipe exist, and that no other file names the kind's latest addition
// without a reason.
func checkRecipes(r *repo) []finding {
	var out []finding
	i := slices.IndexFunc(r.sources, func(s *source) bool { return s.path == recipePage })
	if i < 0 {
		return []finding{{recipePage, 0, "the page of recipes is missing"}}
	}
	for _, c := range recipes {
		files, line := c.files(r.sources[i].text)
		if len(files) == 0 {
			out = append(out, finding{recipePage, line, c.kind + ": no recipe"})
		}
		for _, f := range files {
			if !r.all[f] {
				out = append(out, finding{recipePage, line, c.kind + ": " + f + " does not exist"})
			}
		}
		for where := range c.besides {
			files = append(files, where)
		}
		last := c.names(r)
		if last == nil {
			out = append(out, finding{recipePage, line, c.kind + ": " + c.table +
				" has no row; mend the expression in recipes_test.go"})
			continue
		}
		named := map[string]bool{}
		for _, s := range r.sources {
			if s.isTest() || !slices.Contains(readBy, path.Ext(s.path)) || strings.Contains(s.path, "testdata/") ||
				s.path == "CHANGELOG.md" || s.path == recipePage || !last.MatchString(s.text) {
				continue
			}
			known := false
			for _, f := range files {
				if within(s.path, f) {
					known, named[f] = true, true
				}
			}
			if !known {
				out = append(out, finding{recipePage, line, c.kind + ": the last one is in " + s.path +
					", which is not in the recipe"})
			}
		}
		for where := range c.besides {
			if !named[where] {
				out = append(out, finding{recipePage, line, c.kind + ": " + where +
					" does not name the last one; drop it from recipes_test.go"})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b finding) int { return strings.Compare(a.text, b.text) })
	return out
}

var (
	recipeItem = regexp.MustCompile("^\\* (`[^:]*`)[^:]*: ")
	codeOf     = regexp.MustCompile("`([^`]+)`")
)

// files returns the files of a recipe, and the line of its heading.
func (c recipe) files(page string) (files []string, line int) {
	for i, text := range strings.Split(page, "\n") {
		switch {
		case text == "### "+c.kind:
			line = i + 1
		case line > 0 && strings.HasPrefix(text, "#"):
			return files, line
		case line > 0:
			if m := recipeItem.FindStringSubmatch(text); m != nil {
				for _, code := range codeOf.FindAllStringSubmatch(m[0], -1) {
					files = append(files, code[1])
				}
			}
		}
	}
	return files, line
}

func TestRecipesCanFail(t *testing.T) {
	all := recipes
	t.Cleanup(func() { recipes = all })
	row := regexp.MustCompile(`// (\w+)`)
	recipes = []recipe{
		{kind: "A thing", table: "things/list.go", row: row, besides: map[string]string{"use": "shines"}},
		{kind: "A pot", table: "pots/p.go", row: row, besides: map[string]string{"use/a.go": "boils"}},
		{kind: "A hat", table: "hats/h.go", row: row},
	}
	good := `
-- docs/CHANGING.md --
### A thing

* ` + "`things/list.go`, `things/b.s` or `docs/THINGS.md`" + `: its row
* ` + "`things/list_test.go`" + `: its test, with ` + "`more`" + `

### A pot

* ` + "`pots`" + `: its place
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
// OilLamp kettle
-- pots/p.go --
package pots
// kettle
`
	hat := []string{"docs/CHANGING.md: A hat: hats/h.go has no row", "docs/CHANGING.md: A hat: no recipe"}
	expect(t, checkRecipes, good, hat...)
	bad := strings.NewReplacer("-- things/b.s --", "-- things/c.s --", "OilLamp kettle", "OilLamp",
		"`pots`", "`pans`").Replace(good)
	expect(t, checkRecipes, bad+"-- z.md --\noil-lamp\n", append(hat,
		"A pot: pans does not exist", "A pot: the last one is in pots/p.go, which is not in the recipe",
		"A pot: use/a.go does not name",
		"A thing: the last one is in things/c.s", "A thing: the last one is in z.md, which is not in the recipe",
		"A thing: things/b.s does not exist")...)
	expect(t, checkRecipes, "-- a.md --\n", "the page of recipes is missing")
}

package tidy

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// recipePage says how to add a thing of eight kinds, each in a list of files.
const recipePage = "docs/CHANGING.md"

// A recipe is checked against the last thing of its kind that was added.
type recipe struct {
	kind string         // its heading
	last *regexp.Regexp // finds the names of the last addition; nil: table and row have it
	// table is the file with a row for each thing of the kind, in the order in which they were
	// added, and row finds their names. Tables that are ordered by subject have no last row.
	table string
	row   *regexp.Regexp
	// besides are files and folders that name the addition though no recipe asks for it, with the reason.
	besides map[string]string
}

var recipes = []recipe{
	{kind: "An instruction", last: regexp.MustCompile(`\bfblt\b|\bFBLT\b|evalFblt`), besides: map[string]string{
		"internal/compile/floats.go": "compiled programs use it",
	}},
	{kind: "A statistic", table: "em4/stats.go", row: regexp.MustCompile(`\{Key: "(\w+)".*, one: `)},
	{kind: "A knob", last: regexp.MustCompile(`match_clocks|MatchClocks`), besides: map[string]string{
		"emcr/check.go": "the rules of a checkpoint: a state of the FMU that only one value has",
		"emcr/fmu.go":   "the unit that it changes",
		"docs":          "pages and tables of what it does to the paper's rows",
	}},
	{kind: "A figure", last: regexp.MustCompile(`em4-spread|spreadFigures`), besides: map[string]string{
		"docs/BEYOND.md": "the page that the figure is for",
	}},
	{kind: "A policy", last: regexp.MustCompile(`ring.round.robin|[rR]ingRoundRobin`), besides: map[string]string{
		"balance":               "the scheme of the same name",
		"docs":                  "what it does to programs",
		"verify/em4relation.go": "a claim of the paper",
	}},
	{kind: "A scheme", table: "balance/scheme.go", row: regexp.MustCompile(`\t(?:\w+\(|\{Name: )"([a-z-]+)", `)},
	{kind: "A command", table: "internal/command/command.go", row: regexp.MustCompile(`\t(new\w+Cmd)\(a\),\n`)},
	{
		kind: "A machine key", table: "cluster/rhinet/knobs.go", row: regexp.MustCompile(`\{Key: "(\w+)"`),
		besides: map[string]string{
			"cluster/rhinet/hub.go": "the file of the model that obeys it",
			"docs/sweeps/rhinet":    "a sweep varies it",
		},
	},
}

// names returns what finds the last addition of the kind, nil if its table has none.
func (c recipe) names(r *repo) *regexp.Regexp {
	if c.table == "" {
		return c.last
	}
	for _, s := range r.sources {
		if rows := c.row.FindAllStringSubmatch(s.text, -1); s.path == c.table && len(rows) > 0 {
			name := rows[len(rows)-1][1]
			var camel, kebab strings.Builder
			for _, word := range strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '-' }) {
				camel.WriteString(strings.ToUpper(word[:1]) + word[1:])
				kebab.WriteString("[-_]" + word)
			}
			return regexp.MustCompile(`\b` + kebab.String()[len("[-_]"):] + `\b|\b` + camel.String() + `\b`)
		}
	}
	return nil
}

// readBy are the kinds of files that a recipe lists: what people write, without tests and recorded outputs.
var readBy = []string{".go", ".s", ".sv", ".md", ".toml"}

// checkRecipes requires that the files of every recipe exist, and that no other file
// names the kind's last addition without a reason.
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
		if len(named) == 0 {
			out = append(out, finding{recipePage, line, c.kind +
				": no file names the last one; name another in recipes_test.go"})
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

// files are the files of a recipe, and the line of its heading.
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
	recipes = []recipe{
		{
			kind: "A thing", table: "things/list.go", row: regexp.MustCompile(`// (\w+)`),
			besides: map[string]string{"use": "shines"},
		},
		{kind: "A pot", last: regexp.MustCompile("kettle"), besides: map[string]string{"use/a.go": "boils"}},
		{kind: "A hat", last: regexp.MustCompile("beret")},
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
// lamp
-- things/list_test.go --
package things
// lamp
-- things/b.s --
-- docs/THINGS.md --
lamp
-- use/a.go --
package use
// lamp kettle
-- pots/p.toml --
kettle
`
	hat := "docs/CHANGING.md: A hat: no "
	expect(t, checkRecipes, good, hat+"file names the last one", hat+"recipe")
	expect(t, checkRecipes, strings.NewReplacer("-- things/b.s --\n", "", "lamp kettle", "lamp", "-- pots/p.toml --",
		"-- other/p.toml --").Replace(good)+"-- z.md --\nlamp\n",
		hat+"file", hat+"recipe",
		"A pot: no file names the last one", "A pot: pots does not exist", "A pot: the last one is in other/p.toml",
		"A pot: use/a.go does not name",
		"A thing: the last one is in z.md, which is not in the recipe", "A thing: things/b.s does not exist")
	expect(t, checkRecipes, "-- a.md --\n", "the page of recipes is missing")
}

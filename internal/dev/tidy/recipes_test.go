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
	last *regexp.Regexp // finds the names of the last addition
	// besides are files and folders that name the addition though no recipe asks for it, with the reason.
	besides map[string]string
}

var recipes = []recipe{
	{"An instruction", regexp.MustCompile(`\bfblt\b|\bFBLT\b|evalFblt`), map[string]string{
		"internal/compile/floats.go": "compiled programs use it",
	}},
	{"A statistic", regexp.MustCompile(`busy_peak|BusyPeak`), nil},
	{"A knob", regexp.MustCompile(`match_clocks|MatchClocks`), map[string]string{
		"emcr/check.go": "the rules of a checkpoint: a state of the FMU that only one value has",
		"emcr/fmu.go":   "the unit that it changes",
		"docs":          "pages and tables of what it does to the paper's rows",
	}},
	{"A figure", regexp.MustCompile(`em4-spread|spreadFigures`), map[string]string{
		"docs/BEYOND.md": "the page that the figure is for",
	}},
	{"A policy", regexp.MustCompile(`ring.round.robin|[rR]ingRoundRobin`), map[string]string{
		"balance":               "the scheme of the same name",
		"docs":                  "what it does to programs",
		"verify/em4relation.go": "a claim of the paper",
	}},
	{"A scheme", regexp.MustCompile(`(?i)stealing`), map[string]string{
		"balance/doc.go":                   "what is compared",
		"docs/FIGURES.md":                  "a picture of it",
		"docs/PERFORMANCE.md":              "what a large world takes",
		"internal/command/balance.go":      "an example of the help",
		"internal/command/balancelimit.go": "an example of the help",
		"internal/draw/figures/balance.go": "one of five schemes whose times are drawn",
	}},
	{"A command", regexp.MustCompile(`newVersionCmd|emsim version`), nil},
	{"A machine key", regexp.MustCompile(`move_every|MoveEvery|move-every`), map[string]string{
		"docs/sweeps/rhinet/moving.toml":      "a sweep varies it",
		"internal/machine/machines/rhinet.go": "a file of hosts replaces it",
	}},
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
		named := map[string]bool{}
		for _, s := range r.sources {
			if s.isTest() || !slices.Contains(readBy, path.Ext(s.path)) || strings.Contains(s.path, "testdata/") || s.path == "CHANGELOG.md" || s.path == recipePage || !c.last.MatchString(s.text) {
				continue
			}
			known := false
			for _, f := range files {
				if within(s.path, f) {
					known, named[f] = true, true
				}
			}
			if !known {
				out = append(out, finding{recipePage, line, c.kind + ": the last one is in " + s.path + ", which is not in the recipe"})
			}
		}
		if len(named) == 0 {
			out = append(out, finding{recipePage, line, c.kind + ": no file names the last one; name another in recipes_test.go"})
		}
		for where := range c.besides {
			if !named[where] {
				out = append(out, finding{recipePage, line, c.kind + ": " + where + " does not name the last one; drop it from recipes_test.go"})
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
		{"A thing", regexp.MustCompile("lamp"), map[string]string{"use": "shines"}},
		{"A pot", regexp.MustCompile("kettle"), map[string]string{"use/a.go": "boils"}},
		{"A hat", regexp.MustCompile("beret"), nil},
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
	expect(t, checkRecipes, strings.NewReplacer("-- things/b.s --\n", "", "lamp kettle", "lamp", "-- pots/p.toml --", "-- other/p.toml --").Replace(good)+"-- z.md --\nlamp\n",
		hat+"file", hat+"recipe",
		"A pot: no file names the last one", "A pot: pots does not exist", "A pot: the last one is in other/p.toml", "A pot: use/a.go does not name",
		"A thing: the last one is in z.md, which is not in the recipe", "A thing: things/b.s does not exist")
	expect(t, checkRecipes, "-- a.md --\n", "the page of recipes is missing")
}

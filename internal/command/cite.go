package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	repository "emsim"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/machine/fingerprint"
)

// paperOf maps the machines to their papers.
var paperOf = map[string]string{"em4": "003", "mnc": "000", "net": "003", "pdes": "004", "rhinet": "001", "spmd": "002"}

// newCiteCmd returns the command 'emsim cite'.
func newCiteCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "cite [MACHINE...]", Annotations: aboutEmsim,
		Short: "Print BibTeX for emsim and for the papers of machines",
		Long: `cite prints BibTeX for emsim, with the version and the fingerprint of its models,
and for the papers of the machines (em4, mnc, net, pdes, rhinet, spmd); without a
machine for all five papers, on which comparisons of policies rest.`,
		Example:   "  emsim cite\n  emsim cite em4 mnc > emsim.bib",
		ValidArgs: slices.Sorted(maps.Keys(paperOf)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = slices.Sorted(maps.Keys(paperOf))
			}
			papers := []string{}
			for _, machine := range args {
				if paperOf[machine] == "" {
					return usagef("no paper describes a machine %s%s", machine,
						suggest.DidYouMean(machine, slices.Sorted(maps.Keys(paperOf))))
				}
				papers = append(papers, paperOf[machine])
			}
			slices.Sort(papers)
			papers = slices.Compact(papers)
			text, err := bibtex(papers)
			if err != nil {
				return err
			}
			return a.answer(map[string]any{"papers": papers, "bibtex": text}, printed("%s", text))
		},
	}
}

// work is a publication in CITATION.cff.
type work struct {
	Paper      string `yaml:"abbreviation"` // its number in this project
	Title      string
	Notes      string
	Version    string
	URL        string `yaml:"repository-code"`
	Authors    []author
	References []work
}

// author is a person, or a group, which has only a name.
type author struct {
	Name   string
	Family string `yaml:"family-names"`
	Given  string `yaml:"given-names"`
}

// bibtex returns the BibTeX entries of emsim and of the given papers, from CITATION.cff.
func bibtex(papers []string) (string, error) {
	var x work
	if err := yaml.Unmarshal([]byte(repository.Citation), &x); err != nil {
		return "", fmt.Errorf("CITATION.cff: %w", err)
	}
	var b strings.Builder
	x.Notes = "models with the fingerprint " + fingerprint.Recorded
	if r := thisBuild().revision(); r != "" {
		x.Notes += ", revision " + r
	}
	x.write(&b, "software", "emsim")
	for _, w := range x.References {
		if slices.Contains(papers, w.Paper) {
			w.write(&b, "misc", "emsim-"+w.Paper)
		}
	}
	return b.String(), nil
}

// write writes a BibTeX entry. Braces keep titles and names unchanged.
func (w *work) write(b *strings.Builder, kind, key string) {
	authors := lists.Of(w.Authors, func(a author) string {
		if a.Name != "" {
			return "{" + a.Name + "}"
		}
		return a.Family + ", " + a.Given
	})
	fmt.Fprintf(b, "@%s{%s,\n", kind, key)
	for _, f := range [][2]string{
		{"author", strings.Join(authors, " and ")},
		{"title", "{" + w.Title + "}"},
		{"version", w.Version},
		{"url", w.URL},
		{"note", w.Notes},
	} {
		if f[1] != "" {
			fmt.Fprintf(b, "  %-8s= {%s},\n", f[0], f[1])
		}
	}
	b.WriteString("}\n")
}

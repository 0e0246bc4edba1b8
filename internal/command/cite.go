package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	repository "emsim"
	"emsim/balance"
	"emsim/internal/base/lists"
	"emsim/internal/machine/fingerprint"
	"emsim/internal/study/sweep"
	"emsim/verify"
)

// paperOf are the papers behind machines, commands and figures, by the words that
// these begin with.
var paperOf = map[string]string{
	"em4": "003", "net": "003", "run": "003", "trace": "003", "debug": "003", "diff": "003", "play": "003", "profile": "003", "calibrate": "003",
	"mnc": "000", "rhinet": "001", "spmd": "002", "pdes": "004",
}

// papersOf are the papers that a command line rests on, of a command that runs models.
func papersOf(cmd *cobra.Command, args []string) (papers []string, err error) {
	all := lists.Of(verify.Suites(), func(s verify.Suite) string { return s.Paper })
	flag := func(name string) []string { list, _ := cmd.Flags().GetStringSlice(name); return list } // none without the flag
	switch word := strings.Fields(cmd.CommandPath())[1]; {
	case word == "verify":
		chosen, err := verify.Select(verify.Suites(), args)
		return slices.DeleteFunc(all, func(p string) bool { return chosen[p] == nil }), err
	case word == "balance":
		for _, s := range balance.Schemes() {
			if len(flag("scheme")) == 0 || slices.Contains(flag("scheme"), s.Name) {
				papers = append(papers, s.Paper)
			}
		}
	case word == "sweep" && len(args) > 0:
		plan, err := sweep.Load(args[0])
		if err != nil {
			return nil, err
		}
		papers = append(papers, cmp.Or(paperOf[plan.Kind], paperOf["em4"]))
	case word == "report" && len(args) == 0 && !cmd.Flags().Changed("resume"):
		if papers = flag("only"); len(papers) == 0 {
			papers = all
		}
	case word == "plot" && len(args) > 0:
		kind, _, _ := strings.Cut(args[0], "-")
		switch {
		case kind == "balance":
			papers = all
		case kind != "series":
			papers = append(papers, cmp.Or(paperOf[kind], paperOf["em4"])) // of a program
		}
	default:
		papers = append(papers, cmp.Or(paperOf[word], paperOf["em4"]))
	}
	slices.Sort(papers)
	return slices.DeleteFunc(slices.Compact(papers), func(p string) bool { return p == "" }), nil
}

// offerCite adds --cite to every command that runs models.
func (a *app) offerCite(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.offerCite(sub)
	}
	word := strings.Fields(cmd.CommandPath() + " .")[1]
	many := slices.Contains([]string{"verify", "balance", "sweep", "report", "plot"}, word)
	if paperOf[word] == "" && !many || cmd.HasSubCommands() && word != "net" {
		return
	}
	cite, run := false, cmd.RunE
	cmd.Flags().BoolVar(&cite, "cite", false, "print BibTeX for emsim and for the papers that this run rests on, and do nothing else")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !cite {
			return run(cmd, args)
		}
		papers, err := papersOf(cmd, args)
		if err != nil {
			return usagef("%w", err)
		}
		text, err := bibtex(papers)
		if err != nil {
			return err
		}
		a.made.cmd = nil // what follows is no result
		return a.answer(map[string]any{"papers": append([]string{}, papers...), "bibtex": text}, printed("%s", text))
	}
}

// work is a piece of work in CITATION.cff.
type work struct {
	Paper      string `yaml:"abbreviation"` // its number here
	Title      string
	Notes      string
	Version    string
	URL        string `yaml:"repository-code"`
	Authors    []author
	References []work
}

// author is a person, or a group with only a name.
type author struct {
	Name   string
	Family string `yaml:"family-names"`
	Given  string `yaml:"given-names"`
}

// bibtex is emsim and some papers for a bibliography, from CITATION.cff.
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

// write writes an entry; braces keep titles and names as they are.
func (w *work) write(b *strings.Builder, kind, key string) {
	authors := lists.Of(w.Authors, func(a author) string {
		if a.Name != "" {
			return "{" + a.Name + "}"
		}
		return a.Family + ", " + a.Given
	})
	fmt.Fprintf(b, "@%s{%s,\n", kind, key)
	for _, f := range [][2]string{{"author", strings.Join(authors, " and ")}, {"title", "{" + w.Title + "}"}, {"version", w.Version}, {"url", w.URL}, {"note", w.Notes}} {
		if f[1] != "" {
			fmt.Fprintf(b, "  %-8s= {%s},\n", f[0], f[1])
		}
	}
	b.WriteString("}\n")
}

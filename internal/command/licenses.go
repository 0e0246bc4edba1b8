package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	notices "emsim"
)

// licensesAnswer is what 'emsim licenses' prints with --json.
type licensesAnswer struct {
	License string          `json:"license"`
	Modules []licenseModule `json:"modules"`
	Notices string          `json:"notices"`
}

type licenseModule struct {
	Module  string `json:"module"`
	Version string `json:"version"`
	License string `json:"license"`
}

func newLicensesCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "licenses", Annotations: aboutEmsim,
		Aliases: []string{"licences"},
		Short:   "Print the licences of emsim and of everything its binary contains",
		Long: `licenses prints emsim's own licence and the third-party notices: every module
linked into the binary, its version, and the texts of its licences.`,
		Example: "  emsim licenses\n  emsim licenses --json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			answer := licensesAnswer{License: notices.Licence, Modules: licenseModules(notices.Notices), Notices: notices.Notices}
			return a.emitAnswer(answer, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s\n%s", answer.License, answer.Notices)
				return err
			})
		},
	}
}

// licenseModules reads the table of the notices.
func licenseModules(page string) []licenseModule {
	_, table, _ := strings.Cut(page, "| --- | --- | --- | --- |\n")
	var out []licenseModule
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			break
		}
		out = append(out, licenseModule{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])})
	}
	return out
}

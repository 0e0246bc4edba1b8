package command

import (
	"strings"

	"github.com/spf13/cobra"

	notices "emsim"
)

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
			answer := object{
				"license", notices.Licence, "modules", licenseModules(notices.Notices),
				"notices", notices.Notices,
			}
			return a.answer(answer, printed("%s\n%s", notices.Licence, notices.Notices))
		},
	}
}

// licenseModules parses the table on the page of notices.
func licenseModules(page string) (out []object) {
	_, table, _ := strings.Cut(page, "| --- | --- | --- | --- |\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			break
		}
		out = append(out, object{
			"module", strings.TrimSpace(cells[1]), "version", strings.TrimSpace(cells[2]),
			"license", strings.TrimSpace(cells[3]),
		})
	}
	return out
}

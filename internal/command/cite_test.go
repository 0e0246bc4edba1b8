package command

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"emsim/internal/machine/fingerprint"
)

// A command line rests on the papers of its machines, schemes, rows and figures, and
// runs nothing for --cite.
func TestCite(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"em4.toml": "[[grid]]\nprogram = \"fib 3\"\n", "mnc.toml": "[[grid]]\nmachine = \"mnc\"\n"} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	const all = "000 001 002 003 004"
	for line, want := range map[string]string{
		"run fib 40":                   "003",
		"net traffic":                  "003",
		"calibrate":                    "003",
		"mnc run":                      "000",
		"rhinet run":                   "001",
		"spmd run":                     "002",
		"pdes scatter":                 "004",
		"verify":                       all,
		"verify 003.t1 000.e":          "000 003",
		"balance compare":              all,
		"balance limit --scheme power": "002",
		"balance compare --scheme stealing,clb,power,glb": "001 002",
		"report":                   all,
		"report --only 001":        "001",
		"report fib 40":            "003",
		"plot em4-fig5 -o x.svg":   "003",
		"plot timeline fib 40":     "003",
		"plot blocks fib.go":       "003",
		"plot pdes-maps":           "004",
		"plot balance-time":        all,
		"plot series of.csv":       "",
		"sweep em4.toml":           "003",
		"sweep mnc.toml --slurm 2": "000",
	} {
		status, out, errs := emsim(append(strings.Fields(line), "--cite")...)
		require.Zero(t, status, "%s: %s", line, errs)
		var keys []string
		for _, entry := range strings.Split(out, "\n@misc{emsim-")[1:] {
			keys = append(keys, entry[:3])
		}
		require.Equal(t, want, strings.Join(keys, " "), line)
	}
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, left, 2, "nothing has run")
	require.Equal(t, `@software{emsim,
  author  = {{The emsim maintainers}},
  title   = {{emsim}},
  version = {`+Release+`},
  note    = {models with the fingerprint `+fingerprint.Recorded+`},
}
@misc{emsim-000,
  author  = {Nakayama, Yoshitaro and Okawa, Yoshikuni},
  title   = {{Autonomous and Dynamic Load Balancing Scheme on Tightly Coupled MultiProcessors}},
  note    = {paper 000 of emsim; a talk at a convention, whose year and venue are not in our copy},
}
`, answerText(t, "mnc", "run", "--cite"))
	status, out, _ := emsim("verify", "003.t1.1.time", "--cite", "--json")
	require.Zero(t, status)
	require.Contains(t, out, "\"papers\": [\n    \"003\"\n  ]\n")
	require.NotContains(t, out, "recipe")
	status, _, errs := emsim("verify", "9", "--cite")
	require.Equal(t, wrong, status)
	require.Contains(t, errs, "no row has an id that starts with \"9\"")
}

// Every command that makes a result of a model has --cite, and no other.
func TestWhoIsCited(t *testing.T) {
	var without []string
	eachCommand(func(path string, cmd *cobra.Command) {
		if cmd.Flags().Lookup("cite") == nil {
			without = append(without, path)
		}
	})
	require.ElementsMatch(t, strings.Split(",again,asm,build,completion bash,completion fish,completion powershell,completion zsh,dis,docs,grade,help,licenses,machine show,new,version", ","), without)
}

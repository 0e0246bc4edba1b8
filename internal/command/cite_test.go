package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/fingerprint"
	"emsim/internal/machine/machinefile"
)

// Every machine cites its paper. Several papers appear once each, in the order of their numbers, and without a machine
// all are cited.
func TestCite(t *testing.T) {
	for line, want := range map[string]string{
		"": "000 001 002 003 004", "em4": "003", "net": "003", "mnc": "000", "rhinet": "001", "spmd": "002",
		"pdes":                "004",
		"spmd em4 net rhinet": "001 002 003",
	} {
		status, out, errs := emsim(append([]string{"cite"}, strings.Fields(line)...)...)
		require.Zero(t, status, "%s: %s", line, errs)
		var keys []string
		for _, entry := range strings.Split(out, "\n@misc{emsim-")[1:] {
			keys = append(keys, entry[:3])
		}
		require.Equal(t, want, strings.Join(keys, " "), line)
	}
	for _, kind := range machinefile.Kinds() {
		require.NotEmpty(t, paperOf[kind.Name], kind.Name)
	}
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
`, answerText(t, "cite", "mnc"))
	require.Contains(t, answerText(t, "cite", "em4", "--json"), "\"papers\": [\n    \"003\"\n  ]\n")
	status, _, errs := emsim("cite", "mnz")
	require.Equal(t, wrong, status)
	require.Contains(t, errs, "no paper describes a machine mnz; did you mean \"mnc\"?")
}

package command

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/programs"
	"emsim/verify"
)

// numberWords lists the words for numbers in help texts and pages.
var numberWords = []string{
	"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
	"eleven", "twelve",
}

// The numbers of programs, policies and papers in prose match the tables.
func TestCountsInProse(t *testing.T) {
	page := func(name string) string {
		text, err := os.ReadFile("../../" + name)
		require.NoError(t, err)
		return strings.Join(strings.Fields(string(text)), " ")
	}
	all, policies := numberWords[len(programs.Names())], numberWords[len(programs.Policies())]
	require.Contains(t, page("docs/PROGRAMS.md"), "includes "+all+" dataflow programs")
	require.Contains(t, page("docs/PROGRAMS.md"), "one of the "+policies+" static policies")
	require.Contains(t, page("docs/FIGURES.md"), fmt.Sprintf("%s programs, three sizes, %s policies", all, policies))
	balancing := 0
	for _, a := range rhinet.PaperPolicies() {
		if a.Balances() {
			balancing++
		}
	}
	require.Contains(t, page("docs/RHINET.md"), numberWords[balancing]+" policies move rows")
	require.Contains(t, newRootCmd(&app{}).Long, "of "+numberWords[len(verify.Suites())]+" papers")
}

// The help of the command shows the file of its example, the page has the same file, and the example runs with it.
func TestSPMDExample(t *testing.T) {
	cmd, _, err := newRootCmd(&app{}).Find([]string{"spmd", "run"})
	require.NoError(t, err)
	_, ring, _ := strings.Cut(cmd.Long, "This is ring.txt:\n\n")
	ring, _, _ = strings.Cut(ring, "\n\n")
	page, err := os.ReadFile("../../docs/SPMD.md")
	require.NoError(t, err)
	shown := regexp.MustCompile(`printf '(.*)' >ring.txt`).FindStringSubmatch(string(page))
	require.NotNil(t, shown)
	t.Chdir(t.TempDir())
	ring = strings.ReplaceAll(ring, "  ", "") + "\n"
	require.Equal(t, ring, strings.ReplaceAll(shown[1], `\n`, "\n"))
	require.NoError(t, os.WriteFile("ring.txt", []byte(ring), 0o666))
	lines := strings.Split(cmd.Example, "\n")
	status, _, errs := emsim(strings.Fields(lines[len(lines)-1])[1:]...)
	require.Zero(t, status, errs)
}

//go:build slow

package verify

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/scores.csv has the scores of every release. Its last release is the release in CITATION.cff, with the present
// scores of 'emsim verify --score'. With -update these lines are written again.
func TestScoresByRelease(t *testing.T) {
	const file = "../docs/scores.csv"
	cite, err := os.ReadFile("../CITATION.cff")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(cite), "\nversion: ")
	release, _, _ := strings.Cut(rest, "\n")
	var rows []Row
	for _, s := range Suites() {
		rows = append(rows, measured(t, s.Paper)...)
	}
	var today strings.Builder
	w := csv.NewWriter(&today)
	for _, s := range Scores(rows) {
		line := []string{release, string(s.Class), s.PaperNo, fmt.Sprint(s.Rows)}
		for _, f := range []*float64{&s.Error, s.Low, s.High, &s.NullError, s.Skill} {
			cell := ""
			if f != nil {
				cell = fmt.Sprintf("%.4f", *f)
			}
			line = append(line, cell)
		}
		require.NoError(t, w.Write(line))
	}
	w.Flush()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	earlier, last, found := strings.Cut(string(text), "\n"+release+",")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(strings.TrimSuffix(earlier, "\n")+"\n"+today.String()), 0o644))
		return
	}
	require.True(t, found, "docs/scores.csv lacks %s: 'go test -tags slow ./verify -run ScoresByRelease "+
		"-update' writes it", release)
	require.Equal(t, today.String(), release+","+last)
}

package report

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page names the papers as docs/DEVIATIONS.md does: by their titles and the
// surnames of all their authors.
func TestTitlesAreThoseOfThePapers(t *testing.T) {
	page, err := os.ReadFile("../../../docs/DEVIATIONS.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| \[(\d{3})\] \| (.*?) \| (.*?) \|`).FindAllStringSubmatch(string(page), -1)
	require.Len(t, rows, len(about))
	for _, row := range rows {
		a, ok := about[row[1]]
		require.True(t, ok, row[1])
		title, names, ok := strings.Cut(strings.TrimSuffix(a.title, ")"), " (")
		require.True(t, ok, a.title)
		require.Contains(t, strings.ToLower(row[3]), strings.ToLower(title))
		var surnames []string
		for _, m := range regexp.MustCompile(`[A-Z][a-z]+ ([A-Z][a-z]+) \(`).FindAllStringSubmatch(row[2], -1) {
			surnames = append(surnames, m[1])
		}
		if surnames == nil { // the copy has none
			require.Contains(t, row[2], "not in our copy")
			require.Equal(t, "title and authors are not in our copy", names)
			continue
		}
		require.Equal(t, strings.Join(surnames, ", "), names)
	}
}

package verify

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "with -run TestRecordGaps: write the gaps' values of today into "+
	"the papers' files")

// 'go test ./verify -run TestRecordGaps -update' writes the models' last values for the known gaps into the column
// "recorded". Run it after an intended change of a model, after 'go test -tags slow ./verify -run TestRows -update'.
// Explain the change in docs/DEVIATIONS.md. Bands are set by hand.
func TestRecordGaps(t *testing.T) {
	if !*update {
		return
	}
	for _, s := range Suites() {
		file := filepath.Join("papers", s.Paper+".csv")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		text, err = record(text, s.Paper, measured(t, s.Paper))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o644))
	}
}

// record returns a paper's file with the models' values of its gaps in the column "recorded", and with all other cells
// unchanged.
func record(text []byte, paper string, rows []Row) ([]byte, error) {
	var out bytes.Buffer
	for bytes.HasPrefix(text, []byte("#")) {
		end := bytes.IndexByte(text, '\n') + 1
		out.Write(text[:end])
		text = text[end:]
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	id, recorded := slices.Index(lines[0], "id"), slices.Index(lines[0], "recorded")
	for _, l := range lines[1:] {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.ID == paper+"."+l[id] })
		if i >= 0 && rows[i].Gap != nil {
			l[recorded] = recordedText(rows[i].Model)
		}
	}
	w := csv.NewWriter(&out)
	err = w.WriteAll(lines)
	return out.Bytes(), err
}

// recordedText returns a number with six digits. The band of a number is one unit of the last digit.
func recordedText(model any) string {
	if f, ok := model.(float64); ok {
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	return fmt.Sprint(model)
}

// Recording rewrites only the recorded values of gaps, and never the paper's
// column.
func TestRecord(t *testing.T) {
	for _, s := range Suites() {
		text, err := papers.ReadFile("papers/" + s.Paper + ".csv")
		require.NoError(t, err)
		claims, err := Claims(s.Paper)
		require.NoError(t, err)
		var same, other []Row
		for _, c := range claims {
			v := TextValue(c.Recorded)
			if r := Compare(c, v); r.Band != nil {
				v = Number(r.Recorded.(float64))
			}
			same = append(same, Compare(c, v))
			other = append(other, Compare(c, TextValue("something, else")))
		}
		got, err := record(text, s.Paper, same)
		require.NoError(t, err)
		require.Equal(t, string(text), string(got))
		got, err = record(text, s.Paper, other)
		require.NoError(t, err)
		want := string(text)
		for _, c := range claims {
			if c.Gap != 0 {
				gap := fmt.Sprintf(",%d,", c.Gap)
				was := c.Recorded
				if strings.Contains(was, ",") {
					was = `"` + was + `"`
				}
				want = strings.Replace(want, gap+was+",", gap+`"something, else",`, 1)
			}
		}
		require.Equal(t, want, string(got), s.Paper)
	}
	require.Equal(t, "128.758", recordedText(128.75783825))
}

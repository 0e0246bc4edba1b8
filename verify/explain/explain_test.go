package explain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/verify"
)

// all returns the claims of every paper.
func all(t *testing.T) []verify.Claim {
	var list []verify.Claim
	for _, s := range verify.Suites() {
		claims, err := verify.Claims(s.Paper)
		require.NoError(t, err)
		list = append(list, claims...)
	}
	return list
}

// Every row has words or the reason why there are none, a sentence on its measurement and one on its class. Every gap
// says what was tried.
func TestEveryRowIsExplained(t *testing.T) {
	for _, c := range all(t) {
		found, err := FindClaim(c.ID)
		require.NoError(t, err)
		require.Equal(t, c, found)
		x, err := Explain(c, verify.Compare(c, verify.Number(1)))
		require.NoError(t, err)
		require.Equal(t, c.ID, x.Row.ID)
		require.NotEmpty(t, x.Words.English, c.ID)
		require.NotContains(t, x.How, "as the row's note says", c.ID)
		require.Greater(t, len(x.How), 30, c.ID)
		require.False(t, strings.HasPrefix(x.How, ","), c.ID)
		require.NotEmpty(t, x.ClassMeans, c.ID)
		require.Equal(t, c.Gap != 0, x.Tried != "", c.ID)
		require.NotContains(t, x.Tried, "](", "no links")
		require.NotContains(t, x.Tried, "`", "no code")
		if strings.Contains(c.Cond["source"], "table") && c.PaperNo == "003" && !strings.Contains(c.ID, ".x.") {
			require.Contains(t, x.Words.Where, "table", c.ID)
		}
	}
}

// The words contain the number of the row, if the paper prints it.
func TestWordsHaveTheNumber(t *testing.T) {
	for _, c := range all(t) {
		_, number := c.Number()
		if !number || c.Class == verify.Regression || strings.HasPrefix(c.Cond["source"], "derived") {
			continue
		}
		w, err := wordsOf(c.ID)
		require.NoError(t, err)
		switch c.PaperNo {
		case "003":
			figure := strings.TrimSuffix(c.Paper, ".0")
			require.True(t, strings.Contains(w.Original, figure), "%s: %s", c.ID, w.Original)
		case "004":
			if strings.HasPrefix(c.ID, "004.t1.") && c.ID != "004.t1.quiet.ratio" {
				require.Contains(t, w.Original, c.Paper, c.ID)
			}
		}
	}
}

// Every line of words.csv is used.
func TestWordsAreUsed(t *testing.T) {
	list, err := words()
	require.NoError(t, err)
	used := map[Words]bool{}
	for _, c := range all(t) {
		w, err := wordsOf(c.ID)
		require.NoError(t, err)
		used[w] = true
	}
	for id, w := range list {
		require.True(t, used[w], id)
	}
	_, err = wordsOf("009.t1")
	require.EqualError(t, err, "explain: words.csv has no line for 009.t1")
}

// The sensitivity of a row covers every uncertain knob. Each knob has a reason and one published value.
func TestSensitivity(t *testing.T) {
	list, err := sensitivity("003.t1.2.time")
	require.NoError(t, err)
	require.Len(t, list, len(verify.UncertainKnobs003()))
	for i, k := range verify.UncertainKnobs003() {
		require.Equal(t, []string{k.Key, k.Why}, []string{list[i].Key, list[i].Why})
		published := 0
		for j, v := range list[i].Values {
			require.Equal(t, k.Values[j], v.Value)
			if v.Published {
				published++
			}
		}
		require.Equal(t, 1, published, k.Key)
	}
	require.Equal(t, Setting{Value: "1", Model: "1.54848"}, list[0].Values[0])
	list, err = sensitivity("001.t2.8.total")
	require.NoError(t, err)
	require.Empty(t, list)
}

// Gaps parses the table of the page, and turns the links and the code of a cell into text.
func TestGaps(t *testing.T) {
	gaps := Gaps()
	require.Contains(t, gaps[9].Rows, "`003.t3.mlpe.mlpecalls`")
	require.Contains(t, gaps[403].Tried, "1,500 seeds give 1.88")
	require.NotContains(t, gaps, 2)
	require.NotContains(t, gaps, 7)
	require.Equal(t, "see b and c", plain("see [b](c.md#d) and `c`"))
}

// Only a whole id is accepted. For a near miss, the error suggests the right id.
func TestFind(t *testing.T) {
	_, err := FindClaim("003.t1.1.tim")
	require.EqualError(t, err, `no row has the id "003.t1.1.tim"; did you mean "003.t1.1.time"?`)
}

// The measurement of every row, and the explanations of twelve rows and of every gap, are recorded as they were when
// they were last read.
func TestExplanationsAreRecorded(t *testing.T) {
	var b strings.Builder
	for i, c := range all(t) {
		x, err := Explain(c, verify.Compare(c, verify.Number(1)))
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s: %s\n", c.ID, x.How)
		if i%12 != 0 && c.Gap == 0 {
			continue
		}
		x.Row = verify.Row{ID: c.ID}
		text, err := json.MarshalIndent(x, "", " ")
		require.NoError(t, err)
		b.Write(append(text, '\n'))
	}
	fmt.Fprintf(&b, "%v\n", Gaps())
	golden.Check(t, "explanations.txt", []byte(b.String()))
}

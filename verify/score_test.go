package verify

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each number counts relative to its table's mean. Values that are not numbers of a paper do not count.
func TestScores(t *testing.T) {
	number := func(paper, place string, class Class, says, model float64) Row {
		return Row{PaperNo: paper, place: place, Unit: "s", Class: class, Paper: says, Model: model}
	}
	rows := []Row{
		number("001", "table 2", Predicted, 0, 0.5), number("001", "table 2", Fitted, 10, 9), // their mean is 5
		number("001", "table 3", Predicted, 2, 2.6),
		number("003", "table 1", Predicted, 4, 4.8),
		{PaperNo: "003", Class: Predicted, Paper: "holds", Model: "fails"},
		{PaperNo: "003", Class: Predicted, Paper: 1.0, Model: "deadlock"},
		{PaperNo: "003", Class: Predicted, Paper: 1.0, Model: 9.0, Derived: true},
		{PaperNo: "003", Class: Regression, Paper: 1.0, Model: 9.0},
	}
	got := map[string]Score{}
	for _, s := range Scores(rows) {
		got[s.PaperNo+" "+string(s.Class)] = s
		require.Equal(t, s.Rows > 1, s.Low != nil, "one row has no interval")
		if s.Low != nil {
			require.True(t, 0 <= *s.Low && *s.Low <= s.Error && s.Error <= *s.High)
		}
	}
	require.Len(t, got, 5)
	for name, want := range map[string]struct {
		rows  int
		error float64
	}{"all predicted": {3, (0.1 + 0.3 + 0.2) / 3}, "001 predicted": {2, 0.2}, "003 predicted": {
		1,
		0.2,
	}, "all fitted": {1, 0.2}, "001 fitted": {1, 0.2}} {
		require.Equal(t, want.rows, got[name].Rows, name)
		require.InDelta(t, want.error, got[name].Error, 1e-9, name)
	}
	require.Equal(t, Predicted, Scores(rows)[0].Class)
	require.Empty(t, Scores(nil))
}

// The skill is what the model gains over the best guesses, in the errors of the score: here 0.1 and 0.3 of the table's
// mean against 0.5 and 0.3. If the guesses have no error, there is no skill.
func TestSkill(t *testing.T) {
	number := func(paper, says, model, null float64) Row {
		return Row{
			PaperNo: fmt.Sprintf("%03.0f", paper), Unit: "s", Class: Guided, Paper: says, Model: model,
			Null: &Null{Value: null},
		}
	}
	got := Scores([]Row{number(1, 4, 4.5, 1.5), number(1, 6, 4.5, 7.5), number(3, 2, 2.5, 2)})
	require.Len(t, got, 3, "all, 001 and 003")
	require.InDelta(t, 0.4, got[1].NullError, 1e-9, "(2.5 + 1.5) / 5 / 2")
	require.InDelta(t, 0.5, *got[1].Skill, 1e-9, "1 - 0.2 / 0.4")
	require.Zero(t, got[2].NullError)
	require.Nil(t, got[2].Skill)
	require.InDelta(t, 0.8/3, got[0].NullError, 1e-9)
	require.InDelta(t, 1-(0.4+0.25)/0.8, *got[0].Skill, 1e-9)
}

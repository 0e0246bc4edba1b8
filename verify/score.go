package verify

import (
	"math"

	statistics "emsim/internal/study/spread"
)

// A Score is the error of the models over the numbers of one class. It is the mean of |model - paper|, where each term
// is divided by the mean of the numbers of the same unit in the same table. So a cell counts by its size, and a cell
// that the paper prints as 0.01 does not outweigh all others.
type Score struct {
	PaperNo string  `json:"source"` // "all" for all papers
	Class   Class   `json:"class"`
	Rows    int     `json:"rows"`
	Error   float64 `json:"error"`
	// Low and High are the 95 % interval of Error, which does not go below 0. They are null for a single row.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
	// NullError is the error of the best null models of the same rows; a row without a null model counts as 0. Skill is
	// 1 - Error/NullError, the model's gain over them: 0 is no better than a guess, 1 equals the paper.
	NullError float64  `json:"null_error"`
	Skill     *float64 `json:"skill"` // null if the null models have no error
}

// Scores returns the scores of each paper and of all papers, predicted rows first. It ignores claims in words, derived
// rows and regressions.
func Scores(rows []Row) []Score {
	type table struct{ paper, place, unit string }
	sum, cells := map[table]float64{}, map[table]float64{}
	of := func(r Row) (t table, paper, model float64, ok bool) {
		paper, printed := r.Paper.(float64)
		model, measured := r.Model.(float64)
		return table{r.PaperNo, r.place, r.Unit}, paper, model, printed && measured && !r.Derived &&
			r.Class != Regression
	}
	for _, r := range rows {
		if t, paper, _, ok := of(r); ok {
			sum[t], cells[t] = sum[t]+math.Abs(paper), cells[t]+1
		}
	}
	var scores []Score
	for _, class := range []Class{Predicted, Guided, Fitted} {
		papers, errors, nulls := []string{"all"}, map[string][]float64{}, map[string]float64{}
		for _, r := range rows {
			if t, paper, model, ok := of(r); ok && r.Class == class {
				if errors[r.PaperNo] == nil {
					papers = append(papers, r.PaperNo)
				}
				mean := sum[t] / cells[t]
				e := math.Abs(model-paper) / mean
				if r.Null != nil {
					null := math.Abs(r.Null.Value-paper) / mean
					nulls[r.PaperNo], nulls["all"] = nulls[r.PaperNo]+null, nulls["all"]+null
				}
				errors[r.PaperNo], errors["all"] = append(errors[r.PaperNo], e), append(errors["all"], e)
			}
		}
		for _, p := range papers {
			if len(errors[p]) > 0 {
				s := statistics.Of(errors[p])
				score := Score{PaperNo: p, Class: class, Rows: s.N, Error: s.Mean, NullError: nulls[p] / float64(s.N)}
				if low := max(0, s.Low); s.N > 1 {
					score.Low, score.High = &low, &s.High
				}
				if score.NullError > 0 {
					skill := 1 - score.Error/score.NullError
					score.Skill = &skill
				}
				scores = append(scores, score)
			}
		}
	}
	return scores
}

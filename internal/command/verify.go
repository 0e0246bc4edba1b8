package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/verify"
	"emsim/verify/explain"
)

func newVerifyCmd(a *app) *cobra.Command {
	explained, score, runs := "", false, verify.Runs003
	cmd := &cobra.Command{
		Use:   "verify [ID-PREFIX...] [--score] | verify --explain ID",
		Short: "Compare the models with the papers' numbers and claims",
		Long: `verify measures every row of the papers' tables, or those whose ids start with
one of the prefixes, and prints paper, model and deviation with its tolerance.
Regressions, our own numbers that no paper prints, are in separate tables: they
show that the models have not changed.

Rows of paper 003 are means over eight consecutive runs on one machine, those
of random policies on eight machines with a seed each; the table also has the
least and the greatest value, and --json the fastest and the first run. --runs sets
another number than eight. The machines run side by side on all cores. The work per
call, which follows from the paper's times and shares, has a table of its own.

The verdict is ok if the row is within its rule. A published gap
('emsim docs DEVIATIONS') is shown as a gap as long as its value stays in its
recorded band; once it leaves the band or the gap closes, the row is NOT OK. The
exit status is 1 if any row is not ok.

The class says how a row's number was used: fitted, it set a knob of the model;
guided, it helped to choose one, or the margins are ours; predicted, neither.
Next to the paper's number stands the best null model, a guess from its other
numbers without any machine; * marks one that passes the row's limit, too. Rows
that a null passes are predicted by label only, and are not counted.
"always" marks what no setting of 'emsim calibrate' moves out of its rule. Ctrl-C
prints the rows measured so far.

--score prints one figure of merit instead: the mean of |model - paper| over the
papers' numbers of each class, each in relation to the mean of its table's
numbers of that unit, with its 95 % interval; and the skill against the null
models, 1 - error / null's error.

--explain ID tells everything about one row: what the paper says, how the model
gets its value, the command that gives this value alone, what its class means,
what every null model gives, how uncertain knobs change it, and what was tried if
it is a gap.`,
		Example: "  emsim verify\n  emsim verify --score\n  emsim verify 003.t1 --json\n  emsim verify " +
			"--explain 003.t1.2.time",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("explain") {
				return a.explain(cmd.Context(), explained, args)
			}
			return a.verify(cmd, args, score, runs)
		},
	}
	cmd.Flags().BoolVar(&score, "score", false, "print the mean error of each class of rows instead of the rows")
	cmd.Flags().StringVar(&explained, "explain", "", "tell everything about the row with this id")
	cmd.Flags().IntVar(&runs, "runs", runs,
		"consecutive runs of each machine of paper 003; the bands of gaps belong to the default")
	cmd.MarkFlagsMutuallyExclusive("score", "explain")
	cmd.MarkFlagsMutuallyExclusive("runs", "explain")
	cmd.ValidArgsFunction = completeRows
	a.completes(cmd, "explain", completeRows)
	return cmd
}

// mostVerifyRuns is the largest value of --runs [chosen: half an hour of one core].
const mostVerifyRuns = 256

// verify measures rows and prints them, or their scores.
func (a *app) verify(cmd *cobra.Command, args []string, score bool, runs int) error {
	if runs < 1 || runs > mostVerifyRuns {
		return usagef("--runs is %d, it must be 1..%d", runs, mostVerifyRuns)
	}
	suites := verify.SuitesOfRuns(runs)
	chosen, err := verify.Select(suites, args)
	if err != nil {
		return usagef("%w; 'emsim verify' prints every id", err)
	}
	if cmd.Flags().Changed("runs") && claims(chosen) > len(chosen["003"]) {
		return usagef("--runs changes rows of paper 003 only: name these, as in 'emsim verify 003 --runs %d'", runs)
	}
	line := a.longPart(cmd, args, claims(chosen))
	rows, err := verify.Run(cmd.Context(), suites, chosen, func(done int) { line.steps("rows")(done, claims(chosen)) })
	line.end()
	if rows == nil {
		rows = []verify.Row{}
	}
	x := &answer.Answer{Title: plural.Of(len(rows), "row") + ": models against papers", Lists: verifyLists(suites,
		rows)}
	if len(rows) > 0 {
		x.Next = answer.Next{Command: "emsim verify --explain " + rows[0].ID, Why: "where a row comes from"}
	}
	said, table := any(rows), a.shown(x)
	if score && err == nil { // after an interruption, the rows so far are more useful than scores
		list := append([]verify.Score{}, verify.Scores(rows)...)
		said, table = list, a.shown(scoreSaid(list))
	}
	if err := a.emitParts(cmd.Context(), err, steps(len(rows), claims(chosen)), said, table,
		"after %d of %s", len(rows), plural.Of(claims(chosen), "row")); err != nil {
		return err
	}
	for _, r := range rows {
		if !r.OK {
			return errCheckFailed
		}
	}
	return nil
}

// claims returns the number of rows to measure.
func claims(chosen map[string][]verify.Claim) int {
	n := 0
	for _, list := range chosen {
		n += len(list)
	}
	return n
}

// explain measures one row and prints its explanation. The exit status is the same as for verify.
func (a *app) explain(ctx context.Context, id string, args []string) error {
	if len(args) > 0 {
		return usagef("--explain takes one id, and no other argument: leave out %s", strings.Join(args, " "))
	}
	c, err := explain.FindClaim(id)
	if err != nil {
		return usagef("--explain: %w; 'emsim verify' prints every id", err)
	}
	line := a.newPart("measuring "+c.ID, 0)
	rows, err := verify.Run(ctx, verify.Suites(), map[string][]verify.Claim{c.PaperNo: {c}}, nil)
	line.end()
	if err != nil {
		return ended(ctx, err, "before %s was measured", c.ID)
	}
	x, err := explain.Explain(c, rows[0])
	if err != nil {
		return err
	}
	if err := a.answer(x, a.shown(explanation(x))); err != nil {
		return err
	}
	if !rows[0].OK {
		return errCheckFailed
	}
	return nil
}

// explanation returns the answer about a row.
func explanation(x *explain.Explanation) *answer.Answer {
	r := &x.Row
	said := &answer.Answer{Title: fmt.Sprintf("%s: %s", r.ID, r.Quantity)}
	if measured(r.Unit) {
		said.Title += ", in " + r.Unit
	}
	section := func(head string, texts ...string) {
		if strings.Join(texts, "") != "" {
			said.Lists = append(said.Lists, answer.List{Title: head, Notes: texts})
		}
	}
	said.Lists = append(said.Lists, explainedValue(r))
	place := ""
	if x.Words.Where != "" {
		place = ", " + x.Words.Where
	}
	section(fmt.Sprintf("What paper %s says%s", r.PaperNo, place), x.Words.Original)
	if x.Words.Original == "" {
		section("What paper "+r.PaperNo+" says", x.Words.English)
	} else {
		section("In English", x.Words.English)
	}
	section("Note", r.Note)
	section("How the model gets its value", x.How)
	command := []string{r.Command, "with --json the value is " + r.Reads}
	if strings.HasPrefix(r.Command, "emsim verify") {
		command = command[:1]
		if len(x.Behind) > 0 {
			command = append(append(command, "no other command prints it; these show the runs that it is made of:"),
				x.Behind...)
		}
	}
	said.Lists = append(said.Lists, answer.List{
		Title: "The command that gives this value alone", Unbroken: true,
		Rows: lists.Of(command, func(text string) []any { return []any{text} }),
	})
	section("Class: "+string(r.Class), x.ClassMeans)
	said.Lists = append(said.Lists, explainedNulls(x), explainedKnobs(x))
	if r.Gap != nil {
		section(fmt.Sprintf("Gap %d ('emsim docs DEVIATIONS'): what was tried", *r.Gap), x.Tried)
	}
	return said
}

// explainedValue returns the numbers of the row and the verdict.
func explainedValue(r *verify.Row) (l answer.List) {
	expected := "paper"
	switch {
	case r.Class == verify.Regression:
		expected = "expected"
	case r.Derived:
		expected = "derived"
	}
	l.Add(expected, fmt.Sprint(r.Paper))
	l.Add("model", modelText(r.Model)+spreadText(r))
	if off, limit, unit := offOf(*r); off != "" {
		l.Add("deviation", fmt.Sprintf("%s %s; the limit is %s", off, unit, limit))
	}
	l.Add("verdict", verdict(*r))
	for _, b := range r.BestOf {
		l.Add(fmt.Sprintf("best of %d", b.Runs), fmt.Sprintf("%.6g is expected in the fastest of %d runs, as the "+
			"paper prints: %s", b.Model, b.Runs, insideText(b.Inside)))
	}
	l.Notes = reasons([]verify.Row{*r})
	return l
}

// spreadText returns the variation of the value over several runs.
func spreadText(r *verify.Row) string {
	switch {
	case r.Held != nil:
		return fmt.Sprintf("; true in %d of %d runs", *r.Held, r.Runs)
	case r.Best == nil:
		return ""
	}
	is := fmt.Sprintf("the mean of %d runs", r.Runs)
	if r.Model != *r.Mean {
		is = fmt.Sprintf("the expected best of several of its %d runs, as printed; mean %s", r.Runs,
			shortNumber(*r.Mean))
	}
	return fmt.Sprintf(", %s; fastest %s, least %s, greatest %s, first after boot %s",
		is, shortNumber(*r.Best), shortNumber(*r.Min), shortNumber(*r.Max), shortNumber(*r.First))
}

// explainedNulls returns the guesses of the null models, the best first.
func explainedNulls(x *explain.Explanation) (l answer.List) {
	l.Title = "Null models: guesses from the paper's other numbers, the best first (* within the row's limit)"
	for _, n := range x.Nulls {
		guess := verify.Row{Unit: x.Row.Unit, Deviation: &n.Deviation, Null: &n}
		off, _, unit := offOf(guess)
		l.Add(nullText(guess), off+" "+unit, n.Name+": "+n.Rule)
	}
	return l
}

// explainedKnobs returns the effects of uncertain knobs on the row.
func explainedKnobs(x *explain.Explanation) answer.List {
	if len(x.Sensitivity) == 0 {
		return answer.List{Title: "Sensitivity", Notes: []string{"not measured for this row: docs/sensitivity.csv " +
			"has the numbers and outcomes that paper 003 prints"}}
	}
	l := answer.List{
		Title: "Sensitivity: the model's value with one uncertain knob changed (* outside the rule, [published])",
		Notes: []string{"the same runs as the row's; 'emsim docs CALIBRATION' discusses them"},
	}
	for _, k := range x.Sensitivity {
		l.Add(k.Key, strings.Join(lists.Of(k.Values, func(v explain.Setting) string {
			cell := v.Value + "=" + v.Model
			if !v.Inside {
				cell += "*"
			}
			if v.Published {
				cell = "[" + cell + "]"
			}
			return cell
		}), "  "))
	}
	return l
}

package instrument

import (
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/base/ordered"
	"emsim/internal/base/simerr"
	"emsim/internal/base/suggest"
	"emsim/internal/machine/machines"
)

// within is the largest relative difference at which a belief still counts as right, and a load as level [chosen].
const within = 0.1

// An Answer is an answer to a question: sentences and a table.
type Answer struct {
	Says []string
	answer.List
}

// rowsOf returns the rows of a table as objects, with the heads as keys.
func rowsOf(l answer.List) []ordered.Object {
	rows := []ordered.Object{}
	for _, cells := range l.Rows {
		var o ordered.Object
		for i, head := range l.Heads {
			o = append(o, strings.ReplaceAll(head, " ", "_"), cells[i])
		}
		rows = append(rows, o)
	}
	return rows
}

// Said returns the answer with the run that it is about.
func (r *Run) Said(x *Answer) *answer.Answer {
	said := r.about()
	said.Say("says", x.Says)
	said.Say("rows", rowsOf(x.List))
	if said.Says = x.Says; len(x.Rows) > 0 {
		said.Lists = []answer.List{r.withUnits(x).List}
	}
	return said
}

// withUnits returns an answer to be read, with the units of its times in the heads of its table.
func (r *Run) withUnits(x *Answer) *Answer {
	shown := *x
	shown.Heads = slices.Clone(x.Heads)
	for i := range x.Heads {
		if slices.ContainsFunc(x.Rows, func(row []any) bool { return isTime(row[i]) }) {
			shown.Heads[i] += ", " + r.Unit
		}
	}
	return &shown
}

// isTime reports whether the value of a cell is a time.
func isTime(cell any) bool {
	switch cell.(type) {
	case clocks, seconds:
		return true
	}
	return false
}

// say adds a sentence.
func (x *Answer) say(format string, args ...any) {
	x.Says = append(x.Says, fmt.Sprintf(format, args...))
}

func newAnswer(heads ...string) *Answer { return &Answer{List: answer.List{Heads: heads}} }

// A Question can be asked about a run of any machine.
type Question struct {
	Name, Args, Doc string
	ask             func(r *Run, args []string) (*Answer, error)
}

// Questions returns the questions. Items are data, rows, tasks or logical processes; workers are PEs, ranks, processors
// or PPs.
func Questions() []Question {
	return []Question{
		{"why", "ITEM", "every move of an item: from, to, when, by which rule", (*Run).why},
		{
			"knew", "ITEM", "what was known when each of its moves was decided, how old that was, and what was true",
			(*Run).knew,
		},
		{
			"truth", "WORKER [TIME]", "when a worker last knew the truth about each other one, within 10 %",
			(*Run).lastTruth,
		},
		{"idle", "", "which workers waited while another had at least two items more, and for how long", (*Run).idle},
		{"back", "", "which moves were for nothing: the item came back", (*Run).back},
		{"held", "", "what held the slowest worker: the critical path", (*Run).held},
		{"way", "TIME", "what was on the way at a time", (*Run).way},
		{"cost", "", "what balancing cost in all", (*Run).cost},
		{"part", "", "where this run and the run of --vs diverge", (*Run).part},
	}
}

// Suits reports whether the question makes sense for a machine with these terms.
func (q Question) Suits(t machines.Terms) bool { return q.Name != "idle" || !t.Placed }

// FindQuestion returns the question that words ask about a machine with the given terms, or an error. It does not check
// whether the things that they name exist.
func FindQuestion(t machines.Terms, words ...string) (q Question, err error) {
	names := lists.Of(Questions(), func(q Question) string { return q.Name })
	at := slices.Index(names, append(words, "")[0])
	if at < 0 {
		return q, simerr.Usagef("there is no question %q%s: expected %s", append(words, "")[0],
			suggest.DidYouMean(append(words, "")[0], names), strings.Join(names, ", "))
	}
	q = Questions()[at]
	if !q.Suits(t) {
		return q, simerr.Usagef("a %s that waits cannot be given %s of others: ask cost, held or way", t.Worker,
			t.Items)
	}
	args := strings.Fields(q.Args)
	if n := len(words) - 1; n > len(args) || n < len(args)-strings.Count(q.Args, "[") {
		return q, simerr.Usagef("the question is: %s", strings.TrimSpace(q.Name+" "+q.Args))
	}
	return q, nil
}

// AskToRead answers a question about a run, with units in the table's heads.
func (r *Run) AskToRead(words ...string) (*Answer, error) {
	x, err := r.Ask(words...)
	if err != nil {
		return nil, err
	}
	return r.withUnits(x), nil
}

// Ask answers a question about a run.
func (r *Run) Ask(words ...string) (*Answer, error) {
	q, err := FindQuestion(r.Terms, words...)
	if err != nil {
		return nil, err
	}
	return q.ask(r, words[1:])
}

package instrument

import (
	"fmt"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/ordered"
	"emsim/internal/base/simerr"
	"emsim/internal/base/suggest"
	"emsim/internal/machine/machines"
)

// An Answer is what is said to a question, and the table that shows it.
type Answer struct {
	Says []string
	machines.List
}

// MarshalJSON is the sentences and the rows, each an object with the heads as keys.
func (x *Answer) MarshalJSON() ([]byte, error) {
	rows := []ordered.Object{}
	for _, cells := range x.Rows {
		var o ordered.Object
		for i, head := range x.Heads {
			o = append(o, strings.ReplaceAll(head, " ", "_"), cells[i])
		}
		rows = append(rows, o)
	}
	return ordered.Object{"says", x.Says, "rows", rows}.MarshalJSON()
}

// say adds a sentence.
func (x *Answer) say(format string, args ...any) {
	x.Says = append(x.Says, fmt.Sprintf(format, args...))
}

// row adds a row.
func (x *Answer) row(cells ...any) { x.Rows = append(x.Rows, cells) }

func answer(heads ...string) *Answer { return &Answer{List: machines.List{Heads: heads}} }

// A Question is one that can be asked about every machine.
type Question struct {
	Name, Args, Doc string
	needs, takes    int // arguments
	answer          func(r *Run, args []string) (*Answer, error)
}

// Part is the question that compares two runs.
const Part = "part"

// Questions lists the questions. Items are data, rows, tasks or logical processes,
// workers PEs, ranks, processors or PPs.
func Questions() []Question {
	return []Question{
		{"why", "ITEM", "every move of an item: from, to, when, by which rule", 1, 1, (*Run).why},
		{"knew", "ITEM", "what was known when each of its moves was decided, how old that was, and what was true", 1, 1, (*Run).knew},
		{"truth", "WORKER [TIME]", "when a worker last knew the truth about each other one, within 10 %", 1, 2, (*Run).lastTruth},
		{"idle", "", "who waited while another had two items more, and for how long", 0, 0, (*Run).idle},
		{"back", "", "which moves were for nothing: the item came back", 0, 0, (*Run).back},
		{"held", "", "what held the slowest worker: the critical path", 0, 0, (*Run).held},
		{"way", "TIME", "what was on the way at a time", 1, 1, (*Run).way},
		{"level", "[PERCENT]", "when the load was level, within 10 % or one item", 0, 1, (*Run).level},
		{"cost", "", "what balancing cost in all", 0, 0, (*Run).cost},
		{Part, "", "where this run and that of --vs part", 0, 0, nil},
	}
}

// FindQuestion finds a question that gets so many arguments.
func FindQuestion(name string, args int) (Question, error) {
	for _, q := range Questions() {
		if q.Name != name {
			continue
		}
		if args < q.needs || args > q.takes {
			return q, simerr.Usagef("the question is: %s", strings.TrimSpace(q.Name+" "+q.Args))
		}
		return q, nil
	}
	names := lists.Of(Questions(), func(q Question) string { return q.Name })
	return Question{}, simerr.Usagef("there is no question %q%s: expected %s", name, suggest.DidYouMean(name, names), strings.Join(names, ", "))
}

// Ask answers a question about a run.
func (r *Run) Ask(name string, args ...string) (*Answer, error) {
	q, err := FindQuestion(name, len(args))
	if err != nil {
		return nil, err
	}
	if q.answer == nil {
		return nil, simerr.Usagef("the question %s needs a second run", name)
	}
	return q.answer(r, args)
}

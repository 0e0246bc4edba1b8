package play

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/exercise"
	"emsim/internal/play/engine"
)

// exerciseClaim is a statement of an exercise: a part of its text, and a condition at the end of the exercise's run,
// with changes as in a lesson's data-run.
type exerciseClaim struct{ words, changes, holds string }

// names matches names with digits that are no numbers.
var names = regexp.MustCompile(`EM-4|\br\d+\b`)

// exerciseClaims maps exercises to their statements. Limits in an exercise's rules need no claims.
var exerciseClaims = map[string][]exerciseClaim{
	"instances": {
		{
			"with n - 1 and n - 2, unless n is 1 or 2: then it answers 1 at once", "args=2",
			`answer == "1" && instances == 1 && args == "2"`,
		},
		{"on 12 PEs before", "", `pes == 12`},
		{"for n = 4 first: it has 5 instances", "args=4", `args == "4" && instances == 5`},
	},
	"way": {
		{
			"takes three clocks for each link ( is 3), and the block  runs at [2,1] from clock 50 on",
			"set.hop_clocks=3",
			`hop_clocks == 3 && runs("new", "[2,1]") == 50`,
		},
		{":  is 6.", "", `hop_clocks == 6`},
		{"Predict the run of  before", "", `args == "8"`},
		{"With 3 clocks a link it takes 484", "set.hop_clocks=3", `hop_clocks == 3 && clocks == 484`},
		{"with 1 clock 411", "set.hop_clocks=1", `hop_clocks == 1 && clocks == 411`},
		{
			"From 1 to 3 clocks a link, two more, the run became 73 clocks longer", "set.hop_clocks=3",
			`clocks - 411 == 73 && 3 - 1 == 2`,
		},
	},
	"spills": {
		{
			"on 12 PEs spills 1,711 packets with the usual FIFO of 32 words, and takes 4,059 clocks", "",
			`pes == 12 && spilled == 1711 && fifo_words == 32 && clocks == 4059`,
		},
		{
			"at most 3,856 clocks, 5 % less than now", "",
			`clocks * 95 / 100 >= 3856 && clocks * 95 / 100 < 3857 && 100 - 95 == 5`,
		},
	},
	"beat-ring": {{"On 12 PEs  takes 10,307 clocks with ring", "", `pes == 12 && clocks == 10307`}},
	"line-wins": {
		{"most of 80 PEs are idle:  takes 7,460 clocks", "", `pes == 80 && clocks == 7460 && idle > 50`},
		{"at least 2.75 times as fast: at most 2,712 clocks", "", `clocks / 2.75 >= 2712 && clocks / 2.75 < 2713`},
	},
	"circle": {
		{
			"With two banks instead of three the machine can still run into a deadlock", "",
			`banks == 2 && failure == "deadlock"`,
		},
		{"with two banks.", "policy=line", `banks == 2`},
	},
	"ping": {
		{"the square back to [0,0]. [0,0] adds n and answers n * n + n", "", `way("host.1", "[0,0]") >= 0`},
	},
	"ring": {
		{"so [3,2] has 11", "", `3 * 3 + 2 == 11 && "[3,2]" != ""`},
		{"begins at [0,0]", "", `way("host.1", "[0,0]") >= 0`},
	},
	"leak": {
		{
			"The program adds 1 + 2 + ... + n", "",
			`answer == "55" && 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 == 55 && args == "10"`,
		},
		{"With n = 1000 a PE runs out of operand segments", "args=1000", `failure != "" && args == "1000"`},
	},
}

// Every sentence of an exercise with a clock, a PE or a number is true, or states a limit of its rules.
func TestExercisesAreTrue(t *testing.T) {
	for _, x := range exercise.Own() {
		text := x.Task
		for _, q := range x.Question {
			text += "\n" + q.Text + "\n" + q.Hint
		}
		parts := strings.Split(text, "`") // code makes no statement
		text = ""
		for i, part := range parts {
			if i%2 == 0 {
				text += part
			}
		}
		text = strings.ReplaceAll(text, "\n", " ")
		base := engine.Setup{Main: x.Program, PEs: x.PEs, Params: x.Params, Sets: map[string]string{}}
		maps.Copy(base.Sets, x.Set)
		for _, a := range x.Case[0].Args {
			base.Args = append(base.Args, fmt.Sprint(a))
		}
		if base.Files = map[string]string{x.Program: x.Text}; x.Text == "" {
			base.Main, base.Files = x.Program+".s", nil
		}
		for _, c := range exerciseClaims[x.Name] {
			require.Contains(t, text, c.words, x.Name)
			text = strings.Replace(text, c.words, "", 1)
			s := statement{c.words, map[string]string{"run": c.changes, "holds": c.holds}}
			if err := s.check(t, base); err != nil {
				t.Errorf("%s: %q: %v", x.Name, c.words, err)
			}
		}
		for _, limits := range x.Must {
			text = strings.ReplaceAll(text, " "+strings.Fields(limits)[1]+" times", "")
		}
		for _, values := range x.Allow {
			if len(values) > 0 {
				text = strings.ReplaceAll(text, "up to "+values[len(values)-1], "")
			}
		}
		for _, q := range x.Question {
			text = strings.ReplaceAll(text, fmt.Sprintf("within %g %%", 100*q.Within), "")
		}
		for sentence := range strings.SplitSeq(stops.ReplaceAllString(text, "$1\n"), "\n") {
			if quantities.MatchString(names.ReplaceAllString(sentence, "")) {
				t.Errorf("%s: a number without a condition: %s", x.Name, sentence)
			}
		}
	}
}

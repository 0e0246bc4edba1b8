package verify

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"emsim/internal/base/lists"
)

//go:embed measures.csv
var measuresCSV string

// measure is a line of measures.csv. It says how the rows with certain ids are measured.
type measure struct {
	rows            []string // patterns of ids
	how             string
	command, behind string
	reading         Reading
}

var measures = sync.OnceValues(func() (list []measure, err error) {
	lines, err := Table(measuresCSV)
	if err != nil {
		return nil, err
	}
	for _, l := range lines[1:] {
		m := measure{rows: strings.Fields(l[0]), how: l[1], command: l[2], behind: l[3]}
		m.reading = Reading{Key: l[4], Over: l[7], And: l[8], Ends: l[4] == "error.kind"}
		for i, to := range []*float64{&m.reading.Plus, &m.reading.Times} {
			if cell := l[5+i]; cell != "" && err == nil {
				*to, err = strconv.ParseFloat(cell, 64)
			}
		}
		list = append(list, m)
	}
	return list, err
})

// Table parses a CSV file, in which # begins a comment.
func Table(text string) ([][]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	return r.ReadAll()
}

// measureOf returns the line for a claim. A claim without a line is measured only by 'emsim verify'.
func measureOf(c Claim) measure {
	list, err := measures()
	if err != nil {
		panic(err) // a test parses all lines
	}
	for _, m := range list {
		if matches(m.rows, c.ID) {
			return m
		}
	}
	return measure{}
}

// HowMeasured says how the model computes a claim's value.
func HowMeasured(c Claim) string {
	text := measureOf(c).how
	r, one := RunOf(c)
	if c.PaperNo != "003" || c.Quantity == "relation" || !one {
		return text
	}
	text += fmt.Sprintf(", in the clock-by-clock model of the 80-PE prototype. The program runs %d times on one "+
		"machine, which keeps its memories", r.Runs)
	if r.Seeds > 1 {
		text += fmt.Sprintf(", and on %d machines, with the seeds 1 to %d", r.Seeds, r.Seeds)
	}
	if c.Quantity == "outcome" {
		return text + "."
	}
	if c.ofBest() {
		return text + fmt.Sprintf("; the paper prints the best of several runs, so the row is what the fastest of %d "+
			"of these is expected to give.", judgedRuns)
	}
	return text + "; the row is the mean of these runs."
}

// A Reproduction says how to get the value of a single row.
type Reproduction struct {
	Command string   // prints the value
	Reading Reading  // where the command's answer with --json has the value
	Behind  []string // if Command is 'emsim verify': commands that show the runs from which the value comes
}

// A Reading says where the answer of a row's command with --json has the row's value. The value is Times × (Key + Plus)
// / Over.
type Reading struct {
	Key   string  // names and list positions joined by points, as in "bands.time_ms.mean" or "tasks.3"
	Plus  float64 // usually 0
	Times float64 // 0 means 1
	Over  string  // another key, or "" for no division
	// And is the second key of a value in words. The value is then Key/And.
	And string
	// Ends says that the claim is about the end of a run. The value is then the kind of the run's error, or "runs".
	Ends bool
}

// String returns the formula of the reading.
func (r Reading) String() string {
	s := r.Key
	if r.Plus != 0 {
		s = fmt.Sprintf("(%s %+g)", s, r.Plus)
	}
	if r.Times != 0 {
		s = fmt.Sprintf("%g × %s", r.Times, s)
	}
	switch {
	case r.Over != "":
		s += " / " + r.Over
	case r.And != "":
		s += " and " + r.And
	case r.Ends:
		s += "; without an error it runs"
	}
	return s
}

// Reproduce returns the command that prints a claim's value, with all its runs and seeds. If no other command prints
// the value, it returns 'emsim verify' with the claim's id. Then it also returns commands that show the runs from which
// the value comes, if there are such commands.
func Reproduce(c Claim) Reproduction {
	var behind []string
	for _, words := range strings.Split(c.filled(measureOf(c).behind), " | ") {
		if words != "" {
			behind = append(behind, "emsim "+words)
		}
	}
	command, reading, best := RunBy(c)
	switch {
	case command != "" && !best:
		return Reproduction{command, reading, behind}
	case best:
		behind = append(behind, command)
	}
	return Reproduction{"emsim verify " + c.ID, Reading{Key: "0.model"}, behind}
}

// RunBy returns the command that makes a claim's runs, or "" if there is none, and where its answer has the claim's
// number. best reports that the paper prints this number of the fastest of several runs.
func RunBy(c Claim) (command string, reading Reading, best bool) {
	m := measureOf(c)
	words := c.filled(m.command)
	if words == "" {
		return "", Reading{}, false
	}
	m.reading.Key = c.filled(m.reading.Key)
	return "emsim " + words, m.reading, c.ofBest()
}

// filled returns a text of measures.csv with the claim's values in place of names.
func (c Claim) filled(text string) string {
	return os.Expand(text, func(name string) string { return placeholder(c, name) })
}

// placeholder returns the text for ${name} in measures.csv. A name that begins with -- stands for one of the claim's
// conditions as a flag. The other names are constants of the suites, commands, and conditions.
func placeholder(c Claim, name string) string {
	if flag, ok := strings.CutPrefix(name, "--"); ok {
		return flags(c, flag)
	}
	numbers := map[string]int{
		"heavy": mncHeavy, "items": mncItems, "event": mncEvent, "table_seeds": tableSeeds, "seeds": seeds002,
		"runs_of_map": nstarSeeds,
	}
	if n, ok := numbers[name]; ok {
		return strconv.Itoa(n)
	}
	switch name {
	case "quantity":
		return c.Quantity
	case "machine":
		return flags(c, "network", "shape", "stages", "wiring")
	case "pattern": // counted from 1 in the paper, from 0 in the command
		n, _ := strconv.Atoi(c.Cond["arg"])
		return strconv.Itoa(n - 1)
	case "run", "runs":
		commands := lists.Of(runsOf(c), runCommand)
		if name == "run" && len(commands) > 0 {
			return commands[0]
		}
		return strings.Join(commands, " | ")
	}
	if i, ok := strings.CutPrefix(name, "arg."); ok {
		words, at := strings.Fields(c.Cond["arg"]), 0
		if at, _ = strconv.Atoi(i); at < len(words) {
			return words[at]
		}
	}
	return c.Cond[name]
}

// knobOf returns the knob that a condition sets. Paper 001 calls its policies "algorithm", and the set of loaded hosts
// "load".
func knobOf(condition string) string {
	switch condition {
	case "algorithm":
		return "policy"
	case "load":
		return "loaded"
	}
	return condition
}

// valueOf returns the knob's value for a condition's.
func valueOf(condition, v string) string {
	if condition == "load" {
		return map[string]string{"noload": "none", "oneload": "one", "twoload": "two"}[v]
	}
	return v
}

// flags returns the conditions with the given names as flags.
func flags(c Claim, names ...string) string {
	var s strings.Builder
	for _, name := range names {
		if v := c.Cond[name]; v != "" {
			fmt.Fprintf(&s, " --%s %s", strings.ReplaceAll(knobOf(name), "_", "-"), valueOf(name, v))
		}
	}
	return s.String()
}

// runCommand returns the command for a run of fib.
func runCommand(r Run003) string {
	words := fmt.Sprintf("run fib %d --policy %s", r.N, r.Policy)
	switch {
	case r.MLPE:
		words += " --mlpe"
	case r.Software:
		words += " --param mlpe=software"
	}
	if r.AtCall {
		words += " --param mlpe_when=call"
	}
	words += fmt.Sprintf(" --runs %d", r.Runs)
	if r.Seeds > 1 {
		words += fmt.Sprintf(" --seeds %d", r.Seeds)
	}
	return words
}

package command

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/knob"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/run"
	"emsim/verify"
)

// addPapers adds to an answer the paper's numbers for the same program and settings. They come from the rows of 'emsim
// verify' whose command makes the same run, with any seeds. It adds them only if the time is among them.
func addPapers(x *answer.Answer, same func(words []string) bool) {
	var list []answer.Paper
	for _, s := range verify.Suites() {
		claims, err := verify.Claims(s.Paper)
		if err != nil {
			panic(err) // a test reads all suites
		}
		for _, c := range claims {
			number, ok := c.Number()
			command, reading, best := verify.RunBy(c)
			if !ok || c.Class == verify.Regression || command == "" || !same(strings.Fields(command)[1:]) {
				continue
			}
			if v, ok := paperReading(x, reading); ok {
				list = append(list, answer.Paper{
					ID: c.ID, Key: paperKey(reading), Source: c.Cond["source"], Quantity: c.Quantity, Unit: c.Unit,
					Paper: number, Printed: c.Paper, Best: best, Model: v, Gap: c.Gap,
				})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b answer.Paper) int { return cmp.Compare(paperRank(x, a), paperRank(x, b)) })
	if list != nil && paperRank(x, list[0]) == 0 {
		x.Papers = list
	}
}

// paperRank returns the rank of a paper's number: the time comes first, then the other numbers that are shown first,
// then other numbers, then numbers by worker.
func paperRank(x *answer.Answer, p answer.Paper) int {
	f := x.Field(p.Key)
	switch {
	case f == nil && isTimeOf(x, p):
		return 0
	case f == nil:
		return 3
	case f.Place != answer.Headline:
		return 2
	case f.Label == "time":
		return 0
	}
	return 1
}

// isTimeOf reports whether a number by worker equals the run's time, which means that its worker ended last.
func isTimeOf(x *answer.Answer, p answer.Paper) bool {
	i := slices.IndexFunc(x.Fields, func(f *answer.Field) bool {
		return f.Place == answer.Headline &&
			f.Label == "time" && f.Unit == p.Unit
	})
	if i < 0 {
		return false
	}
	time, _ := x.Float(x.Fields[i].Key)
	return time == p.Model
}

// paperKey returns the key that a row of 'emsim verify' reads, for a single run instead of the mean of several.
func paperKey(r verify.Reading) string {
	if key, ok := strings.CutPrefix(r.Key, "bands."); ok {
		return strings.TrimSuffix(key, ".mean")
	}
	return r.Key
}

// paperReading returns the value of an answer in the unit of a row of 'emsim verify'. It returns false if the answer
// has no such number, or one with another meaning.
func paperReading(x *answer.Answer, r verify.Reading) (v float64, ok bool) {
	key, place, inList := strings.Cut(paperKey(r), ".")
	if list, isList := x.Value(key).([]float64); inList && isList {
		i, err := strconv.Atoi(place)
		if err != nil || i >= len(list) {
			return 0, false
		}
		v, ok = list[i], true
	} else {
		v, ok = x.Float(statisticKey(x, paperKey(r)))
	}
	v = float64(v * cmp.Or(r.Times, 1))
	if over, isOver := x.Float(r.Over); isOver && over != 0 {
		v /= over
	}
	return v, ok && !r.Ends && r.Plus == 0
}

// statisticKey returns the full key of a field that a row of 'emsim verify' calls by its last part: states.exu_fmu for
// exu_fmu.
func statisticKey(x *answer.Answer, key string) string {
	for _, f := range x.Fields {
		if f.Key == key || strings.HasSuffix(f.Key, "."+key) {
			return f.Key
		}
	}
	return key
}

// notOfSettings lists flags that only set the number of runs.
var notOfSettings = []string{"--runs", "--seeds"}

// sameMachine returns a function that reports whether a command line runs a machine with the same knobs as m, except
// the seed.
func sameMachine(m *machinefile.Machine) func(words []string) bool {
	return func(words []string) bool {
		if words[0] != m.Kind.Name || len(words) < 2 || words[1] != "run" {
			return false
		}
		other := m.Kind.NewMachine()
		for i := 2; i+1 < len(words); i += 2 {
			if slices.Contains(notOfSettings, words[i]) {
				continue
			}
			at := slices.IndexFunc(other.Rows, func(r knob.Row) bool { return "--"+r.Flag == words[i] })
			if at < 0 || other.Set([]string{other.Rows[at].Key + "=" + words[i+1]}) != nil {
				return false
			}
		}
		for i, r := range m.Rows {
			if r.Key != "seed" && r.Text() != other.Rows[i].Text() {
				return false
			}
		}
		return true
	}
}

// sameProgram returns a function that reports whether a command line runs a program with the same arguments and
// parameters on the prototype EM-4.
func sameProgram(t *run.Target) func(words []string) bool {
	changed, usual := t.Changed(false), []string{}
	for name, value := range t.Usual() {
		usual = append(usual, name+"="+value)
	}
	slices.Sort(changed)
	start, prototype := "run "+t.Call()+" ", t.IsPrototype()
	return func(words []string) bool {
		rest, ok := strings.CutPrefix(strings.Join(words, " ")+" ", start)
		if !ok || !prototype {
			return false
		}
		var own []string
		for words := strings.Fields(rest); len(words) > 0; words = words[1:] {
			switch {
			case words[0] == "--mlpe":
				own = append(own, "mlpe=on")
			case len(words) < 2:
				return false
			case slices.Contains(notOfSettings, words[0]):
				words = words[1:]
			case words[0] == "--policy":
				own = append(own, "policy="+words[1])
				words = words[1:]
			case words[0] == "--param":
				own = append(own, words[1])
				words = words[1:]
			default:
				return false
			}
		}
		own = slices.DeleteFunc(own, func(set string) bool { return slices.Contains(usual, set) })
		slices.Sort(own)
		return slices.Equal(own, changed)
	}
}

// addPaperColumns adds a column of the paper's numbers to the first list, for each number that the paper has for all
// workers.
func addPaperColumns(x *answer.Answer) {
	if len(x.Lists) == 0 {
		return
	}
	l, by := &x.Lists[0], map[string][]float64{}
	var keys []string
	for _, p := range x.Papers {
		key, place, inList := strings.Cut(p.Key, ".")
		i, err := strconv.Atoi(place)
		if !inList || err != nil || i >= len(l.Rows) {
			continue
		}
		if by[key] == nil {
			keys = append(keys, key)
			by[key] = make([]float64, len(l.Rows))
		}
		by[key][i] = p.Paper
	}
	slices.Sort(keys)
	for _, key := range keys {
		if !slices.Contains(by[key], 0) {
			l.AddColumn(fmt.Sprintf("paper's %s", strings.ReplaceAll(key, "_", " ")), by[key])
		}
	}
}

package exercise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// Solution is what was handed in.
type Solution struct {
	Name   string            // of the file
	Object *asm.Object       // the program, of that kind
	PEs    int               // 0: as many as the exercise says
	Given  map[string]string // answers; or parameters of the program and knobs of the machine, also of a program
}

// ReadSolution reads settings or answers.
func ReadSolution(name string, text []byte) (Solution, error) {
	s := Solution{Name: name, Given: map[string]string{}}
	f := &tomlfile.File{Name: name, Text: text}
	if root := f.Tree(); root != nil {
		for _, e := range root.Keys {
			if s.Given[e.Name] = fmt.Sprint(e.Value); e.Value == nil {
				f.Failf(tomlfile.Point(e.At), "%s is a value, not %s; a PE stands in quotes, as \"[2,1]\"", e.Name, e.KindName())
			}
		}
	}
	return s, f.Err()
}

// Verdict says whether a solution is right.
type Verdict struct {
	File   string  `json:"file"`
	Passed bool    `json:"passed"`
	Reason string  `json:"reason,omitempty"` // of a refusal
	Checks []Check `json:"checks"`
}

// Check is a run, or an answer to a question.
type Check struct {
	What    string `json:"what"`          // in words
	Key     string `json:"key,omitempty"` // of the question
	OK      bool   `json:"ok"`
	Message string `json:"message,omitempty"` // what is wrong
	Clocks  uint64 `json:"clocks,omitempty"`
}

// Refused is the verdict on what cannot be checked.
func Refused(file string, err error) Verdict {
	return Verdict{File: file, Reason: err.Error(), Checks: []Check{}}
}

// Check checks a solution in the exercise's cases and in hidden ones; the first wrong
// run ends it. The error is that ctx has ended, or that the exercise itself is wrong.
func (x *Exercise) Check(ctx context.Context, s Solution, hidden []Case) (v Verdict, err error) {
	if err := x.refuse(&s); err != nil {
		return Refused(s.Name, err), nil
	}
	v = Verdict{File: s.Name, Checks: []Check{}, Passed: true}
	if x.Kind == Prediction {
		v.Checks, err = x.checkAnswers(ctx, s.Given)
	} else {
		for _, c := range slices.Concat(x.Case, hidden) {
			var one Check
			if one, err = x.checkCase(ctx, &s, c); err != nil {
				return v, err
			}
			if v.Checks = append(v.Checks, one); !one.OK {
				break
			}
		}
	}
	if i := slices.IndexFunc(v.Checks, func(c Check) bool { return !c.OK }); i >= 0 {
		v.Passed, v.Reason = false, v.Checks[i].What+": "+v.Checks[i].Message
	}
	return v, err
}

// refuse says which change of parameters, knobs or machine the exercise forbids.
func (x *Exercise) refuse(s *Solution) error {
	if s.PEs != 0 && s.PEs != x.PEs {
		return simerr.Usagef("your machine has %d PEs, that of the exercise %d", s.PEs, x.PEs)
	}
	for _, key := range slices.Sorted(maps.Keys(s.Given)) {
		value, values := s.Given[key], x.Allow[key]
		switch {
		case x.Kind != Prediction && value == fmt.Sprint(cmp.Or(x.Params[key], x.Set[key])):
		case x.Kind == Program:
			return simerr.Usagef("%s = %s changes the machine, or parameters: only the text of the program is yours to change", key, value)
		case !slices.Contains(x.keys(), key):
			return simerr.Usagef("%s is not yours to set here, only %s", key, strings.Join(x.keys(), ", "))
		case len(values) > 0 && !slices.ContainsFunc(values, func(v any) bool { return fmt.Sprint(v) == value }):
			return simerr.Usagef("%s may not be %s here, only %s", key, value, strings.Trim(fmt.Sprint(values), "[]"))
		}
	}
	return nil
}

// outcome is what a run came to.
type outcome struct {
	*run.Batch
	run.OneRun
	pes int // that executed an instruction
}

func (r *outcome) number(name string) float64 {
	switch name {
	case clocks:
		return float64(r.OneRun.Clocks)
	case busy:
		return float64(r.pes)
	case leaked:
		return float64(len(r.Leaks))
	}
	if s, ok := em4.StatisticOf(name); ok {
		return s.Number(&r.Totals)
	}
	return 0
}

// execute does a run of the exercise's own program or solution (o nil) or of another one,
// of at most so many clocks; 0 is no bound. A failure is an error with what it came to.
func (x *Exercise) execute(ctx context.Context, name string, o *asm.Object, c Case, given map[string]string, most uint64, watch func(*trace.Event)) (r outcome, err error) {
	defer func() {
		if ended := ctx.Err(); ended != nil {
			err = ended
		}
	}()
	pes, params, sets := cmp.Or(c.PEs, x.PEs), Texts(x.Params), Texts(x.Set)
	if o == nil {
		plain, err := x.assemble(name, nil)
		if err != nil {
			return r, err
		}
		for key, value := range given {
			to := sets
			if slices.ContainsFunc(plain.Params, func(p asm.Param) bool { return p.Name == key }) {
				to = params
			}
			to[key] = value
		}
		if o, err = x.assemble(name, params); err != nil {
			return r, err
		}
	}
	m := run.Machine{Name: "emc-r", PEs: &pes}
	for _, key := range slices.Sorted(maps.Keys(sets)) {
		m.Sets = append(m.Sets, key+"="+sets[key])
	}
	config, err := m.Config()
	if err != nil {
		return r, err
	}
	t, err := run.Build(name, o, config, uint64(max(1, c.Seed)))
	if err == nil {
		err = t.SetArgs(c.Args)
	}
	if err == nil {
		err = t.Boot(ctx, most)
	}
	if err != nil {
		return r, err
	}
	r.Batch = run.New(t, run.Plan{Runs: 1, MaxClocks: most, KeepCounters: true})
	if err := r.Begin(); err != nil {
		return r, err
	}
	if watch != nil {
		r.Watch(trace.NewRecorder(trace.Func(watch), pes, trace.All(pes)), r.Clock(), math.MaxUint64)
	}
	err = r.Advance(ctx, em4.ToEnd)
	one, rows := r.EndRun(err)
	for r.OneRun = one; len(rows.Counters) > 0; rows.Counters = rows.Counters[1:] {
		if rows.Counters[0].Instructions > 0 {
			r.pes++
		}
	}
	return r, err
}

// Texts are settings as they are written.
func Texts(of map[string]any) map[string]string {
	all := map[string]string{}
	for key, value := range of {
		all[key] = fmt.Sprint(value)
	}
	return all
}

// checkCase compares a run of the solution with one of the exercise's own: of the right
// program, or without changes of the settings.
func (x *Exercise) checkCase(ctx context.Context, s *Solution, c Case) (check Check, err error) {
	check.What = x.words(c)
	want, failed := x.execute(ctx, cmp.Or(x.Solution, x.Program), nil, c, nil, 0, nil)
	if failed != nil && (x.Kind == Program || interrupt.Ended(failed)) { // settings may be there to mend what fails
		return check, x.wrong(failed)
	}
	most := float64(20 * want.number(clocks)) // [chosen]
	if given := x.Must[clocks]; given != nil {
		_, most, _ = limit(given, want.number(clocks))
	}
	name := map[string]string{Program: s.Name, Settings: x.Program}[x.Kind]
	got, err := x.execute(ctx, name, s.Object, c, s.Given, 2*uint64(most)+1000, nil) // what follows the last word takes clocks, too
	if interrupt.Ended(err) {
		return check, err
	}
	check.Clocks = got.OneRun.Clocks
	check.Message = x.compare(&got, &want, err, failed != nil, most)
	check.OK = check.Message == ""
	return check, nil
}

// compare says what is wrong with a run, or "".
func (x *Exercise) compare(got, want *outcome, err error, free bool, most float64) string {
	right := free || slices.Equal(got.OneRun.Words, want.OneRun.Words)
	var late *em4.ClockLimit
	switch {
	case errors.As(err, &late) && right && got.OneRun.Clocks > 0:
		return fmt.Sprintf("the answer is right, but after %s something still goes on without an end", plural.Of(late.Clock, "clock"))
	case errors.As(err, &late):
		return fmt.Sprintf("no end after %s (%s): a loop never ends, or everything takes far too long. Right solutions need at most %.0f", plural.Of(late.Clock, "clock"), late.What, most)
	case err != nil:
		return err.Error()
	case !right:
		return fmt.Sprintf("the answer is %s, right is %s", words(got.OneRun.Words), words(want.OneRun.Words))
	}
	for _, key := range slices.Sorted(maps.Keys(x.Must)) {
		sign, bound, _ := limit(x.Must[key], want.number(key))
		if n := got.number(key); sign == "<=" && n > bound || sign == ">=" && n < bound {
			return fmt.Sprintf("the answer is right, but %s is %.6g and must be %s %.6g (%s)", key, n, sign, bound, meaning(key))
		}
	}
	return ""
}

// words are the words that the host has got.
func words(list []uint64) string { return cmp.Or(strings.Trim(fmt.Sprint(list), "[]"), "no word") }

// words describe a case.
func (x *Exercise) words(c Case) string {
	text := fmt.Sprintf("on %d PEs", cmp.Or(c.PEs, x.PEs))
	for i, a := range c.Args {
		text += map[bool]string{true: " with ", false: ", "}[i == 0] + strconv.FormatInt(a, 10)
	}
	if c.hidden {
		text += fmt.Sprintf(" (a hidden case, seed %d)", c.Seed)
	}
	return text
}

// wrong is an error of the exercise.
func (x *Exercise) wrong(err error) error {
	if interrupt.Ended(err) {
		return err
	}
	return simerr.Usagef("the exercise %s is wrong: %w", x.Name, err)
}

// checkAnswers compares answers with a run.
func (x *Exercise) checkAnswers(ctx context.Context, answers map[string]string) (list []Check, err error) {
	begun := map[string][]trace.Event{}
	r := outcome{}
	code := map[uint32][]trace.Event{}
	r, err = x.execute(ctx, x.Program, nil, x.Case[0], nil, 0, func(e *trace.Event) {
		if e.Kind == trace.Begun {
			code[e.PC] = append(code[e.PC], *e)
		}
	})
	if err != nil {
		return nil, x.wrong(err)
	}
	for pc, all := range code {
		begun[r.CodeName(pc)] = all
	}
	for _, q := range x.Question {
		one, given, want := Check{What: q.Text, Key: q.Key}, strings.TrimSpace(answers[q.Key]), r.number(q.Quantity)
		where := ""
		if q.Block != "" {
			if len(begun[q.Block]) < max(1, q.Time) {
				return nil, x.wrong(fmt.Errorf("the block %s begins only %s", q.Block, plural.Of(len(begun[q.Block]), "time")))
			}
			e := begun[q.Block][max(1, q.Time)-1]
			if want = float64(e.Clock); q.Of == "pe" {
				where = r.Net.Address(int(e.PE)).String()
			}
		}
		n, bad := strconv.ParseFloat(given, 64)
		switch {
		case given == "":
			one.Message = "there is no answer yet"
		case where != "":
			if one.OK = strings.ReplaceAll(given, " ", "") == where; !one.OK {
				one.Message = fmt.Sprintf("not at %s. %s", given, q.Hint)
			}
		case bad != nil:
			one.Message = fmt.Sprintf("%q is no number", given)
		default:
			if one.OK = math.Abs(n-want) <= q.Within*want; !one.OK {
				one.Message = fmt.Sprintf("%s is too %s. %s", given, map[bool]string{true: "low", false: "high"}[n < want], q.Hint)
			}
		}
		list = append(list, one)
	}
	return list, nil
}

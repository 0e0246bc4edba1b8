package exercise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// Solution is a student's submission.
type Solution struct {
	Name   string            // name of the file
	Object *asm.Object       // the program, for exercises of that kind
	PEs    int               // 0 means the exercise's number
	Given  map[string]string // answers; or parameters of the program and knobs of the machine
}

// Open reads a submitted file. A program may include files in its folder or below it, but no file elsewhere, whether by
// "..", by an absolute path or by a link. Messages name files relative to the folder.
func (x *Exercise) Open(file string) (s Solution, err error) {
	folder, name := filepath.Split(file)
	root, err := os.OpenRoot(cmp.Or(folder, "."))
	if err != nil {
		return s, simerr.Usagef("%w", err)
	}
	defer root.Close()
	ext := filepath.Ext(name)
	switch {
	case x.Kind != Program:
		var text []byte
		if text, err = settingsFile.ReadIn(root.FS(), name); err == nil {
			s, err = ReadSolution(name, text)
		}
	case ext != ".s" && ext != ".go":
		err = simerr.Usagef("expected a program, in a file with the ending .s or .go")
	default:
		s.Object, err = run.LoadFrom(root.FS(), name)
	}
	s.Name = file
	return s, err
}

// ReadSolution parses a file of settings or answers.
func ReadSolution(name string, text []byte) (Solution, error) {
	s := Solution{Name: name, Given: map[string]string{}}
	f := &tomlfile.File{Name: name, Text: text}
	if root := f.Tree(); root != nil {
		for _, e := range root.Keys {
			if s.Given[e.Name] = fmt.Sprint(e.Value); e.Value == nil {
				f.Failf(tomlfile.Point(e.At), "%s is a value, not %s; a PE stands in quotes, as \"[2,1]\"", e.Name,
					e.KindName())
			}
		}
	}
	return s, f.Err()
}

// Verdict says whether a solution passed, and why not.
type Verdict struct {
	Exercise string  `json:"-" xml:"classname,attr"`
	File     string  `json:"file" xml:"name,attr"`
	Passed   bool    `json:"passed" xml:"-"`
	Reason   string  `json:"reason,omitempty" xml:"failure,omitempty"` // why it was refused
	Checks   []Check `json:"checks" xml:"-"`
}

// Check is the outcome of one run, or of one answer to a question.
type Check struct {
	What    string `json:"what"` // in words
	OK      bool   `json:"ok"`
	Message string `json:"message,omitempty"` // the mistake, if any
	Clocks  uint64 `json:"clocks,omitempty"`
}

// Check checks a solution with the exercise's cases and the hidden ones, up to the first wrong run. For a prediction,
// it checks all answers. It returns an error if ctx has ended, or if the exercise itself is wrong.
func (x *Exercise) Check(ctx context.Context, s Solution, hidden []Case) (v Verdict, err error) {
	v = Verdict{Exercise: x.Name, File: s.Name, Checks: []Check{}, Reason: x.forbidden(&s)}
	if v.Reason != "" {
		return v, nil
	}
	if x.Kind == Prediction {
		v.Checks, err = x.checkAnswers(ctx, s.Given)
	} else {
		for _, c := range slices.Concat(x.Case, hidden) {
			one := Check{What: x.caseText(c)}
			if one.Message, one.Clocks, err = x.checkCase(ctx, &s, c); err != nil {
				break
			}
			one.OK = one.Message == ""
			if v.Checks = append(v.Checks, one); !one.OK {
				break
			}
		}
	}
	i := slices.IndexFunc(v.Checks, func(c Check) bool { return !c.OK })
	if v.Passed = i < 0; i >= 0 {
		v.Reason = v.Checks[i].What + ": " + v.Checks[i].Message
	}
	return v, err
}

// forbidden returns a message about a change of parameters, knobs or machine that the exercise forbids, or "".
func (x *Exercise) forbidden(s *Solution) string {
	if s.PEs != 0 && s.PEs != x.PEs {
		return fmt.Sprintf("your machine has %d PEs, the machine of the exercise %d", s.PEs, x.PEs)
	}
	keys := slices.Sorted(maps.Keys(x.Allow))
	for _, q := range x.Question {
		keys = append(keys, q.Key)
	}
	for _, key := range slices.Sorted(maps.Keys(s.Given)) {
		value, values := s.Given[key], x.Allow[key]
		switch {
		case x.Kind != Prediction && value == cmp.Or(x.Params[key], x.Set[key]):
		case x.Kind == Program:
			return fmt.Sprintf("%s = %s changes the machine or a parameter: change only the text of the "+
				"program", key, value)
		case !slices.Contains(keys, key):
			return fmt.Sprintf("%s cannot be set here, only %s", key, strings.Join(keys, ", "))
		case len(values) > 0 && !slices.Contains(values, value):
			return fmt.Sprintf("%s may not be %s here, only %s", key, value, strings.Join(values, " "))
		}
	}
	return ""
}

// execute runs o or, if o is nil, the exercise's file or built-in program with the given name, for at most the given
// number of clocks. If the run fails, it returns the error with the results so far.
func (x *Exercise) execute(ctx context.Context, name string, o *asm.Object, c Case, given map[string]string,
	most uint64, watch func(*trace.Event),
) (b *run.Batch, one run.OneRun, err error) {
	defer func() {
		if ended := ctx.Err(); ended != nil {
			err = ended
		}
	}()
	pes, params := cmp.Or(c.PEs, x.PEs), map[string]string{}
	m := run.Machine{Name: "emc-r", PEs: &pes}
	for _, of := range []map[string]string{x.Params, x.Set, given} {
		maps.Copy(params, of)
	}
	for _, key := range knob.Keys(knob.Bind(em4.Knobs(), &em4.Config{})) {
		if value, ok := params[key]; ok {
			m.Sets = append(m.Sets, key+"="+value)
			delete(params, key)
		}
	}
	if o == nil {
		o, err = x.assemble(name, params)
	}
	var config em4.Config
	if err == nil {
		config, err = m.Config()
	}
	if err != nil {
		return nil, one, err
	}
	t, err := run.Build(name, o, config, uint64(max(1, c.Seed)))
	if err == nil {
		err = t.SetArgs(c.Args)
	}
	if err == nil {
		err = t.Boot(ctx, most)
	}
	if err == nil {
		b = run.New(t, run.Plan{Runs: 1, MaxClocks: most})
		err = b.Begin()
	}
	if err != nil {
		return nil, one, err
	}
	if watch != nil {
		b.Watch(trace.NewRecorder(trace.Func(watch), pes, trace.All(pes)), b.Clock(), math.MaxUint64)
	}
	err = b.Advance(ctx, em4.ToEnd)
	one, _ = b.EndRun(err)
	return b, one, err
}

// number returns a statistic of a run.
func number(r *run.OneRun, name string) float64 {
	s, _ := em4.StatisticOf(name) // Read accepts only known statistics
	return s.Number(&r.Totals)
}

// checkCase runs the solution and compares it with the exercise's own run: the correct program, or the program without
// changes of settings. It returns the mistake, or "".
func (x *Exercise) checkCase(ctx context.Context, s *Solution, c Case) (wrong string, clocks uint64, err error) {
	b, own, failed := x.execute(ctx, cmp.Or(x.Solution, x.Program), nil, c, nil, mostTime, nil)
	if failed != nil && (x.Kind == Program || interrupt.Ended(failed) ||
		simerr.Kind(failed) == simerr.KindUsage) { // the settings may be there to repair the failing run
		return "", 0, x.isWrong(failed)
	}
	most := float64(20 * own.Clocks) // the limit if the exercise has none [chosen]
	if sign, n, ok := limit(x.Must["time"], float64(own.Clocks)); ok && sign == "<=" {
		most = n
	}
	most = min(most, mostTime)
	name := map[string]string{Program: s.Name, Settings: x.Program}[x.Kind]
	_, got, err := x.execute(ctx, name, s.Object, c, s.Given, 2*uint64(most)+1000,
		nil) // the clocks after the last word count too
	if interrupt.Ended(err) {
		return "", 0, err
	}
	text := func(words []uint64) string {
		return b.ResultText(words, run.MostValues)
	} // of the exercise's type, for comparison
	return x.compare(&own, &got, failed != nil, err, most, text), got.Clocks, nil
}

// compare describes the mistake in a run, compared with the exercise's own run, or returns "". If free is true, every
// answer is right, because the exercise's own run failed. err is the error of the run, and text formats words as
// results.
func (x *Exercise) compare(own, got *run.OneRun, free bool, err error, most float64,
	text func([]uint64) string,
) string {
	right := free || slices.Equal(got.Words, own.Words)
	var late *em4.ClockLimit
	switch {
	case errors.As(err, &late) && right && got.Clocks > 0:
		return fmt.Sprintf("the answer is right, but after %s something is still running",
			plural.Of(late.Clock, "clock"))
	case errors.As(err, &late):
		return fmt.Sprintf("no end after %s (%s): a loop never ends, or the solution is far too slow. Correct "+
			"solutions need at most %.0f", plural.Of(late.Clock, "clock"), late.What, most)
	case err != nil:
		return err.Error()
	case !right:
		return fmt.Sprintf("the answer is %s, expected %s", text(got.Words), text(own.Words))
	}
	for _, key := range slices.Sorted(maps.Keys(x.Must)) {
		sign, bound, _ := limit(x.Must[key], number(own, key))
		if n := number(got, key); sign == "<=" && n > bound || sign == ">=" && n < bound {
			s, _ := em4.StatisticOf(key)
			return fmt.Sprintf("the answer is right, but %s is %.6g and must be %s %.6g (%s)", key, n, sign, bound,
				s.MachineDoc())
		}
	}
	return ""
}

// caseText describes a case in words.
func (x *Exercise) caseText(c Case) string {
	text := fmt.Sprintf("on %d PEs", cmp.Or(c.PEs, x.PEs))
	for i, a := range c.Args {
		text += map[bool]string{true: " with ", false: ", "}[i == 0] + strconv.FormatInt(a, 10)
	}
	if c.hidden {
		text += fmt.Sprintf(" (a hidden case, seed %d)", c.Seed)
	}
	return text
}

// isWrong wraps err as a mistake in the exercise itself, unless the check was interrupted.
func (x *Exercise) isWrong(err error) error {
	if !interrupt.Ended(err) {
		err = simerr.Usagef("the exercise %s is wrong: %w", x.Name, err)
	}
	return err
}

// checkAnswers compares a student's answers with a run.
func (x *Exercise) checkAnswers(ctx context.Context, answers map[string]string) (list []Check, err error) {
	begun := []trace.Event{}
	b, r, err := x.execute(ctx, x.Program, nil, x.Case[0], nil, mostTime, func(e *trace.Event) {
		if e.Kind == trace.Begun {
			begun = append(begun, *e)
		}
	})
	if err != nil {
		return nil, x.isWrong(err)
	}
	for _, q := range x.Question {
		first, runs := lists.Find(begun, func(e trace.Event) bool { return b.Object.CodeName(e.PC) == q.Pe+q.Clock })
		want := float64(first.Clock + 1 - r.Start) // the clock of the run from which the block runs
		if q.Statistic != "" {
			want = number(&r, q.Statistic)
		} else if !runs {
			return nil, x.isWrong(fmt.Errorf("the block %s never begins", q.Pe+q.Clock))
		}
		one, given := Check{What: q.Text}, strings.ReplaceAll(answers[q.Key], " ", "")
		n, bad := strconv.ParseFloat(given, 64)
		switch {
		case given == "":
			one.Message = "there is no answer yet"
		case q.Pe != "" && given != b.Net.Address(int(first.PE)).String():
			one.Message = fmt.Sprintf("not at %s. %s", given, q.Hint)
		case q.Pe == "" && bad != nil:
			one.Message = fmt.Sprintf("%q is not a number", given)
		case q.Pe == "" && !(math.Abs(n-want) <= float64(q.Within*want)):
			one.Message = fmt.Sprintf("%s is too %s. %s", given, map[bool]string{true: "low", false: "high"}[n < want],
				q.Hint)
		}
		one.OK = one.Message == ""
		list = append(list, one)
	}
	return list, nil
}

package command

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/escape"
	"emsim/internal/base/input"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/machine/exercise"
	"emsim/internal/machine/run"
)

func newGradeCmd(a *app) *cobra.Command {
	seed, junit := uint64(1), ""
	cmd := &cobra.Command{
		Use: "grade [EXERCISE [FILE...]]", Annotations: aboutEmsim,
		Short: "Check solutions of exercises",
		Long: `grade checks what students hand in, a FILE each: a program in assembly language or
in Go, or a TOML file of settings or of answers. EXERCISE is one of emsim's, which
the page of 'emsim play' has at the end of its lessons, or a TOML file. A solution has
to be right in the cases that the page shows, and in others that --seed draws, and
to keep the exercise's limits. The exit status is 1 if one is refused.

Without FILE, grade prints a file to begin with, which has the task; without EXERCISE,
what exercises there are.`,
		Example: "  emsim grade\n  emsim grade three > three.s\n  emsim grade three class/*.s --seed 77 --junit three.xml",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return described(exercise.Names(), func(name string) (string, string) { return name, ownExercise(name).Title }), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) < 2 && (junit != "" || cmd.Flags().Changed("seed")):
				return usagef("--seed and --junit are of solutions: name their files behind the exercise")
			case len(args) == 0:
				return a.listExercises()
			}
			x, err := readExercise(args[0])
			switch {
			case err != nil:
				return err
			case len(args) == 1:
				return a.answer(x, printed("%s", x.Begin()))
			}
			return a.grade(cmd.Context(), x, args[1:], seed, junit)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", seed, "draws the cases that students do not see: take one that nobody knows")
	outFlag(cmd, &junit, "junit", "write the verdicts to this XML file, in the form of JUnit")
	return cmd
}

// ownExercise is one of emsim's, which tests read all.
func ownExercise(name string) *exercise.Exercise {
	x, err := exercise.Named(name)
	if err != nil {
		panic(err)
	}
	return x
}

func (a *app) listExercises() error {
	list := lists.Of(exercise.Names(), ownExercise)
	return a.answer(list, func(w io.Writer) {
		for _, x := range list {
			fmt.Fprintf(w, "%-10s  %-10s  %s\n", x.Name, x.Kind, x.Title)
		}
	})
}

// readExercise reads one of emsim's exercises, or a file.
func readExercise(name string) (*exercise.Exercise, error) {
	if slices.Contains(exercise.Names(), name) {
		return exercise.Named(name)
	}
	if filepath.Ext(name) != ".toml" {
		return nil, usagef("no exercise is called %q: expected %s, or a TOML file", name, strings.Join(exercise.Names(), ", "))
	}
	x, err := exercise.Read(os.DirFS(filepath.Dir(name)), filepath.Base(name))
	if err != nil {
		err = usagef("%w", err)
	}
	return x, err
}

func (a *app) grade(ctx context.Context, x *exercise.Exercise, files []string, seed uint64, junit string) (err error) {
	all, passed, hidden := []exercise.Verdict{}, 0, x.Draw(seed)
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			return usagef("%w", err)
		}
	}
	for _, file := range files {
		var v exercise.Verdict
		if v, err = gradeFile(ctx, x, file, hidden); err != nil {
			break
		}
		if all = append(all, v); v.Passed {
			passed++
		}
	}
	if junit != "" && err == nil {
		err = writeOutput("--junit", junit, junitText(x, all))
	}
	answer := object{"exercise", x.Name, "title", x.Title, "kind", x.Kind, "seed", seed, "files", len(files), "passed", passed, "verdicts", all}
	err = a.emitParts(ctx, err, answer, func(w io.Writer) {
		for _, v := range all {
			fmt.Fprintf(w, "%-7s  %s\n", map[bool]string{true: "passed", false: "refused"}[v.Passed], escape.Line(v.File))
			if !v.Passed {
				fmt.Fprintf(w, "         %s\n", strings.ReplaceAll(v.Reason, "\n", "\n         "))
			}
		}
		fmt.Fprintf(w, "\n%s: %d of %s passed\n", x.Name, passed, plural.Of(len(all), "solution"))
	}, "after %d of %d files", len(all), len(files))
	if err == nil && passed < len(all) {
		return errCheckFailed
	}
	return err
}

// gradeFile checks a file; what cannot be read is refused, and the others go on.
func gradeFile(ctx context.Context, x *exercise.Exercise, file string, hidden []exercise.Case) (exercise.Verdict, error) {
	s := exercise.Solution{}
	var err error
	if ext := filepath.Ext(file); x.Kind == exercise.Program && ext != ".s" && ext != ".go" {
		err = usagef("expected a program, in a file with the ending .s or .go")
	} else if x.Kind == exercise.Program {
		s.Object, err = run.LoadProgram(file, nil)
	} else {
		var text []byte
		if text, err = (input.Want{What: "a TOML file", Kinds: []input.Kind{input.TOML}, Most: 1 << 16, Why: "a few keys are shorter"}).Read(file); err == nil {
			s, err = exercise.ReadSolution(file, text)
		}
	}
	if err != nil {
		return exercise.Refused(file, err), nil
	}
	s.Name = file
	return x.Check(ctx, s, hidden)
}

// junitText is the verdicts in the form of JUnit: a test case for each file.
func junitText(x *exercise.Exercise, all []exercise.Verdict) []byte {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *failure `xml:"failure"`
	}
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testcase `xml:"testcase"`
	}{Name: x.Name, Tests: len(all)}
	for _, v := range all {
		c := testcase{Class: x.Name, Name: v.File}
		if !v.Passed {
			suite.Failures++
			first, _, _ := strings.Cut(v.Reason, "\n")
			c.Failure = &failure{first, v.Reason}
		}
		suite.Cases = append(suite.Cases, c)
	}
	text, _ := xml.MarshalIndent(suite, "", "  ") // it is text and numbers
	return append([]byte(xml.Header), append(text, '\n')...)
}

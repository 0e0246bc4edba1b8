package command

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/escape"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/machine/exercise"
)

func newGradeCmd(a *app) *cobra.Command {
	seed, junit := uint64(1), ""
	cmd := &cobra.Command{
		Use: "grade [EXERCISE [FILE...]]", Annotations: aboutEmsim,
		Short: "Check solutions of exercises",
		Long: `grade checks what students hand in, one FILE each: a program in assembly language or
in Go, or a TOML file of settings or of answers. EXERCISE is a built-in one, as at the
end of the lessons of 'emsim play', or a TOML file. A solution has to be right in the
cases that the page shows, and in others that --seed draws, and to keep the exercise's
limits. The exit status is 1 if a solution fails.

Without FILE, grade prints a file to start from, with the task in it; without EXERCISE
it lists the exercises.`,
		Example: "  emsim grade\n  emsim grade three > three.s\n  emsim grade three class/*.s --seed 77 " +
			"--junit three.xml",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (list []cobra.Completion,
			_ cobra.ShellCompDirective,
		) {
			if len(args) == 0 {
				list = described(exercise.Own(), func(x *exercise.Exercise) (string, string) { return x.Name, x.Title })
			}
			return list, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			own := exercise.Own()
			switch {
			case len(args) < 2 && (junit != "" || cmd.Flags().Changed("seed")):
				return usagef("--seed and --junit need solutions: give their files after the exercise")
			case len(args) == 0:
				l := answer.List{Heads: []string{"exercise", "kind", "title"}}
				for _, x := range own {
					l.Add(x.Name, x.Kind, x.Title)
				}
				return a.answer(own, a.shown(&answer.Answer{
					Title: plural.Of(len(own), "exercise"), Lists: []answer.List{l},
					Next: answer.Next{Command: "emsim grade EXERCISE", Why: "prints its task, as a file to start from"},
				}))
			}
			x, known := lists.Find(own, func(x *exercise.Exercise) bool { return x.Name == args[0] })
			if !known && filepath.Ext(args[0]) != ".toml" {
				return usagef("no exercise is called %q: expected %s, or a TOML file", args[0],
					strings.Join(lists.Of(own, func(x *exercise.Exercise) string { return x.Name }), ", "))
			} else if !known {
				var err error
				if x, err = exercise.Read(os.DirFS(filepath.Dir(args[0])), filepath.Base(args[0])); err != nil {
					return usagef("%w", err)
				}
			}
			if len(args) == 1 {
				return a.answer(x, printed("%s", x.Begin()))
			}
			return a.grade(cmd.Context(), x, args[1:], seed, junit)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", seed,
		"seed of the cases that students do not see: choose one that no student knows")
	outFlag(cmd, &junit, "junit", "write the verdicts to this XML file, in the form of JUnit")
	return cmd
}

func (a *app) grade(ctx context.Context, x *exercise.Exercise, files []string, seed uint64, junit string) (err error) {
	all, hidden := []exercise.Verdict{}, x.Draw(seed)
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			return usagef("%w", err)
		}
	}
	line := a.newPart("", len(files))
	for i, file := range files {
		line.step(i, "%s", file)
		v, stopped := gradeFile(ctx, x, file, hidden)
		if err = stopped; err != nil {
			break
		}
		all = append(all, v)
	}
	line.end()
	passed := len(lists.Where(all, func(v exercise.Verdict) bool { return v.Passed }))
	if junit != "" && err == nil {
		text, _ := xml.MarshalIndent(struct {
			XMLName  xml.Name           `xml:"testsuite"`
			Name     string             `xml:"name,attr"`
			Tests    int                `xml:"tests,attr"`
			Failures int                `xml:"failures,attr"`
			Cases    []exercise.Verdict `xml:"testcase"`
		}{xml.Name{}, x.Name, len(all), len(all) - passed, all}, "", "  ") // text and numbers always have an XML form
		err = writeOutput("--junit", junit, append([]byte(xml.Header), text...))
	}
	said := &answer.Answer{
		Title: fmt.Sprintf("%s: %d of %s passed", x.Name, passed, plural.Of(len(all), "solution")),
		Lists: []answer.List{verdictList(all)},
	}
	said.SayAll("exercise", x.Name, "title", x.Title, "kind", x.Kind, "seed", seed, "files", len(files), "passed",
		passed,
		"verdicts", all)
	err = a.emitParts(ctx, err, steps(len(all), len(files)), said, a.shown(said), "after %d of %d files", len(all),
		len(files))
	if err == nil && passed < len(all) {
		return errCheckFailed
	}
	return err
}

// verdictList returns a row for each solution, and rows for the reason why one is refused.
func verdictList(all []exercise.Verdict) answer.List {
	l := answer.List{Whole: true, Unbroken: true}
	for _, v := range all {
		l.Add(map[bool]string{true: "passed", false: "refused"}[v.Passed], escape.Line(v.File))
		if !v.Passed {
			for line := range strings.SplitSeq(v.Reason, "\n") {
				l.Add("", line)
			}
		}
	}
	return l
}

// gradeFile checks a solution. It returns a verdict even for a file that cannot be read, so that the other files are
// still checked. The verdict goes to the file's author and may quote the file, so terminal escapes in it are shown as
// text.
func gradeFile(ctx context.Context, x *exercise.Exercise, file string, hidden []exercise.Case) (v exercise.Verdict,
	err error,
) {
	s, wrong := x.Open(file)
	if wrong != nil {
		v = exercise.Verdict{Exercise: x.Name, File: file, Reason: wrong.Error(), Checks: []exercise.Check{}}
	} else if v, err = x.Check(ctx, s, hidden); err != nil {
		return v, err
	}
	v.Reason = escape.Text(v.Reason)
	for i := range v.Checks {
		v.Checks[i].Message = escape.Text(v.Checks[i].Message)
	}
	return v, nil
}

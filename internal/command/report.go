package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"emsim/internal/base/answer"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/draw/report"
	"emsim/internal/inspect/instrument"
	"emsim/internal/machine/recipe"
	"emsim/verify"
)

// reportFlags holds the flags of 'emsim report'.
type reportFlags struct {
	ownFlags
	report.Options
	file string
}

func newReportCmd(a *app) *cobra.Command {
	f := &reportFlags{Options: report.Options{Workers: runtime.GOMAXPROCS(0)}}
	cmd := &cobra.Command{
		Use:   "report [PROGRAM [ARG...]]",
		Short: "Write everything that is measured, or everything about one run, as an HTML page",
		Long: `report writes one self-contained HTML page.

With a program (or --resume) the page is about that run: its time line, PE by
PE, with zoom; result and counts; figures of what the PEs did, how full their
buffers were, which links carried how much and where calls went; what the units
waited for; the profile by template, block and line; and the critical path.
--vs puts another run next to it, with other parameters or knobs, and may be
repeated.

Without a program it measures every row of the papers and the regressions next to
them, draws the figures and shows the machines' knobs, paper next to model with
deviations and known gaps, what the EM-4's uncertain knobs do, and the time line
of every PE. It takes about a minute of one core. The table of the uncertain
knobs is the published one; 'emsim calibrate' measures it. That page is written even
if some rows are not ok; the exit status is then 1. Ctrl-C writes no page, and says
which parts were done.`,
		Example: `  emsim report fib 20 -o fib.html
  emsim report queens 6 --vs "policy=line" --vs "policy=random mlpe=on" -o queens.html
  emsim report prog.s 5 --pes 12 --vs "hop_clocks=1" -o prog.html
  emsim report -o report.html
  emsim report --only 003 -o em4.html`,
		ValidArgsFunction: completePrograms,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantsPage(f.file); err != nil {
				return err
			}
			if len(args) > 0 && slices.ContainsFunc(verify.Suites(),
				func(s verify.Suite) bool { return s.Paper == args[0] }) {
				return usagef("%s is not a program but a paper: emsim report --only %[1]s -o %s", args[0], f.file)
			}
			if len(args) > 0 || cmd.Flags().Changed("resume") {
				return a.reportRun(cmd, f, args)
			}
			if err := onlyWith(cmd, f.ownKeys(), "has no effect without a program"); err != nil {
				return err
			}
			return a.reportAll(cmd, f)
		},
	}
	f.addFlags(a, cmd)
	outFlag(cmd, &f.file, "output,o", "file to write, .html")
	cmd.Flags().StringSliceVar(&f.Only, "only", nil,
		"without a program: report only these papers, as in 003 or 001,003")
	a.completes(cmd, "only", completeList(lists.Of(verify.Suites(), func(s verify.Suite) string { return s.Paper })))
	cmd.Flags().IntVar(&f.Workers, "jobs", f.Workers,
		"without a program: number of things measured or drawn at the same time")
	return cmd
}

// wantsPage rejects a file without the ending of an HTML page.
func wantsPage(file string) error {
	if ext := strings.ToLower(filepath.Ext(file)); ext != ".html" && ext != ".htm" {
		return usagef("-o needs a file that ends in .html, got %q", file)
	}
	return nil
}

// reportRun writes the page about a run and the runs of --vs.
func (a *app) reportRun(cmd *cobra.Command, f *reportFlags, args []string) error {
	if err := onlyWith(cmd, []string{"only", "jobs"}, "has no effect on the report of a program"); err != nil {
		return err
	}
	runs, err := a.ownRuns(cmd, &f.ownFlags, args)
	if err != nil {
		return err
	}
	var seen []report.EM4Run
	clocks := make([]uint64, len(runs))
	for i, r := range runs {
		profiled, total := &profileAnswer{r.Profile, r.Answer, map[string][]string{}}, r.Profile.Total()
		seen = append(seen, report.EM4Run{
			Name: r.Name, Target: r.Target, Answer: r.Answer, Portrait: r.Portrait, Profile: profiled.tables(&total),
		})
		clocks[i] = r.Answer.Clocks
	}
	page, err := report.NewEM4Page(cmd.Context(), a.pageVersion(), seen)
	return a.emitPage(cmd, f.file, page, err, clocks, nil)
}

// newMachineReportCmd returns the command that writes the page about a run of another machine.
func newMachineReportCmd(a *app, name string) *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write everything about a run as an HTML page: result, figures, answers to questions",
		Long: `report records a run of the machine and writes a self-contained HTML
page: the result, all figures of 'emsim ` + name + ` plot', the profile, the answers
to the questions idle, held, cost and back, and the settings. --vs puts another
run next to it, with other knobs, says where they part, and may be repeated.`,
		Example: "  emsim NAME report -o run.html SMALL",
		Args:    noArgs,
	}
	outFlag(cmd, &file, "output,o", "file to write, .html")
	return a.looksInto(cmd, name, func(_ []string, vs int) error {
		return cmp.Or(wantsPage(file), fewRuns(vs))
	}, func(cmd *cobra.Command, run *instrument.Run, _ []string) error {
		page, err := report.NewMachinePage(cmd.Context(), a.pageVersion(), machineRuns(run))
		return a.emitPage(cmd, file, page, err, nil, run.Err)
	})
}

// emitPage writes a page about runs, unless err says why there is none, and tells its size and the clocks of the runs.
// failed says why the first run failed, or is nil.
func (a *app) emitPage(cmd *cobra.Command, file string, page *report.RunPage, err error, clocks []uint64,
	failed error,
) error {
	if err != nil {
		return ended(cmd.Context(), err, "before the page was written: there is no %s", file)
	}
	size, err := a.writePage(file, page.Write)
	if err != nil {
		return err
	}
	x := &answer.Answer{Title: fmt.Sprintf("%s: %s, %s", file, page.Title, plural.Of(size, "byte"))}
	list := answer.List{Heads: []string{"run", "length"}, Whole: true}
	for _, r := range page.Runs {
		list.Add(r.Name, r.Length)
	}
	x.Lists = []answer.List{list}
	x.Say("bytes", size)
	if clocks != nil {
		x.Say("clocks", clocks)
	}
	x.Say("file", file)
	return a.emitRun(x, a.shown(x), failed, nil)
}

// reportAll writes the page with all measurements.
func (a *app) reportAll(cmd *cobra.Command, f *reportFlags) error {
	o := f.Options
	if err := workersBetween("jobs", o.Workers, "machines"); err != nil {
		return err
	}
	o.Version = a.pageVersion()
	line := a.longPart(cmd, nil, 0)
	o.Progress = line.steps("parts")
	page, err := report.Build(cmd.Context(), o)
	line.end()
	var part *report.Unfinished
	if errors.As(err, &part) {
		err := interrupt.Of(cmd.Context(), "after %d of %d parts: %s was not written", len(part.Done), part.Of, f.file)
		return a.partial(err, steps(len(part.Done), part.Of), map[string]any{"done": part.Done, "parts": part.Of},
			printed("%s\n", strings.Join(part.Done, "\n")))
	}
	if err != nil {
		return err
	}
	size, err := a.writePage(f.file, page.Write)
	if err != nil {
		return err
	}
	return a.reported(page, f.file, size)
}

// writePage writes a page to the file of -o and returns its size.
func (a *app) writePage(file string, page func(io.Writer) error) (size int, err error) {
	var b bytes.Buffer
	if err := page(&b); err != nil {
		return 0, err
	}
	text := recipe.InFile(file, b.Bytes(), a.recipe("-o"))
	return len(text), writeOutput("-o", file, text)
}

// reported prints a summary of the page with all measurements.
func (a *app) reported(page *report.Page, file string, size int) error {
	papers := lists.Of(page.Papers, func(p *report.Paper) string { return p.Number })
	counts, all := page.Counts(), verify.Count{}
	table := answer.List{Heads: []string{"rows", "number", "inside", "known gaps", "not ok"}, Whole: true}
	x := &answer.Answer{
		Title: fmt.Sprintf("%s: papers %s, %s", file, strings.Join(papers, ", "), plural.Of(size, "byte")),
	}
	x.Say("file", file)
	x.Say("bytes", size)
	x.Say("papers", papers)
	for _, class := range []struct {
		key, words string
		verify.Count
	}{
		{"rows", "of the papers", counts.Papers()},
		{"derived", "that follow from these", counts.Derived()},
		{"regressions", "of our own numbers", counts.Regressions()},
	} {
		x.Say(class.key, class.Rows)
		all = all.Plus(class.Count)
		table.Add(class.words, class.Rows, class.Inside, class.Gaps, class.NotOK)
	}
	x.Say("gaps", all.Gaps)
	x.Say("not_ok", all.NotOK)
	x.Lists = []answer.List{table}
	err := a.tell(x)
	if err == nil && all.NotOK > 0 {
		return errCheckFailed
	}
	return err
}

// pageVersion returns the revision of emsim for a report, or "".
func (a *app) pageVersion() string {
	if r, _ := recipe.Find([]byte(recipe.Line(a.recipe("-o")))); r.Revision != "" {
		return "revision " + r.Revision
	}
	return ""
}

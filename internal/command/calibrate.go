package command

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/verify"
)

func newCalibrateCmd(a *app) *cobra.Command {
	var knobs []string
	var file string
	workers := 1
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure the effect of every uncertain knob on every row of paper 003",
		Long: `calibrate varies one uncertain knob at a time over its range, with all others as
published, and measures every number of paper 003. The table has a line for each
setting, with the numbers that are outside their tolerances: the deviation from
the paper in per cent, or in points for shares. --csv has all numbers. Each is
measured as 'emsim verify' does. The machines of all settings run side by side,
and equal ones once: a parameter of one policy leaves the runs of the others as they
are.
'emsim docs CALIBRATION' discusses the result. Ctrl-C prints the settings that
are complete.`,
		Example: "  emsim calibrate\n  emsim calibrate --knob hop_clocks --knob bank_clocks --csv sensitivity.csv",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			chosen, err := uncertain(knobs)
			if err != nil {
				return err
			}
			if err := workersBetween("jobs", workers, "machines"); err != nil {
				return err
			}
			line := a.newPart("", settings(chosen))
			list, err := verify.Sensitivity003(cmd.Context(), verify.Standard003(), chosen, workers,
				line.steps("settings"))
			line.end()
			if err != nil && !interrupt.Ended(err) {
				return err
			}
			table := a.shown(sensitivitySaid(list))
			if err := a.writeSensitivity(file, list); err != nil {
				return a.unwritten(err, list, table)
			}
			if len(list) == 0 {
				list, table = []verify.Sensed{}, nil
			}
			return a.emitParts(cmd.Context(), err, steps(len(list), settings(chosen)), list, table,
				"after %d of %s", len(list), plural.Of(settings(chosen), "setting"))
		},
	}
	cmd.Flags().StringArrayVar(&knobs, "knob", nil, "measure only this knob (may be repeated)")
	a.completes(cmd, "knob", completeList(lists.Of(verify.UncertainKnobs003(),
		func(k verify.UncertainKnob) string { return k.Key })))
	outFlag(cmd, &file, "csv", "also write one line per setting and row to this file")
	cmd.Flags().IntVar(&workers, "jobs", runtime.GOMAXPROCS(0),
		"number of machines that run at the same time, fewer if memory is short")
	return cmd
}

// settings returns the total number of values of the knobs.
func settings(knobs []verify.UncertainKnob) int {
	return lists.Sum(knobs, func(k verify.UncertainKnob) int { return len(k.Values) })
}

// uncertain returns the uncertain knobs with the given names, or all if names is empty.
func uncertain(names []string) ([]verify.UncertainKnob, error) {
	all := verify.UncertainKnobs003()
	if len(names) == 0 {
		return all, nil
	}
	var list []verify.UncertainKnob
	for _, name := range names {
		i := slices.IndexFunc(all, func(k verify.UncertainKnob) bool { return k.Key == name })
		if i < 0 {
			keys := lists.Of(all, func(k verify.UncertainKnob) string { return k.Key })
			return nil, usagef("--knob %s: the uncertain knobs are %s", name, strings.Join(keys, ", "))
		}
		list = append(list, all[i])
	}
	return list, nil
}

// writeSensitivity writes the file of --csv.
func (a *app) writeSensitivity(file string, list []verify.Sensed) error {
	header := []string{"knob", "value", "chosen", "id", "paper", "model", "deviation", "ok"}
	return a.writeRows("csv", file, header, func(write func(fields ...any)) {
		for _, s := range list {
			for _, r := range s.Rows {
				dev := ""
				if r.Deviation != nil {
					dev = strconv.FormatFloat(*r.Deviation, 'g', 6, 64)
				}
				write(s.Knob, s.Value, s.Chosen, r.ID, fmt.Sprint(r.Paper), modelText(r.Model), dev, r.Inside())
			}
		}
	})
}

// sensitivitySaid returns a row for each setting, with the rows of the paper that are outside their tolerance.
func sensitivitySaid(list []verify.Sensed) *answer.Answer {
	l := answer.List{
		Heads: []string{"setting", "outside", "which rows, and how far they are from the paper"},
		Whole: true,
	}
	for _, s := range list {
		var outside []string
		for _, r := range s.Rows {
			if r.Inside() {
				continue
			}
			off, _, unit := offOf(r)
			if unit == "" {
				off, _, _ = strings.Cut(fmt.Sprint(r.Model), ":") // a claim without its numbers
			}
			outside = append(outside, strings.TrimSpace(strings.TrimPrefix(r.ID, r.PaperNo+".")+" "+off+" "+unit))
		}
		mark := map[bool]string{true: " (published)"}[s.Chosen]
		l.Add(fmt.Sprintf("%s = %s%s", s.Knob, s.Value, mark), len(outside), strings.Join(outside, ", "))
	}
	return &answer.Answer{
		Title: plural.Of(len(list), "setting"), Machine: "paper 003", Lists: []answer.List{l},
		Next: answer.Next{Command: "emsim verify --explain ID", Why: "what the knobs do to one row"},
	}
}

// Package command implements the command emsim, with a file for each subcommand. Every subcommand prints a readable
// table or, with --json, exactly one JSON value on standard output.
//
//	command.go      the command line, and all commands in their order
//	output.go       answers and errors; stream.go: standard output
//	answers.go      the format of answers; paper.go: the papers' numbers for the same run; readable.go: Markdown
//	recipe.go       the recipe of a result; claim.go: the files that a command writes
//	progress.go     the line on the terminal
//	completion.go   shell completion; stats.go: lists for help texts, CSV files
//	filesize_*.go   limits of file sizes
//	drive.go        run of every machine: its seeds, its --vs (sidebyside.go), its end; driver.go: flags, files
//	run.go          run of the EM-4: flags; runsession.go: its work; runcheckpoint.go
//	target.go       program and machine from flags; program.go: parameters of programs
//	trace.go        trace; tracing.go: a traced run
//	profilerun.go   profile; profilesaid.go: its text
//	debug.go        debug
//	diff.go         diff
//	play.go         play
//	grade.go        grade
//	calibrate.go    calibrate
//	verify.go       verify; verifytable.go
//	asm.go          asm; dis.go, build.go, new.go
//	plot.go         plot; plotspeedup.go, plotmotion.go; report.go, and ownrun.go: the runs that both take
//	sweep.go        sweep; sweepshare.go: shares and Slurm; sweepsummary.go
//	balance*.go     balance compare, limit and validate
//	machine.go      machine show; knobflags.go: parameters as flags
//	machine*.go     run, plot and profile of the other machines; ask.go: ask, debug and trace; askprogram.go
//	mnc.go          mnc topology
//	pdes.go         pdes; pdesstudy.go: its studies
//	net.go          net; traffic.go
//	again.go        again
//	cite.go         cite; docs.go, licenses.go, version.go
package command

import (
	"cmp"
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/memlimit"
)

// Main executes the process's command line and returns its exit status: 0 for success, 1 if the modelled machine or a
// check failed, a signal ended the command or its output could not be written, and 2 for wrong usage, a bad file or an
// assembly error.
func Main() int {
	errorsNotSignals()
	return command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// CommandTree returns all commands with their help; manual pages are made from it.
func CommandTree() *cobra.Command { return newRootCmd(&app{}) }

// app holds what all subcommands share: the three streams, the command line, and the form of the answer.
type app struct {
	in       io.Reader
	out, err *stream
	args     []string // the command line
	made     made     // the data for the recipes of its results
	json     bool     // --json: one JSON value on out
	details  bool     // --details: all numbers of an answer
	line     *progress

	signals *interrupt.Watch // ends the context of the command
}

// command executes one command line and returns its exit status. The first SIGINT,
// SIGTERM or SIGHUP ends the context of the command.
func command(args []string, in io.Reader, out, errw io.Writer) int {
	a := &app{in: in, out: newAnswers(out), err: newMessages(errw), args: args}
	ctx, signals := interrupt.New(context.Background())
	defer signals.Stop()
	a.signals = signals
	defer memlimit.Watch(signals.End)()
	a.line = a.startProgress()
	root := newRootCmd(a)
	if i := slices.Index(args, "--json"); i >= 0 && !slices.Contains(args[:i], "--") {
		a.json = true // set early, so that errors in earlier flags are JSON too
	}
	root.SetArgs(args)
	root.SetIn(in)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if interrupt.Ended(err) {
		err = interrupt.Of(ctx, "before it was finished")
	}
	a.line.stop()
	return a.finish(err)
}

// newGroup returns a command that only groups subcommands.
func newGroup(use, short, long string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(subs...)
	return cmd
}

// newRootCmd builds the command tree; each subcommand has its own file.
func newRootCmd(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "emsim",
		Short: "Clock-stepped models of the EM-4 dataflow computer and its contemporaries",
		Long: `emsim models the ETL EM-4 dataflow computer clock by clock, and the other
parallel machines of five papers on load balancing: MNC, RHiNET-2, a
workstation cluster and a discrete-event simulator's networks.

Ctrl-C, SIGTERM and SIGHUP end every command within a second, with the results
so far and exit status 1; a second one kills it.`,
		Example: `  emsim run fib 20
  emsim run fib 24 --mlpe --pes 80 --json
  emsim net --pes 1024
  emsim machine show > mine.toml
  emsim verify 003.t1`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noArgs,

		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFiles(cmd, args); err != nil {
				return err
			}
			a.made.begin(cmd, args)
			a.line.name(cmd, args)
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.Version = Release
	root.SetVersionTemplate("emsim {{.Version}}\n")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON value on standard output")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newRunCmd(a),
		newTraceCmd(a),
		newDebugCmd(a),
		newPlayCmd(a),
		newGradeCmd(a),
		newProfileCmd(a),
		newProgramAskCmd(a),
		newNetCmd(a),
		newMachineCmd(a),
		newNewCmd(a),
		newBuildCmd(a),
		newAsmCmd(a),
		newDisCmd(a),
		newVerifyCmd(a),
		newPlotCmd(a),
		newCalibrateCmd(a),
		newReportCmd(a),
		newSweepCmd(a),
		newDocsCmd(a), newCiteCmd(a), newLicensesCmd(a),
		newAgainCmd(a),
		newDiffCmd(a),
		newVersionCmd(a),
	)
	root.AddCommand(newMachineCmds(a)...)
	for _, cmd := range root.Commands() {
		tellPage(cmd, pages[cmd.Name()])
	}
	a.refuseUnknown(root)
	return root
}

// refuseUnknown makes help and completion reject unknown arguments, as other commands do. It sets the output first,
// because the completion command keeps the output that is set when it is created.
func (a *app) refuseUnknown(root *cobra.Command) {
	if a.out != nil {
		root.SetOut(a.out)
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			help := cmd.Run
			cmd.Run, cmd.RunE = nil, func(cmd *cobra.Command, args []string) error {
				if of, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return noArgs(cmp.Or(of, root), args[len(args)-max(1, len(rest)):])
				}
				help(cmd, args)
				return nil
			}
		case "completion":
			cmd.Args, cmd.RunE = noArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// pages maps commands to pages of the documentation, which also cover their subcommands.
var pages = map[string]string{
	"again": "FORMATS", "ask": "TRACING", "asm": "ASSEMBLY", "balance": "BALANCE", "build": "DATAFLOW",
	"calibrate": "CALIBRATION", "debug": "DEBUG", "diff": "DEBUG", "dis": "FORMATS",
	"machine": "PARAMETERS", "mnc": "MNC", "net": "MACHINE", "new": "ASSEMBLY", "pdes": "PDES",
	"grade": "PLAY", "play": "PLAY", "plot": "FIGURES", "profile": "TRACING", "report": "FIGURES",
	"rhinet": "RHINET", "run": "COMMAND", "spmd": "SPMD", "sweep": "SWEEP", "trace": "TRACING", "verify": "DEVIATIONS",
	"version": "COMMAND",
}

// tellPage adds the name of the page to the help of a command and its subcommands.
func tellPage(cmd *cobra.Command, page string) {
	if tells := "'emsim docs " + page + "'"; page != "" && !strings.Contains(cmd.Long, tells) {
		cmd.Long = cmp.Or(cmd.Long, cmd.Short+".") + "\n\n" + tells + " says more."
	}
	for _, sub := range cmd.Commands() {
		tellPage(sub, page)
	}
}

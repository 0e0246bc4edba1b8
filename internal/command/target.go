package command

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// targetFlags are the flags of every command that runs a program on a
// machine.
type targetFlags struct {
	machineFlags
	programFlags
	seed      uint64
	maxClocks uint64
	threads   int
	resume    string
}

func (f *targetFlags) addFlags(a *app, cmd *cobra.Command) {
	f.addBeginning(a, cmd)
	cmd.Flags().StringVar(&f.resume, "resume", "",
		"continue the run in this checkpoint, which fixes program, machine and seed")
}

// addBeginning adds the flags of a run that starts at its beginning.
func (f *targetFlags) addBeginning(a *app, cmd *cobra.Command) {
	f.machineFlags.addFlags(a, cmd)
	f.programFlags.addFlags(a, cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the random choices")
	cmd.Flags().Uint64Var(&f.maxClocks, "max-clocks", 0,
		"stop after this many clocks, counted for the init blocks and for each run separately (0: no limit)")
	addThreadsFlag(cmd.Flags(), &f.threads)
}

// threadCount is the value of --threads; 0 means auto.
type threadCount int

func (n *threadCount) String() string {
	if *n == 0 {
		return "auto"
	}
	return strconv.Itoa(int(*n))
}

// Set parses a value.
func (n *threadCount) Set(s string) error {
	if s == "auto" {
		s = "0"
	}
	v, err := strconv.Atoi(s)
	if err != nil {
		return errors.New("neither a number nor auto")
	}
	*n = threadCount(v)
	return nil
}

// Type returns the description of the values.
func (n *threadCount) Type() string { return "number 1..64 or auto" }

func addThreadsFlag(fs *pflag.FlagSet, threads *int) {
	*threads = 1
	fs.Var((*threadCount)(threads), "threads",
		"`number` of threads that step the machine, 1..64, or auto: one, and after three seconds several if they "+
			"prove to be faster; the state at every clock is the same with any number")
}

// runSpec returns the requested run.
func (f *targetFlags) runSpec(cmd *cobra.Command, args []string) (*run.Spec, error) {
	params, err := f.values(cmd, args[0])
	if err != nil {
		return nil, err
	}
	if err := f.includeFlag.check(); err != nil {
		return nil, err
	}
	program, rest := run.ProgramOf(args)
	return &run.Spec{
		Machine: f.machine(cmd), Program: program, Args: rest, Params: params, Include: f.include,
		Seed: f.seed, MaxClocks: f.maxClocks, Threads: f.threads,
	}, nil
}

// runsProgram makes a command take a program or a checkpoint.
func (f *targetFlags) runsProgram(a *app, cmd *cobra.Command, work func(cmd *cobra.Command, args []string) error) {
	cmd.Use = fmt.Sprintf("%s PROGRAM [ARG...] | %[1]s --resume FILE", cmd.Use)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && !cmd.Flags().Changed("resume") {
			return usagef("which program? For example: emsim %s fib 20\nsee '%s --help'", cmd.Name(), cmd.CommandPath())
		}
		return nil
	}
	cmd.ValidArgsFunction = completePrograms
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.checkResume(cmd, args); err != nil {
			return err
		}
		return work(cmd, args)
	}
	f.addFlags(a, cmd)
}

// fixed lists the flags whose values a checkpoint determines.
var fixed = []string{
	"machine", "pes", "set", "param", "include", "policy", "mlpe", "blocks", "guards",
	"placement", "explain", "seed", "runs", "sample",
}

// checkResume rejects flags that contradict --resume.
func (f *targetFlags) checkResume(cmd *cobra.Command, args []string) error {
	if f.resume == "" {
		if cmd.Flags().Changed("resume") {
			return usagef("--resume needs a file name")
		}
		return nil
	}
	const why = "--resume continues the run in %s, which fixes the program, its arguments and parameters, the " +
		"machine, the seed, --runs and --sample: leave out %s"
	if len(args) > 0 {
		return usagef(why, f.resume, strings.Join(args, " "))
	}
	for _, name := range fixed {
		if cmd.Flags().Changed(name) {
			return usagef(why, f.resume, "--"+name)
		}
	}
	return nil
}

// resumed returns the session of the checkpoint of --resume.
func (f *targetFlags) resumed(a *app, cmd *cobra.Command) (*run.Batch, error) {
	if err := run.CheckThreads(f.threads); err != nil {
		return nil, err
	}
	line := a.newPart("reading "+f.resume, 0)
	s, err := interrupt.Await(cmd.Context(), func() (*run.Batch, error) { return run.Resume(f.resume) })
	line.end()
	if err != nil {
		return nil, ended(cmd.Context(), err, "while %s was read", f.resume)
	}
	s.Share(f.threads)
	a.made.runs(s.Target, "", nil)
	if cmd.Flags().Changed("max-clocks") {
		s.Limit(f.maxClocks)
	}
	return s, nil
}

// begun returns a session whose run is in progress, at its start or where the checkpoint of --resume left it.
func (f *targetFlags) begun(a *app, cmd *cobra.Command, args []string) (*run.Batch, error) {
	if f.resume != "" {
		return f.resumed(a, cmd)
	}
	spec, err := f.runSpec(cmd, args)
	if err != nil {
		return nil, err
	}
	return a.beginRun(cmd, spec)
}

// beginRun loads a program and begins its run.
func (a *app) beginRun(cmd *cobra.Command, spec *run.Spec) (*run.Batch, error) {
	s, err := a.load(cmd, spec, run.Plan{Runs: 1, Window: 1}, true)
	if err != nil {
		return nil, err
	}
	return s, s.Begin()
}

// load loads the program onto the machine, and with boot also runs the init blocks. It returns an error if an output
// would replace a file that the program includes.
func (a *app) load(cmd *cobra.Command, spec *run.Spec, plan run.Plan, boot bool) (*run.Batch, error) {
	t, err := spec.Load(cmd.Context())
	if err == nil {
		err = spare(outputsOf(cmd), t.Sources)
	}
	if err == nil {
		a.made.runs(t, spec.Program, spec.Include)
	}
	if err == nil && boot {
		err = t.Boot(cmd.Context(), spec.MaxClocks)
	}
	if err != nil {
		return nil, err
	}
	plan.MaxClocks = spec.MaxClocks
	return run.New(t, plan), nil
}

// observe does a run and passes every event to the sink that open returns. It shows the progress.
func (a *app) observe(ctx context.Context, s *run.Batch, threads int,
	open func(from, end uint64) (trace.Sink, error),
) (*run.Answer, error) {
	line := a.newPart(s.Call(), 0) // the run is repeated with the sink, when its end is known
	defer func() { line.end() }()
	s.Progress = func(clock uint64, busy func() int) {
		line.clocks(clock, func() string { return plural.Of(busy(), "busy PE") })
	}
	return s.Trace(ctx, threads, func(from, end uint64) (trace.Sink, error) {
		line.end()
		line = a.newPart("watching "+s.Call(), int(end-s.Current.StartClock()))
		return open(from, end)
	})
}

// addProfileFlag adds the flag that writes a CPU profile of a command.
func addProfileFlag(cmd *cobra.Command) {
	file, work := "", cmd.RunE
	outFlag(cmd, &file, "profile", "write a CPU profile to this file, for 'go tool pprof'")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if file == "" {
			return work(cmd, args)
		}
		f, err := wholefile.Create(file)
		if err != nil {
			return usagef("--profile: %w", err)
		}
		defer f.Abort()
		if err := pprof.StartCPUProfile(f); err != nil {
			return usagef("cannot profile: %w", err)
		}
		err = work(cmd, args)
		pprof.StopCPUProfile()
		if err != nil {
			if _, status := classify(err); status == wrong {
				return err // an older profile stays
			}
		}
		if e := f.Commit(); e != nil {
			return errors.Join(err, usagef("--profile: %w", e))
		}
		return err
	}
}

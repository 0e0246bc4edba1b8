package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/omega"
	"emsim/packet"
	"emsim/programs"
)

// maxThreads bounds --threads.
const maxThreads = 64

// targetFlags are the flags of every command that runs a program on a
// machine.
type targetFlags struct {
	machineFlags
	programFlags
	seed      uint64
	maxClocks uint64
	threads   int
}

func (f *targetFlags) add(cmd *cobra.Command) {
	f.machineFlags.add(cmd)
	f.programFlags.add(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of random choices")
	cmd.Flags().Uint64Var(&f.maxClocks, "max-clocks", 0, "stop a run after so many clocks (0: no limit)")
	cmd.Flags().IntVar(&f.threads, "threads", 1, "threads that step the machine, 1..64; the state at every clock is the same for any number")
}

// target is a program on a machine, its init blocks done.
type target struct {
	name    string // of the program
	object  *asm.Object
	args    []int64  // as given
	words   []uint64 // as the host sends them
	machine string
	seed    uint64
	*em4.Machine
}

// build reads program and machine and runs the init blocks.
func (f *targetFlags) build(ctx context.Context, cmd *cobra.Command, args []string) (*target, error) {
	t, err := f.load(cmd, args)
	if err != nil {
		return nil, err
	}
	return t, f.boot(ctx, t)
}

// boot runs the init blocks.
func (f *targetFlags) boot(ctx context.Context, t *target) error {
	return bootError(t.located(t.Boot(ctx, f.bootLimit(t.PEs))))
}

// load reads program and machine.
func (f *targetFlags) load(cmd *cobra.Command, args []string) (*target, error) {
	t := &target{name: args[0], machine: f.name, seed: f.seed}
	if err := f.checkThreads(); err != nil {
		return nil, err
	}
	config, err := f.config(cmd)
	if err != nil {
		return nil, err
	}
	params, err := f.values(cmd)
	if err != nil {
		return nil, err
	}
	if t.object, err = loadProgram(t.name, params); err != nil {
		return nil, err
	}
	return t, t.make(config, args[1:])
}

func (f *targetFlags) checkThreads() error {
	if f.threads < 1 || f.threads > maxThreads {
		return usagef("--threads is %d, it must be 1..%d", f.threads, maxThreads)
	}
	return nil
}

// make builds the machine with the program, whose arguments it reads.
func (t *target) make(config em4.Config, args []string) error {
	topo, err := omega.ForPEs(config.PEs)
	if err != nil {
		return usageError{err}
	}
	if t.args, t.words, err = programArgs(t.name, t.object, packet.FormatFor(topo.K), args); err != nil {
		return err
	}
	program, err := programs.Load(t.object)
	if err != nil {
		return usagef("%s: %w", t.name, err)
	}
	if t.Machine, err = em4.New(config, program, t.seed); err != nil {
		return usagef("%s does not fit the machine: %w", t.name, err)
	}
	return nil
}

// bootLimit bounds the init blocks when the runs are bounded. They lie outside
// of the measured time and may build tables over all PEs, so that their bound
// is at least a million clocks and a hundred for each PE.
func (f *targetFlags) bootLimit(pes int) uint64 {
	if f.maxClocks == 0 {
		return 0
	}
	return max(f.maxClocks, 1_000_000+100*uint64(pes))
}

// bootError turns what stopped the init blocks into what the user can mend: a
// table that does not fit the memory is wrong usage, not a failed run.
func bootError(err error) error {
	var fault *emcr.Fault
	if errors.As(err, &fault) && (fault.Kind() == emcr.StructureOverflow || fault.Kind() == emcr.SegmentOverflow) {
		return usagef("the program's init block does not fit the memory of a PE: %w", err)
	}
	if errors.Is(err, context.Canceled) {
		return &interrupted{during: "the program's init blocks"}
	}
	return err
}

// interrupted is a run that the user stopped.
type interrupted struct {
	during string
	clock  uint64
}

func (e *interrupted) Error() string {
	if e.during != "" {
		return "interrupted during " + e.during
	}
	return fmt.Sprintf("interrupted after %d clocks", e.clock)
}

// Kind is the JSON error's kind.
func (e *interrupted) Kind() string { return "interrupted" }

// Details returns the further keys of the JSON error.
func (e *interrupted) Details() map[string]any { return map[string]any{"clock": e.clock} }

// interruptible returns a context that ends at Ctrl-C; a second Ctrl-C ends
// the process at once.
func interruptible(cmd *cobra.Command) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/input"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/threads"
	"emsim/omega"
	"emsim/packet"
	"emsim/programs"
	"emsim/trace"
)

// Target is a program on a machine.
type Target struct {
	Name        string // of the program; a file's is without its folder, so that results do not depend on it
	Object      *asm.Object
	Sources     []string // paths of the object's files; unknown after a checkpoint
	Args        []int64  // as given
	Words       []uint64 // as the host sends them
	MachineName string   // also without its folder
	Seed        uint64
	*em4.Machine

	plain func() (*asm.Object, error) // the program with default parameters; nil after a checkpoint
}

// Load reads the program and builds the machine. It does not run the init blocks.
func (s *Spec) Load(ctx context.Context) (*Target, error) {
	t, err := interrupt.Await(ctx, s.loadTarget)
	if interrupt.Ended(err) {
		return nil, interrupt.Of(ctx, "while the program %s and the machine were made", s.Program)
	}
	return t, err
}

func (s *Spec) loadTarget() (*Target, error) {
	t := &Target{Name: s.Program, MachineName: s.Machine.Name, Seed: s.Seed}
	t.plain = func() (*asm.Object, error) { return LoadProgram(s.Program, nil, s.Include...) }
	if err := CheckThreads(s.Threads); err != nil {
		return nil, err
	}
	config, err := s.Config()
	if err != nil {
		return nil, err
	}
	if t.Object, err = s.LoadProgram(); err != nil {
		return nil, err
	}
	t.nameFiles(s)
	if err := t.buildWithArgs(config, s.Args); err != nil {
		return t, err
	}
	t.Share(s.Threads)
	return t, nil
}

// nameFiles removes the folders from the names of program, machine and sources, so that no result depends on them.
func (t *Target) nameFiles(s *Spec) {
	if base := strings.Join(lists.Of(strings.Split(t.Name, ".go "), filepath.Base),
		".go "); !programs.Known(base) { // names of several files
		t.Name = base
	}
	if base := filepath.Base(t.MachineName); !machinefile.BuiltIn(base) {
		t.MachineName = base
	}
	t.Sources = slices.Clone(t.Object.Files)
	own := slices.Contains(t.Sources,
		s.Program) // otherwise it is built in, or an object whose source names are arbitrary
	folders, policy := append([]string{filepath.Dir(s.Program)}, s.Include...), s.Params["policy"]
	for i, file := range t.Sources {
		_, shipped := programs.Source(file)
		switch {
		case strings.HasPrefix(file, asm.LibraryFolder):
		case programs.IsPolicyFile(policy) &&
			(file == path.Clean(filepath.ToSlash(policy)) || programs.Known(s.Program) && !shipped):
			t.Object.Files[i] = Relative(file, []string{filepath.Dir(policy)})
		case own:
			t.Object.Files[i] = Relative(file, folders)
		}
	}
}

// Relative returns a file's name relative to the first of the folders that contains it, or its base name.
func Relative(name string, folders []string) string {
	for _, dir := range folders {
		if rest, err := filepath.Rel(dir, filepath.FromSlash(name)); err == nil && !strings.HasPrefix(rest, "..") {
			return filepath.ToSlash(rest)
		}
	}
	return path.Base(name)
}

// SourceFile returns the path of a file of the object.
func (t *Target) SourceFile(name string) string {
	if i := slices.Index(t.Object.Files, name); i >= 0 && i < len(t.Sources) {
		return t.Sources[i]
	}
	return name
}

// SourceText returns the text of a file of the object, or "" if it cannot be read.
func (t *Target) SourceText(file string) string {
	name, ofLibrary := strings.CutPrefix(file, asm.LibraryFolder)
	if text, ok := programs.Source(name); ok && (ofLibrary || programs.Known(t.Name)) {
		return text
	}
	text, _ := (input.Want{What: "assembly text", Most: 1 << 20}).Read(t.SourceFile(file))
	return string(text)
}

// Share divides the work of every clock among n threads; 0 means auto: the number that proves fastest. The state at
// every clock does not depend on n.
func (t *Target) Share(n int) {
	t.SetThreads(max(1, n))
	if n == 0 {
		t.Choose(threads.New(t.Config().PEs))
	}
}

// Build does the work of Load and Boot.
func (s *Spec) Build(ctx context.Context) (*Target, error) {
	t, err := s.Load(ctx)
	if err != nil {
		return nil, err
	}
	return t, t.Boot(ctx, s.MaxClocks)
}

// CheckThreads rejects a number of threads that is out of range; 0 means auto.
func CheckThreads(n int) error {
	if n < 0 || n > threads.Most {
		return simerr.Usagef("--threads is %d, it must be 1..%d (more only wait for each other), or auto", n,
			threads.Most)
	}
	return nil
}

// buildWithArgs parses the program's arguments and builds the machine.
func (t *Target) buildWithArgs(config em4.Config, args []string) error {
	if err := t.readArgs(config.PEs, args); err != nil {
		return err
	}
	return t.build(config)
}

// readArgs parses and sets the arguments of the following runs, on a machine of pes PEs.
func (t *Target) readArgs(pes int, args []string) error {
	topo, err := omega.ForPEs(pes)
	if err != nil {
		return &simerr.Usage{Err: err}
	}
	values, words, err := programArgs(t.Name, t.Object, packet.FormatFor(topo.K), args)
	if err == nil {
		t.Args, t.Words = values, words
	}
	return err
}

func (t *Target) build(config em4.Config) error {
	if err := needs(config.PEs, "a machine", 1); err != nil {
		return err
	}
	program, err := programs.Load(t.Object)
	if err != nil {
		return simerr.Usagef("%s: %w", t.Name, err)
	}
	if t.Machine, err = em4.New(config, program, t.Seed); err != nil {
		return simerr.Usagef("%s does not fit the machine: %w", t.Name, err)
	}
	return nil
}

// CheckMemory returns an error if there is no memory for the given number of additional machines like this one.
func (t *Target) CheckMemory(what string, machines uint64) error {
	return needs(t.Config().PEs, what, machines)
}

func needs(pes int, what string, machines uint64) error {
	return memlimit.Check(fmt.Sprintf("%s of %d PEs", what, pes), machines*memlimit.EM4Bytes(pes))
}

// Fresh returns the same program on a new machine of the same configuration. It returns an error if memory does not
// suffice for a second machine.
func (t *Target) Fresh() (*Target, error) {
	n := *t
	return &n, n.build(t.Config())
}

// Boot runs the init blocks, which are not part of the measured time, for at most maxClocks; 0 means no limit.
func (t *Target) Boot(ctx context.Context, maxClocks uint64) error {
	begin := t.Clock()
	err := t.Machine.Boot(ctx, maxClocks)
	if interrupt.Ended(err) {
		return t.interrupted(ctx, "init", t.Clock()-begin)
	}
	return bootError(t.Located(err))
}

// bootError makes an error of the init blocks a usage error if the user can correct it. A table that does not fit the
// memory is wrong usage, not a failed run.
func bootError(err error) error {
	var fault *emcr.Fault
	if errors.As(err, &fault) && (fault.Kind() == emcr.StructureOverflow || fault.Kind() == emcr.SegmentOverflow) {
		return simerr.Usagef("the program's init block does not fit the memory of a PE: %w", err)
	}
	return err
}

// explained is the largest number of items in a list of an error.
const explained = 20

// Interrupted is the error of a run that the user stopped. The run can continue.
type Interrupted struct {
	By       *interrupt.Error
	em4.Hang // busy units and waits; its clocks count from the start of the run or of the init blocks
}

// interrupted returns the error for a run that ctx has ended.
func (t *Target) interrupted(ctx context.Context, what string, clock uint64) error {
	x := &Interrupted{interrupt.Of(ctx, "after %s (%s)", plural.Of(clock, "clock"), what), t.Explain(explained)}
	x.Clock = clock
	return t.Located(x)
}

// Error returns what interrupted the run, and what the machine was doing.
func (e *Interrupted) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("%v\n%v", e.By, e.SoFar()), "\n")
}

// Unwrap returns the interruption.
func (e *Interrupted) Unwrap() error { return e.By }

// Kind returns the JSON error's kind.
func (e *Interrupted) Kind() string { return e.By.Kind() }

// Details returns the further keys of the JSON error.
func (e *Interrupted) Details() map[string]any {
	all := e.Hang.Details()
	maps.Copy(all, e.By.Details())
	return all
}

// Build puts an assembled program on a machine, for callers that set the arguments later with SetArgs. It does not run
// the init blocks.
func Build(name string, o *asm.Object, c em4.Config, seed uint64) (*Target, error) {
	t := &Target{Name: name, Object: o, MachineName: prototype, Seed: seed}
	if err := c.Validate(); err != nil {
		return nil, &simerr.Usage{Err: err}
	}
	return t, t.build(c)
}

// ReadArgs parses the arguments of a program for a machine of pes PEs. The argument name is the program's name in
// errors, which are for the user.
func ReadArgs(name string, o *asm.Object, pes int, args []string) ([]int64, error) {
	t := &Target{Name: name, Object: o}
	err := t.readArgs(pes, args)
	return t.Args, err
}

// SetArgs sets the arguments of the following runs.
func (t *Target) SetArgs(args []int64) error {
	texts := lists.Of(args, func(v int64) string { return strconv.FormatInt(v, 10) })
	return t.GiveText(texts)
}

// GiveText works like SetArgs, for arguments in the form that users write.
func (t *Target) GiveText(args []string) error { return t.readArgs(t.Config().PEs, args) }

// TraceInfo returns the description of machine and program that a sink needs to record the chosen PEs from a clock on.
func (t *Target) TraceInfo(title string, chosen []int, from uint64) trace.Info {
	info := trace.Info{
		Title: title, PEs: make([]packet.PE, t.Config().PEs), Traced: chosen, From: from,
		Where: t.Object.CodeName, Instr: t.Object.Instructions(),
	}
	for i := range info.PEs {
		info.PEs[i] = t.Net.Address(i)
	}
	return info
}

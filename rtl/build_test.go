package rtl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// verilator is the name of the program. Tests that need it call needs.Verilator.
const verilator = "verilator"

// ErrNoVerilator is the error if Verilator is not installed.
var ErrNoVerilator = errors.New("verilator is not installed; on Debian and Ubuntu: apt-get install verilator g++ make")

// UnderTest returns the sources to compare with the model: those in the folder named by SourcesEnv, or the embedded
// ones.
func UnderTest() (Sources, error) {
	dir := os.Getenv(SourcesEnv)
	if dir == "" {
		return Embedded(), nil
	}
	return readSources(os.DirFS(dir))
}

// Target is a simulation that can be built.
type Target struct {
	Top      string // name of the top module
	Main     string // program around the module, in the folder sim
	Networks int    // k of the largest network whose links the simulation needs
	Flags    []string
}

// The simulations of the tests.
var (
	MachineTarget = Target{Top: "pe", Main: "machine.cpp", Networks: 4}
	SwitchTarget  = Target{Top: "switch_node", Main: "switches.cpp", Networks: 4}
	WholeTarget   = Target{
		Top: "machine", Main: "machine.cpp",
		Flags: []string{"-GK=2", "-CFLAGS", "-DWHOLE"},
	} // twelve PEs in one Verilator model
)

// WavesEnv is an environment variable: a file to which the simulation of a machine writes the waveforms of all signals
// of PE [0,0].
const WavesEnv = "EMSIM_RTL_WAVES"

// Build builds a simulation with Verilator, and returns the path of the program. It builds only if the sources or
// Verilator have changed. cache is the folder in which programs are kept.
func (s Sources) Build(ctx context.Context, t Target, cache string) (string, error) {
	version, err := exec.CommandContext(ctx, verilator, "--version").Output()
	if err != nil {
		return "", ErrNoVerilator
	}
	h, waves := sha256.New(), os.Getenv(WavesEnv) != ""
	fmt.Fprintf(h, "%s\n%+v %t\n", version, t, waves)
	for _, name := range s.names() {
		fmt.Fprintf(h, "%s %d\n%s", name, len(s[name]), s[name])
	}
	dir := filepath.Join(cache, hex.EncodeToString(h.Sum(nil)[:12]))
	exe := filepath.Join(dir, "chips")
	if _, err := os.Stat(exe); err == nil {
		return exe, nil
	}
	work := dir + fmt.Sprintf(".%d", os.Getpid())
	defer os.RemoveAll(work)
	if err := s.Write(work); err != nil {
		return "", err
	}
	run := func(args ...string) error {
		cmd := exec.CommandContext(ctx, verilator, append([]string{
			"--cc", "--build", "-O3", "--x-assign", "unique", "--x-initial", "unique", "--assert", "-Wno-fatal",
			"-MAKEFLAGS", "OPT_FAST=-O2 OPT_GLOBAL=-O2", "-j", "2",
		}, args...)...)
		cmd.Dir = work
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("verilator cannot build %s: %w\n%s", t.Top, err, outputEnd(out))
		}
		return nil
	}
	args := []string{
		"--exe", "--top-module", t.Top, "-Mdir", "obj", "-o", "../chips", "-CFLAGS",
		"-I.. -I../sim", filepath.Join("sim", t.Main),
	}
	for k := 1; k <= t.Networks; k++ {
		links := fmt.Sprintf("Vlinks%d", k)
		if err := run("--prefix", links, "-Mdir", links, "--top-module", "links", fmt.Sprintf("-GK=%d", k),
			"links.sv"); err != nil {
			return "", err
		}
		args = append(args, filepath.Join("..", links, links+"__ALL.a"))
	}
	if waves {
		args = append(args, "--trace", "-CFLAGS", "-DWAVES")
	}
	if err := run(slices.Concat(args, t.Flags, s.Modules())...); err != nil {
		return "", err
	}
	if err := os.Rename(work, dir); err != nil {
		if _, there := os.Stat(exe); there != nil { // unless another process was faster
			return "", err
		}
	}
	return exe, nil
}

// Lint checks a module, and all modules below it, with Verilator. flags may set parameters. The error contains the
// warnings.
func (s Sources) Lint(ctx context.Context, top string, flags ...string) error {
	dir, err := os.MkdirTemp("", "emsim-rtl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := s.Write(dir); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, verilator,
		slices.Concat([]string{"--lint-only", "-Wall", "--top-module", top}, flags, s.Modules())...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("verilator --lint-only -Wall, %s: %w\n%s", top, err, outputEnd(out))
	}
	return nil
}

// outputEnd returns the output, or its end if it is long.
func outputEnd(out []byte) string {
	const most = 3000
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return string(out)
}

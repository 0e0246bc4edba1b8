// Command waves writes waveforms of a program: the registers of one PE in the
// model and in the chip side by side, and all signals inside the chip.
//
//	go run ./rtl/waves [-pes 12] [-pe 0] [-o waves] PROGRAM [ARG...]
//
// PROGRAM is one of the programs of 'emsim run --help' or a file of assembly text, NAME.s.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/wholefile"
	"emsim/programs"
	"emsim/rtl"
)

func main() {
	pes := flag.Int("pes", 12, "PEs of the machine: 4, 12, 32, 80 ...")
	pe := flag.Int("pe", 0, "number of the PE to look at")
	dir := flag.String("o", "waves", "folder for model-and-chip.vcd and chip.vcd")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *pes, *pe, *dir, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "waves: %v\n", err)
		os.Exit(1)
	}
}

// run runs a program on both machines and writes the two files to dir.
func run(ctx context.Context, w io.Writer, pes, pe int, dir string, args []string) error {
	if len(args) == 0 {
		return errors.New("which program? for example: go run ./rtl/waves fib 5")
	}
	p, err := load(args[0])
	if err != nil {
		return err
	}
	r := rtl.Run{Config: em4.Small12(), Program: p, Seed: 1}
	r.Config.PEs = pes
	for _, a := range args[1:] {
		v, err := strconv.ParseUint(a, 0, 64)
		if err != nil {
			return fmt.Errorf("argument %q is not a number", a)
		}
		r.Args = append(r.Args, v)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	exe, err := rtl.Embedded().Build(ctx, rtl.WavesTarget, filepath.Join(cache, "emsim", "rtl"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	both, chip := filepath.Join(dir, "model-and-chip.vcd"), filepath.Join(dir, "chip.vcd")
	f, err := wholefile.Create(both)
	if err != nil {
		return err
	}
	clocks, err := r.Waves(ctx, exe, pe, f, chip)
	if err != nil {
		f.Abort()
		return err
	}
	if err := f.Commit(); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d clocks of PE %d: %s (registers of model and chip), %s (everything inside the chip); look at them with gtkwave or surfer\n", clocks, pe, both, chip)
	return nil
}

func load(name string) (em4.Program, error) {
	if !strings.HasSuffix(name, ".s") {
		o, err := programs.Assemble(name, nil)
		if err != nil {
			return em4.Program{}, err
		}
		return programs.Load(o)
	}
	o, err := asm.Load(name, asm.Options{Open: os.ReadFile})
	if err != nil {
		return em4.Program{}, err
	}
	return programs.Load(o)
}

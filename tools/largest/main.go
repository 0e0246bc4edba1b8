// Command largest finds the largest argument with which each program runs under each policy, and writes a table.
//
//	go -C tools run ./largest > docs/policies/largest.csv
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// The machine and the limits of the search [chosen].
const (
	pes       = 80
	mostTime  = 1_000_000 // limit for the clocks of a run
	oneByOne  = 100       // up to here every argument is a candidate; above, only arguments with two significant digits
	largestOf = 1 << 30   // largest argument of a program that states no range
)

func main() {
	err := os.Chdir("..") // from tools to the repository
	if err == nil {
		err = write(context.Background(), os.Stdout, programsOfTheTree())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// programsOfTheTree returns the built-in programs and the program files in the repository.
func programsOfTheTree() []string {
	list := programs.Names()
	for _, pattern := range []string{
		"programs/go/*/*.go", "docs/sweeps/policies/depth/*.go",
		"internal/machine/exercise/library/*-right.s",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			panic(err) // only for a bad pattern above
		}
		list = append(list, files...)
	}
	return list
}

// write writes a line for each program with one argument and each policy: the largest argument, and what stopped the
// next candidate. If the program runs with no argument, the line has the number before its least one.
func write(ctx context.Context, out *os.File, list []string) error {
	w := csv.NewWriter(out)
	if err := w.Write([]string{"program", "policy", "largest", "stops_next"}); err != nil {
		return err
	}
	for _, program := range list {
		o, err := run.LoadProgram(program, nil)
		if err != nil {
			return err
		}
		if len(o.Args) != 1 || o.Chosen()["policy"] == "" {
			continue
		}
		for _, policy := range programs.Policies() {
			n, why, err := largest(o.Args[0].Min, min(o.Args[0].Max, largestOf), func(n int64) (string, error) {
				return outcome(ctx, program, policy, n)
			})
			if err != nil {
				return fmt.Errorf("%s, %s: %w", program, policy, err)
			}
			if err := w.Write([]string{program, policy, strconv.FormatInt(n, 10), why}); err != nil {
				return err
			}
			w.Flush()
		}
	}
	return w.Error()
}

// largest returns the largest candidate from least to most for which try returns no reason, and the reason for the next
// one. The reason is "range" if there is no next candidate.
func largest(least, most int64, try func(n int64) (string, error)) (n int64, why string, err error) {
	good, bad := least-1, most+1
	why = "range"
	for step := int64(1); next(good) < bad; {
		n := next(good)
		if why == "range" { // nothing has failed yet: double the step
			n = min(rounded(max(n, good+step)), most)
			step *= 2
		} else if half := rounded((good + bad) / 2); half > good {
			n = half
		}
		reason, err := try(n)
		if err != nil {
			return 0, "", err
		}
		if reason == "" {
			good = n
		} else {
			bad, why = n, reason
		}
	}
	return good, why, nil
}

// next returns the candidate after n.
func next(n int64) int64 { return rounded(n) + unit(n) }

// rounded returns the largest candidate up to n.
func rounded(n int64) int64 { return n / unit(n) * unit(n) }

// unit returns the distance between candidates of the size of n.
func unit(n int64) int64 {
	u := int64(1)
	for n/u >= oneByOne {
		u *= 10
	}
	return u
}

// outcome runs a program and returns what stopped it, or "".
func outcome(ctx context.Context, program, policy string, n int64) (string, error) {
	count := pes
	s := &run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &count}, Program: program, Args: []string{strconv.FormatInt(n, 10)},
		Params: map[string]string{"policy": policy}, Seed: 1, MaxClocks: mostTime, Threads: 1,
	}
	t, err := s.Build(ctx)
	if err != nil {
		return stop(err)
	}
	b := run.New(t, run.Plan{Runs: 1, MaxClocks: mostTime})
	if err := b.Begin(); err != nil {
		return stop(err)
	}
	return stop(b.Advance(ctx, em4.ToEnd))
}

// stop returns the kind of the fault or limit that stopped a run, or "" if nothing did. It returns any other error as
// an error.
func stop(err error) (string, error) {
	var fault *emcr.Fault
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &fault):
		return fault.Kind(), nil
	case simerr.Kind(err) == simerr.KindMaxClocks:
		return simerr.KindMaxClocks, nil
	}
	return "", err
}

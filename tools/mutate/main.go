// Command mutate checks for each package whether its own tests would notice a mistake. It changes one place of a
// package at a time (a comparison, a constant, an omitted statement), runs the package's tests against the changed
// copy, and counts the mutants that the tests kill.
//
//	go -C tools run ./mutate                          # a sample of every package
//	go -C tools run ./mutate -n 12 -seed 7 omega emcr # of these packages
//	go -C tools run ./mutate -n 4 rtl/ibu.sv          # a SystemVerilog file: Verilator is slow
//	go -C tools run ./mutate -proofs -n 10 rtl/fmu.sv # the same by proofs alone
//
// The files of the repository are never changed: the compiler gets the changed copy as an overlay. docs/MUTATION.md has
// the results.
//
//	main.go        flags, samples, the table
//	points.go      the places of a file that can be changed, and how
//	hardware.go    the same for SystemVerilog
//	package.go     a package, its test binary, its coverage; the test of a mutant
//	own_*.go       limits of a test run: its child processes, and its memory
//	equivalent.txt mutants that no test can kill, and why
package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// goal is the percentage of its mutants that a package's own tests should kill.
const goal = 85

// most is the memory limit, in bytes, of this process and of each child process. A mutant that exceeds it fails, and so
// is killed.
const most = 4 << 30

// options holds the flags of the command.
type options struct {
	n    int
	seed uint64
	jobs int

	proofs bool // for SystemVerilog, run only the proofs

	try func(p *pkg, ctx context.Context, temp string, m *point) (string, error) // pkg.tryMutant, except in tests
}

func main() {
	o := options{try: (*pkg).tryMutant}
	flag.IntVar(&o.n, "n", 0, "mutants a package (0: one in 25 of its points, 10 to 24)")
	flag.Uint64Var(&o.seed, "seed", 1, "another seed takes another sample")
	flag.IntVar(&o.jobs, "j", runtime.NumCPU(), "mutants tried at a time")
	flag.BoolVar(&o.proofs, "proofs", false,
		"of SystemVerilog: kill by proofs alone, without a comparison with the model")
	flag.Parse()
	if err := os.Chdir(".."); err != nil { // from tools to the repository
		fmt.Fprintf(os.Stderr, "mutate: %v\n", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.trySamples(ctx, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "mutate: %v\n", err)
		os.Exit(1)
	}
}

// trySamples tries the samples of the chosen packages.
func (o *options) trySamples(ctx context.Context, args []string) error {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("no module here: %w", err)
	}
	list, err := packagesAndModules(ctx, strings.TrimSpace(string(root)), args)
	if err != nil {
		return err
	}
	same, err := equivalents(equivalentText)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	all := row{name: "all", verdicts: map[string]int{}}
	low, failed := 0, 0
	for _, p := range list {
		p.proofs = o.proofs && p.chip != nil
		r, err := o.sample(ctx, p, temp, same)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // the other packages are tried anyway
			fmt.Println(err)
			failed++
			continue
		}
		for verdict, n := range r.verdicts {
			all.verdicts[verdict] += n
		}
		if r.share() < goal {
			low++
		}
		fmt.Println(r)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d packages could not be tried", failed, len(list))
	}
	fmt.Println(all)
	if low > 0 {
		return fmt.Errorf("%d of %d packages kill less than %d %% of their mutants", low, len(list), goal)
	}
	return nil
}

// sample tries mutants of one package until enough have a verdict. It works in a new folder inside all. It prints each
// mutant that no test kills or reaches, with the key to use for it in equivalent.txt.
func (o *options) sample(ctx context.Context, p *pkg, all string, same map[string]bool) (row, error) {
	r := row{name: p.Name, verdicts: map[string]int{}}
	n := cmp.Or(o.n, min(max(len(p.points)/25, 10), 24))
	temp, err := os.MkdirTemp(all, "")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(temp)
	queue := order(p.Name, p.points, o.seed)
	// Mutants are tried in rounds. Mutants that do not compile, or that no test can kill, are replaced by others.
	for r.tried() < n && len(queue) > 0 {
		now := queue[:min(n-r.tried(), len(queue))]
		queue = queue[len(now):]
		verdicts, err := o.round(ctx, p, temp, now, same)
		if err != nil {
			return r, err
		}
		for i, v := range verdicts {
			r.verdicts[v]++
			if v == survived || v == unreached {
				where := strings.TrimSuffix(p.Name, "/"+now[i].File) // a module is a package of its own
				fmt.Printf("%s/%s:%d: %s\n\t%s %s\n", where, now[i].File, now[i].Line, v, p.Name, now[i].identity())
			}
		}
	}
	if p.proofs {
		r.cpu = time.Duration(p.used.Load())
	}
	if r.tried() == 0 && r.verdicts[invalid] > 0 {
		return r, fmt.Errorf("%s: none of %d mutants compiles", p.Name, r.verdicts[invalid])
	}
	return r, nil
}

// round tries several mutants in parallel and returns their verdicts in order.
func (o *options) round(ctx context.Context, p *pkg, temp string, points []point, same map[string]bool) ([]string,
	error,
) {
	boundMemory()
	out, errs := make([]string, len(points)), make([]error, len(points))
	var wg sync.WaitGroup
	slots := make(chan struct{}, max(o.jobs, 1))
	for i := range points {
		if same[p.Name+" "+points[i].identity()] {
			out[i] = equivalent
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			out[i], errs[i] = o.try(p, ctx, temp, &points[i])
		})
	}
	wg.Wait()
	return out, cmp.Or(errs...)
}

// order shuffles points by a hash of their names and the seed, so that an edit
// changes only the edited points of the sample.
func order(pkg string, points []point, seed uint64) []point {
	rank := func(p point) string {
		h := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", seed, pkg, p.identity()))
		return string(h[:])
	}
	out := slices.Clone(points)
	slices.SortFunc(out, func(a, b point) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// A row is the result of one package.
type row struct {
	name     string
	verdicts map[string]int
	cpu      time.Duration // of the proofs; 0 if other tests were run too
}

func (r row) tried() int { return r.verdicts[killed] + r.verdicts[survived] + r.verdicts[unreached] }

// share returns the percentage of killed mutants.
func (r row) share() int {
	if r.tried() == 0 {
		return 100
	}
	return 100 * r.verdicts[killed] / r.tried()
}

func (r row) String() string {
	text := fmt.Sprintf("%-28s %3d %% killed: %d of %d, %d not reached, %d equivalent left out",
		r.name, r.share(), r.verdicts[killed], r.tried(), r.verdicts[unreached], r.verdicts[equivalent])
	if r.cpu > 0 {
		text += fmt.Sprintf(", %.0f s of CPU", r.cpu.Seconds())
	}
	return text
}

//go:embed equivalent.txt
var equivalentText string

// equivalents parses the list of mutants that no test can kill. Each line with package and key is followed by a line
// that begins with a tab and gives the reason.
func equivalents(text string) (map[string]bool, error) {
	same, last := map[string]bool{}, ""
	for line := range strings.Lines(text + "\n#") {
		line = strings.TrimSuffix(line, "\n")
		if reason := strings.HasPrefix(line, "\t"); reason != (last != "") {
			return nil, fmt.Errorf("equivalent.txt: %q, %q: a mutant is followed by its reason", last, line)
		} else if reason {
			same[last], last = true, ""
		} else if line != "" && line[0] != '#' {
			last = line
		}
	}
	return same, nil
}

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// options are the flags of the command.
type options struct {
	n     int
	seed  uint64
	jobs  int
	store string
	since string
	table string
	all   bool
	keys  bool
	root  string
}

// register adds the flags to a set.
func (o *options) register(f *flag.FlagSet) {
	f.IntVar(&o.n, "n", 0, "mutants a package (0: one in 25 of its points, 10 to 24)")
	f.Uint64Var(&o.seed, "seed", 1, "another seed takes another sample")
	f.IntVar(&o.jobs, "j", runtime.NumCPU(), "mutants tried at a time")
	f.StringVar(&o.store, "store", ".mutants", "folder that keeps the verdicts")
	f.StringVar(&o.since, "since", "", "only packages with files changed since this revision")
	f.StringVar(&o.table, "table", "", "write the table of all packages chosen to this file")
	f.BoolVar(&o.all, "all", false, "list killed mutants too")
	f.BoolVar(&o.keys, "keys", false, "print the keys of mutants that live, for equivalent.txt")
}

func main() {
	var o options
	o.register(flag.CommandLine)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "mutate: %v\n", err)
		os.Exit(1)
	}
}

// run tries the samples of the chosen packages.
func (o *options) run(ctx context.Context, args []string) error {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("no module here: %w", err)
	}
	o.root = strings.TrimSpace(string(root))
	patterns, err := o.patterns(ctx, args)
	if err != nil || len(patterns) == 0 {
		return err
	}
	list, err := packages(ctx, o.root, patterns)
	if err != nil {
		return err
	}
	same, err := equivalents()
	if err != nil {
		return err
	}
	var rows []row
	low, failed := 0, 0
	for _, p := range list {
		r, err := o.sample(ctx, p, same)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // the other packages are tried all the same
			fmt.Println(err)
			failed++
			continue
		}
		rows = append(rows, r)
		if r.share() < goal {
			low++
		}
		fmt.Println(r)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d packages could not be tried", failed, len(list))
	}
	if o.table != "" {
		if err := os.WriteFile(o.path(o.table), page(rows, same, o.seed), 0o666); err != nil {
			return err
		}
	}
	total := sum(rows)
	fmt.Println(total)
	if low > 0 {
		return fmt.Errorf("%d of %d packages kill less than %d %% of their mutants", low, len(rows), goal)
	}
	return nil
}

// path returns a file or folder that was given, relative to the repository's
// root unless it is absolute.
func (o *options) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(o.root, name)
}

// patterns turns arguments and -since into arguments of go list.
func (o *options) patterns(ctx context.Context, args []string) ([]string, error) {
	var out []string
	for _, a := range args {
		out = append(out, "./"+strings.TrimPrefix(a, "./"))
	}
	if o.since == "" && len(out) == 0 {
		return []string{"./..."}, nil
	}
	if o.since == "" {
		return out, nil
	}
	cmd := exec.CommandContext(ctx, "git", "diff", "--name-only", o.since, "--", "*.go")
	cmd.Dir, cmd.Stderr = o.root, os.Stderr
	files, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w", o.since, err)
	}
	for _, f := range strings.Fields(string(files)) {
		dir := "./" + filepath.Dir(f)
		if strings.HasPrefix(f, "tools/") || strings.HasSuffix(f, "_test.go") || slices.Contains(out, dir) || !hasGo(filepath.Join(o.root, dir)) {
			continue
		}
		out = append(out, dir)
	}
	return out, nil
}

// sample tries mutants of one package until the wanted number have a verdict.
func (o *options) sample(ctx context.Context, p *pkg, same map[string]string) (row, error) {
	r := row{Package: p.Name, Points: len(p.points)}
	s, err := openStore(o.path(o.store), p)
	if err != nil {
		return r, err
	}
	n := o.n
	if n == 0 {
		n = sampleSize(len(p.points))
	}
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(temp)
	t := &trial{p: p, s: s, temp: temp, same: same}
	queue := order(p.Name, p.points, o.seed)
	// Mutants are tried in rounds: those that do not compile, and those that
	// no test can kill, are replaced by others.
	for at := 0; r.Tried < n && at < len(queue); {
		round := queue[at:min(at+n-r.Tried, len(queue))]
		at += len(round)
		verdicts, err := t.round(ctx, round, o.jobs)
		if err != nil {
			return r, err
		}
		for i, v := range verdicts {
			r.count(v)
			o.show(p, &round[i], v)
			if v.lives() {
				r.Left = append(r.Left, fmt.Sprintf("%s:%d `%s` → `%s`", round[i].File, round[i].Line, round[i].Old, round[i].New))
			}
		}
	}
	return r, nil
}

// show prints a surviving mutant, or any mutant with -all.
func (o *options) show(p *pkg, m *point, v result) {
	switch {
	case o.keys && v.lives():
		fmt.Printf("%s %s\n", p.Name, m.key())
	case o.all || v.lives():
		fmt.Printf("%s/%s:%d: %s in %s: %s %s\n\t- %s\n\t+ %s\n", p.Name, m.File, m.Line, m.Kind, m.Func, v.Verdict, v.By, m.Old, m.New)
	}
}

// A trial is the trial of one package.
type trial struct {
	p        *pkg
	s        *store
	temp     string
	same     map[string]string
	measured bool
}

// round tries several mutants at a time and returns their verdicts in order.
func (t *trial) round(ctx context.Context, points []point, jobs int) ([]result, error) {
	out := make([]result, len(points))
	var todo []int
	for i := range points {
		key := points[i].key()
		if _, ok := t.same[t.p.Name+" "+key]; ok {
			out[i] = result{Verdict: equivalent}
		} else if old, ok := t.s.get(key); ok {
			out[i] = old
		} else {
			todo = append(todo, i)
		}
	}
	if len(todo) > 0 && !t.measured {
		if err := t.p.measure(ctx, t.temp); err != nil {
			return nil, err
		}
		t.measured = true
	}
	var wg sync.WaitGroup
	errs := make([]error, len(points))
	slots := make(chan struct{}, max(jobs, 1))
	for _, i := range todo {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			m := &points[i]
			verdict, by, err := t.p.try(ctx, t.temp, m)
			if errs[i] = err; err != nil {
				return
			}
			out[i] = result{Hash: t.p.hash, Key: m.key(), Line: m.Line, Verdict: verdict, By: by}
			errs[i] = t.s.put(out[i])
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

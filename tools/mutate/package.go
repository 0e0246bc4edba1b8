package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/tools/cover"
)

// A pkg is one package of the repository.
type pkg struct {
	Dir                                   string   // absolute path
	ImportPath                            string   // such as emsim/omega
	Name                                  string   // such as omega
	GoFiles                               []string // without tests
	TestGoFiles, XTestGoFiles, EmbedFiles []string

	root    string
	points  []point
	src     map[string][]byte
	base    time.Duration // duration of the unchanged tests
	covered func(file string, line int) bool
	once    sync.Once // for measure
	unfit   error     // the error of measure

	chip   *chipTests   // set if the package is a SystemVerilog file
	proofs bool         // only the proofs may kill its mutants
	used   atomic.Int64 // CPU time of the tests of its mutants, in nanoseconds
}

// packages returns the matching packages that have code, sorted by path.
func packages(ctx context.Context, root string, patterns []string) ([]*pkg, error) {
	args := []string{"list", "-json=Dir,ImportPath,GoFiles,TestGoFiles,XTestGoFiles"}
	cmd := exec.CommandContext(ctx, "go", append(args, patterns...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var list []*pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		p := &pkg{root: root, src: map[string][]byte{}}
		if err := dec.Decode(p); err != nil {
			return nil, err
		}
		p.Name = strings.TrimPrefix(p.ImportPath, "emsim/")
		if err := p.findPoints(); err != nil {
			return nil, err
		}
		if len(p.points) > 0 {
			list = append(list, p)
		}
	}
	return list, nil
}

// findPoints collects the points of the package.
func (p *pkg) findPoints() error {
	slices.Sort(p.GoFiles)
	for _, name := range p.GoFiles {
		src, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		points, err := pointsOf(name, src)
		if err != nil {
			return err
		}
		p.src[name], p.points = src, append(p.points, points...)
	}
	return nil
}

// measure runs the tests of the unchanged package, which must pass. It records their duration, which limits the tests
// of mutants, and their coverage.
func (p *pkg) measure(ctx context.Context, temp string) error {
	if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
		p.covered = func(string, int) bool { return false }
		return nil
	}
	bin, profile := filepath.Join(temp, "base.test"), filepath.Join(temp, "cover.out")
	if out, err := p.compile(ctx, bin, "-cover", "-covermode=set", "-coverpkg="+p.ImportPath); err != nil {
		return fmt.Errorf("%s: the tests do not compile: %w\n%s", p.Name, err, out)
	}
	begin := time.Now()
	if out, err := p.runTests(ctx, bin, time.Hour, nil, "-test.coverprofile="+profile); err != nil {
		return fmt.Errorf("%s: the tests fail without any change: %w\n%s", p.Name, err, out)
	}
	p.base = time.Since(begin)
	return p.coverage(profile)
}

// compile builds the package's test binary.
func (p *pkg) compile(ctx context.Context, bin string, flags ...string) ([]byte, error) {
	args := append([]string{"test", "-c", "-vet=off", "-o", bin}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, p.ImportPath)...)
	cmd.Dir = p.root
	return cmd.CombinedOutput()
}

// runTests runs a test binary and its child processes in the package's folder.
func (p *pkg) runTests(ctx context.Context, bin string, limit time.Duration, env []string, flags ...string) ([]byte,
	error,
) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, append([]string{"-test.failfast", "-test.timeout=0"}, flags...)...)
	cmd.Dir = p.Dir
	// Without this folder, a child process that was built for coverage would print a warning to standard error.
	cmd.Env = append(append(os.Environ(), "GOCOVERDIR="+filepath.Dir(bin)), env...)
	boundChildren(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState != nil {
		p.used.Add(int64(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()))
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), err
}

// coverage reads which lines of which files some test reaches. Lines outside all blocks, such as declarations, count as
// reached. The profile does not cover code that a command runs in a separate process, so for commands every line
// counts.
func (p *pkg) coverage(profile string) error {
	files, err := cover.ParseProfiles(profile)
	if err != nil {
		return err
	}
	lines := map[string]bool{} // lines of blocks: whether a block there is reached
	for _, f := range files {
		for _, b := range f.Blocks {
			for l := b.StartLine; l <= b.EndLine; l++ {
				line := fmt.Sprint(filepath.Base(f.FileName), l)
				lines[line] = lines[line] || b.Count > 0
			}
		}
	}
	p.covered = func(file string, line int) bool {
		reached, inBlock := lines[fmt.Sprint(file, line)]
		return reached || !inBlock || strings.HasPrefix(p.Name, "internal/command")
	}
	return nil
}

// The verdicts on a mutant.
const (
	killed     = "killed"     // a test fails, or the tests do not end
	survived   = "survived"   // every test passes
	unreached  = "unreached"  // no test reaches the line; it counts as survived
	invalid    = "invalid"    // it does not compile, and is replaced by another mutant
	equivalent = "equivalent" // listed in equivalent.txt, or proven by a solver
)

// slack returns the time limit of a mutant's tests: eight times the duration of the package's tests, to allow for other
// work on the computer, and ten seconds.
func slack(base time.Duration) time.Duration { return 8*base + 10*time.Second }

// tryMutant compiles and tests one mutant in a temporary folder.
func (p *pkg) tryMutant(ctx context.Context, temp string, m *point) (string, error) {
	if p.chip != nil {
		return p.tryHardware(ctx, temp, m)
	}
	p.once.Do(func() { p.unfit = p.measure(ctx, temp) })
	if p.unfit != nil {
		return "", p.unfit
	}
	if !p.covered(m.File, m.Line) {
		return unreached, nil
	}
	dir, err := os.MkdirTemp(temp, "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	changed, overlay, bin := filepath.Join(dir, m.File), filepath.Join(dir, "overlay.json"),
		filepath.Join(dir, "mutant.test")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(p.Dir, m.File): changed}})
	err = errors.Join(err, os.WriteFile(changed, m.mutate(p.src[m.File]), 0o666), os.WriteFile(overlay, text, 0o666))
	if err != nil {
		return "", err
	}
	if _, err := p.compile(ctx, bin, "-overlay="+overlay); err != nil {
		return invalid, ctx.Err()
	}
	if _, err := p.runTests(ctx, bin, slack(p.base), nil); err != nil {
		return killed, ctx.Err()
	}
	return survived, nil
}

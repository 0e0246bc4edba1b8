package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"emsim/rtl"
)

// suites lists the tests of package rtl that should notice a mistake in SystemVerilog, the fast ones first: proofs
// about its units, then comparisons of the chip with the model in every clock.
var suites = []string{
	"^TestProofs$", // with the benches that read the file
	"^TestSlowProofs$",
	"^(TestFib|TestLibrary|TestFaults|TestArithmetic|TestCorners|TestRandomPrograms)$",
	"^TestSwitches$", // has its own build
	"^(TestLibraryAndPolicies|TestManyRandomPrograms)$",
	"^TestPaper$",
}

const (
	proofSuites = 2 // number of suites, from the first, that are proofs
	fastSuites  = 4 // the suites after these are slow
)

// chipTests is the test binary of package rtl, compiled once for all SystemVerilog files.
type chipTests struct {
	once sync.Once
	bin  string
	err  error
}

// compiled returns the test binary, which it first builds if necessary.
func (c *chipTests) compiled(ctx context.Context, p *pkg, temp string) (string, error) {
	c.once.Do(func() {
		c.bin = filepath.Join(temp, "rtl.test")
		if out, err := p.compile(ctx, c.bin, "-tags", "slow"); err != nil {
			c.err = fmt.Errorf("%s: the tests do not compile: %w\n%s", p.Name, err, out)
		}
	})
	return c.bin, c.err
}

var (
	hardwareOperators = regexp.MustCompile(`==|!=|&&|\|\||>=| \+ | - | < | & | \| |!|` +
		`\b\d+'[bd]\d+\b|\b\w+_q(?:\[[^\]]*\])? +<= [^;]*;`)
	hardwareSwaps = map[string]string{
		"==": "!=", "!=": "==", "&&": "||", "||": "&&", ">=": "<", " + ": " - ",
		" - ": " + ", " < ": " >= ", " & ": " | ", " | ": " & ", "!": "",
	}
	hardwareConstant = regexp.MustCompile(`^(\d+)'([bd])(\d+)$`)
	// leftOut matches lines that are never changed: comments, assertions, declarations, where mostly widths would
	// change, and the probe, which only shows registers.
	leftOut = regexp.MustCompile(`^\s*(//|assert|input|output|localparam|parameter|` +
		`typedef|assign probe|assign unused|logic unused)`)
)

// hardware returns a SystemVerilog file as a package of its own.
func hardware(root, file string, tests *chipTests) (*pkg, error) {
	name := filepath.Base(file)
	text, ok := rtl.Embedded()[name]
	if !ok {
		return nil, fmt.Errorf("there is no module %s", file)
	}
	return &pkg{
		root: root, Dir: filepath.Join(root, "rtl"), ImportPath: "emsim/rtl", Name: "rtl/" + name,
		src: map[string][]byte{name: []byte(text)}, points: hardwarePoints(name, text), chip: tests,
	}, nil
}

// hardwarePoints returns a point for every operator, constant and register assignment.
func hardwarePoints(name, text string) []point {
	f := &finder{src: []byte(text), file: name, in: "module", seen: map[string]int{}}
	at, inProbe := 0, false
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "//")
		inProbe = inProbe || strings.Contains(code, "assign probe")
		if !inProbe && !leftOut.MatchString(line) {
			for _, m := range hardwareOperators.FindAllStringIndex(code, -1) {
				old := code[m[0]:m[1]]
				changed, ok := hardwareSwaps[old]
				if !ok {
					changed = changedWord(old)
				}
				left, right := code[max(0, m[0]-14):m[0]], code[m[1]:min(len(code), m[1]+10)]
				if changed != old {
					f.point("hardware", at+m[0], at+m[1], changed, left+old+right, left+changed+right)
				}
			}
		}
		inProbe = inProbe && !strings.Contains(code, ";")
		at += len(line)
	}
	return f.out
}

// changedWord returns a changed constant, or ";" to drop a register's assignment.
func changedWord(old string) string {
	m := hardwareConstant.FindStringSubmatch(old)
	if m == nil {
		return ";"
	}
	width, _ := strconv.Atoi(m[1])
	v, err := strconv.ParseUint(m[3], map[string]int{"b": 2, "d": 10}[m[2]], 64)
	if err != nil {
		return old
	}
	return fmt.Sprintf("%d'd%d", width, (v+1)%(1<<min(width, 62)))
}

// tryHardware tests a mutant of the chip with proofs and by comparison with the model, and returns the verdict.
func (p *pkg) tryHardware(ctx context.Context, temp string, m *point) (string, error) {
	bin, err := p.chip.compiled(ctx, p, filepath.Dir(temp))
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(temp, "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	chips, cache, original := filepath.Join(dir, "rtl"), filepath.Join(dir, "cache"), filepath.Join(dir, "original")
	sources := rtl.Embedded()
	err = sources.Write(original)
	sources[m.File] = string(m.mutate(p.src[m.File]))
	if err := errors.Join(err, sources.Write(chips)); err != nil {
		return "", err
	}
	tried := suites
	if p.proofs {
		tried = suites[:proofSuites]
	}
	for i, suite := range tried {
		if i == fastSuites {
			if same, err := provenSame(ctx, m.File, original, chips); same || err != nil {
				return equivalent, err
			}
		}
		out, err := p.runTests(ctx, bin, time.Hour, []string{rtl.SourcesEnv + "=" + chips, "XDG_CACHE_HOME=" + cache},
			"-test.run", suite)
		switch {
		case bytes.Contains(out, []byte("cannot build")):
			return invalid, ctx.Err()
		case err != nil && (i >= proofSuites ||
			bytes.Contains(out, []byte("does not hold in clock"))): // a proof that times out finds nothing
			return killed, ctx.Err()
		}
	}
	if p.proofs {
		if same, err := provenSame(ctx, m.File, original, chips); same || err != nil {
			return equivalent, err
		}
	}
	return survived, nil
}

// provenSame reports whether Yosys proves that a file's module has the same outputs in two folders in every clock, for
// all inputs, if its registers start with equal values. A proof that times out counts as failed.
func provenSame(ctx context.Context, file, original, changed string) (bool, error) {
	var script strings.Builder
	for name, dir := range map[string]string{"gold": original, "gate": changed} {
		script.WriteString("read_verilog -sv -noassert")
		for _, module := range rtl.Embedded().Modules() {
			script.WriteString(" " + filepath.Join(dir, module))
		}
		fmt.Fprintf(&script, "; chparam -set FIFO_MAX 4 ibu pe; hierarchy -top %s; delete -output */o:probe*; proc; "+
			"flatten; memory_map; opt -full; "+
			// only pins and registers must be equal
			"rename -hide w:* w:*_q* %%d; rename -top %s; design -stash %[2]s; ", strings.TrimSuffix(file, ".sv"), name)
	}
	script.WriteString("design -copy-from gold gold; design -copy-from gate gate; equiv_make gold gate equiv; " +
		"hierarchy -top equiv; " +
		"opt -full; equiv_struct; equiv_simple -undef; equiv_induct; equiv_status -assert")
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "yosys", "-q", "-p", script.String())
	boundChildren(cmd)
	if err := cmd.Run(); errors.Is(err, exec.ErrNotFound) {
		return false, err
	} else {
		return err == nil, nil
	}
}

// packagesAndModules returns the packages and SystemVerilog files among the arguments, or all packages.
func packagesAndModules(ctx context.Context, root string, args []string) ([]*pkg, error) {
	var list []*pkg
	var patterns []string
	tests := &chipTests{}
	for _, a := range args {
		if strings.HasSuffix(a, ".sv") {
			p, err := hardware(root, a, tests)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
			continue
		}
		patterns = append(patterns, "./"+strings.TrimPrefix(a, "./"))
	}
	if len(args) == 0 {
		patterns = []string{"./..."}
	}
	if patterns == nil {
		return list, nil
	}
	more, err := packages(ctx, root, patterns)
	return slices.Concat(list, more), err
}

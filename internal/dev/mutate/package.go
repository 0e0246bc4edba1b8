package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A pkg is one package of the repository.
type pkg struct {
	Dir                                   string   // on this computer
	ImportPath                            string   // as in emsim/omega
	Name                                  string   // as in omega
	GoFiles                               []string // without tests
	TestGoFiles, XTestGoFiles, EmbedFiles []string

	root    string
	points  []point
	src     map[string][]byte
	hash    string        // of everything in the folder but comments, tests and test data included
	base    time.Duration // duration of the unchanged tests
	covered func(file string, line int) bool
}

// packages returns the matching packages that have code, in the order of their
// paths.
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
		if err := p.read(); err != nil {
			return nil, err
		}
		if len(p.points) > 0 {
			list = append(list, p)
		}
	}
	return list, nil
}

// read finds the points of the package and hashes its folder.
func (p *pkg) read() error {
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
	sum := sha256.New()
	err := filepath.WalkDir(p.Dir, func(path string, d fs.DirEntry, err error) error {
		switch rel, _ := filepath.Rel(p.Dir, path); {
		case err != nil:
			return err
		case d.IsDir() && path != p.Dir && hasGo(path):
			return fs.SkipDir // another package
		case !d.IsDir():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if filepath.Ext(rel) == ".go" {
				data = code(data)
			}
			fmt.Fprintf(sum, "%s %d\n", rel, len(data))
			sum.Write(data)
		}
		return nil
	})
	p.hash = hex.EncodeToString(sum.Sum(nil))[:16]
	return err
}

// code returns the tokens of a Go file, one per line: comments and line
// breaks change no verdict. Compiler directives stay.
func code(src []byte) []byte {
	var out bytes.Buffer
	var scan scanner.Scanner
	scan.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, scanner.ScanComments)
	for {
		switch _, tok, text := scan.Scan(); {
		case tok == token.EOF:
			return out.Bytes()
		case tok != token.COMMENT || strings.HasPrefix(text, "//go:"):
			fmt.Fprintln(&out, tok, text)
		}
	}
}

func hasGo(dir string) bool {
	match, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is valid
	return len(match) > 0
}

// measure runs the unchanged package's tests, which must pass. Their duration
// and coverage bound what a mutant can do.
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
	if out, err := p.test(ctx, bin, time.Hour, "-test.coverprofile="+profile); err != nil {
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

// test runs a test binary in the package's folder, its children included.
func (p *pkg) test(ctx context.Context, bin string, limit time.Duration, flags ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, append([]string{"-test.failfast", "-test.timeout=0"}, flags...)...)
	cmd.Dir = p.Dir
	// A child that was built for coverage says on standard error when it has
	// nowhere to put its counts.
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+filepath.Dir(bin))
	own(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), err
}

// coverage reads which lines of which files some test reaches. Lines outside
// every block, such as declarations, count as reached. The profile does not
// cover what a command does in a separate process, so for commands every line
// counts.
func (p *pkg) coverage(profile string) error {
	data, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	missed, reached := map[string][]bool{}, map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		name, rest, ok := strings.Cut(lines.Text(), ":")
		fields := strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == '.' || r == ' ' })
		if !ok || len(fields) != 6 {
			continue // the line with the mode
		}
		from, _ := strconv.Atoi(fields[0])
		to, _ := strconv.Atoi(fields[2])
		file := filepath.Base(name)
		for len(missed[file]) <= to {
			missed[file] = append(missed[file], false)
		}
		for l := from; l <= to; l++ {
			missed[file][l] = fields[5] == "0"
			if !missed[file][l] { // some block of the line is
				reached[fmt.Sprint(file, l)] = true
			}
		}
	}
	all := strings.HasPrefix(p.Name, "internal/command")
	p.covered = func(file string, line int) bool {
		m := missed[file]
		return all || line >= len(m) || !m[line] || reached[fmt.Sprint(file, line)]
	}
	return nil
}

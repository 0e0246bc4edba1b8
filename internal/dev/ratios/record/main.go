// Record measures this computer's ratios and keeps them as the benchmark record
// of a release. From the root of the repository, on idle cores:
//
//	go run ./internal/dev/ratios/record v0.1
//
// It takes some three minutes, writes docs/benchmarks/v0.1.txt, which benchstat
// reads, and puts the tables that follow from it into docs/PERFORMANCE.md.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"emsim/internal/base/wholefile"
	"emsim/internal/dev/ratios"
)

const dir = "docs/benchmarks"

// name is what a release may be called: it becomes a file's name.
var name = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.-]*$`)

func main() {
	if err := record(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func record(args []string) error {
	if len(args) != 1 || !name.MatchString(args[0]) {
		return fmt.Errorf("expected the name of a release: go run ./internal/dev/ratios/record v0.1")
	}
	if _, err := os.Stat(ratios.Page); err != nil {
		return fmt.Errorf("run it in the root of the repository: %w", err)
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "release: %s\ndate: %s\ncommit: %s\ngo: %s\ncores: %d\n", args[0], time.Now().UTC().Format(time.DateOnly), commit(), runtime.Version(), runtime.NumCPU())
	cmd := exec.Command("go", "test", "./em4", "./internal/study/sweep", "-run", "^$", "-bench", "^BenchmarkRatios$", "-benchtime", "1x", "-count", "7", "-timeout", "30m")
	cmd.Stdout, cmd.Stderr = io.MultiWriter(os.Stdout, &text), os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the benchmarks: %w", err)
	}
	if _, err := ratios.Parse(args[0], text.Bytes()); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	file := filepath.Join(dir, args[0]+".txt")
	if err := wholefile.WriteFile(file, text.Bytes(), 0o666); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "written:", file)
	return fill()
}

// commit names the sources.
func commit() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	hash := strings.TrimSpace(string(out))
	if changes, _ := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output(); len(changes) > 0 {
		hash += " with changes"
	}
	return hash
}

// fill puts what follows from the records into the page.
func fill() error {
	page, err := os.ReadFile(ratios.Page)
	if err != nil {
		return err
	}
	filled, err := ratios.Publish(string(page), os.DirFS("docs"))
	if err != nil {
		return err
	}
	return wholefile.WriteFile(ratios.Page, []byte(filled), 0o666)
}

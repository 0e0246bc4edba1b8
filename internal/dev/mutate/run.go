package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// The verdicts on a mutant.
const (
	killed     = "killed"     // a test fails
	endless    = "endless"    // the tests do not end: also killed
	survived   = "survived"   // every test passes
	unreached  = "unreached"  // no test reaches the line: also survived
	invalid    = "invalid"    // it does not compile: not a mutant, replaced by another one
	equivalent = "equivalent" // listed in equivalent.txt
)

// slack bounds the time of a mutant's tests: eight times that of the
// package's tests, to allow for other work on the computer, and ten seconds.
func slack(base time.Duration) time.Duration { return 8*base + 10*time.Second }

// failedTest finds the name of a test that failed.
var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// try compiles and tests one mutant.
func (p *pkg) try(ctx context.Context, temp string, m *point) (verdict, by string, err error) {
	if !p.covered(m.File, m.Line) {
		return unreached, "", nil
	}
	dir, err := os.MkdirTemp(temp, "mutant")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	changed, overlay, bin := filepath.Join(dir, m.File), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutant.test")
	if err := os.WriteFile(changed, m.mutate(p.src[m.File]), 0o666); err != nil {
		return "", "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(p.Dir, m.File): changed}})
	if err == nil {
		err = os.WriteFile(overlay, text, 0o666)
	}
	if err != nil {
		return "", "", err
	}
	if _, err := p.compile(ctx, bin, "-overlay="+overlay); err != nil {
		return invalid, "", ctx.Err()
	}
	out, err := p.test(ctx, bin, slack(p.base))
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case err == nil:
		return survived, "", nil
	case errors.Is(err, context.DeadlineExceeded):
		return endless, "", nil
	}
	if name := failedTest.FindSubmatch(out); name != nil {
		by = string(name[1])
	}
	return killed, by, nil
}

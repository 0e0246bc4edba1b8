// Package golden compares test output with files under testdata.
//
// "go test ./pkg -update" rewrites the files; commit a rewrite only if every
// changed line can be explained.
//
//	golden.go  files, and parts of pages
//	same.go    values
//	script.go  commands of a script and their output
package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Update reports whether the test run rewrites golden files.
func Update() bool { return *update }

// Check compares got with the file testdata/name, and fails the test with a diff if they differ.
func Check(t TB, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatalf("%v", err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatalf("%v", err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run the test with -update to make it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, short(diff))
	}
}

// Block compares want with the part of a page between <!-- name --> and the next <!-- end -->.
func Block(t TB, file, name, want string) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v", err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end -->"
	head, rest, begins := strings.Cut(string(page), begin)
	was, tail, ends := strings.Cut(rest, end)
	switch {
	case !begins || !ends:
		t.Fatalf("%s has no part %q", file, name)
	case *update:
		if err := os.WriteFile(file, []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatalf("%v", err)
		}
	case was != want:
		t.Errorf("%s, %s differs (-want +page); -update writes it:\n%s", file, name, short(cmp.Diff(want, was)))
	}
}

// longestDiff is the largest size of a diff in a failure message, in bytes.
const longestDiff = 3000

// short truncates a diff after a whole line.
func short(diff string) string {
	if len(diff) <= longestDiff {
		return diff
	}
	end := strings.LastIndex(diff[:longestDiff], "\n") + 1
	return fmt.Sprintf("%s... and %d more lines; run the test with -update, then git diff shows all of them\n",
		diff[:end], strings.Count(diff[end:], "\n"))
}

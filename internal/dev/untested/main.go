// Command untested lists the tests that did not run on this computer because programs are missing, and how to install
// these. 'go test' alone only says ok.
//
//	go test ./... && go run ./internal/dev/untested
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"emsim/internal/dev/needs"
)

func main() { report(os.Stdout) }

// report writes the list of tests that did not run.
func report(w io.Writer) {
	gaps := needs.Gaps()
	if len(gaps) == 0 {
		fmt.Fprintln(w, "All programs that tests use are here: no test was left out because one is missing.")
		return
	}
	fmt.Fprintln(w, "Not tested, because programs are missing:")
	var packages []string
	for _, g := range gaps {
		fmt.Fprintf(w, "  %s (%s)\n", g.What, strings.Join(g.Programs, ", "))
		packages = append(packages, g.Debian...)
	}
	slices.Sort(packages)
	fmt.Fprintf(w, "To test it, too, on Debian, as root: apt-get install %s\n(or .ci/tools), then the tests again.\n",
		strings.Join(slices.Compact(packages), " "))
}

package command

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/memlimit"
)

// within runs a command line in a process with a limited address space, in KiB.
func within(t *testing.T, dir, kib, line string) *process {
	p := launch(t, dir, nil, "sh", "-c", "ulimit -v "+kib+"; exec emsim "+line)
	p.wait(t)
	return p
}

// survives checks that a command does its work, or reports a lack of memory; the Go runtime must not crash. It reports
// whether the command worked.
func survives(t *testing.T, dir string, mib int, line string) (worked bool) {
	p := within(t, dir, fmt.Sprint(mib<<10), line)
	said := p.errs.String()
	for _, dump := range []string{"goroutine ", "fatal error", "runtime:", "pthread_create"} {
		require.NotContains(t, said, dump, "%s in %d MiB", line, mib)
	}
	if p.ProcessState.ExitCode() == 0 {
		return true
	}
	require.Equal(t, failing, p.ProcessState.ExitCode(), "%s in %d MiB: %s", line, mib, said)
	require.Regexp(t, `memory|address space`, said, "%s in %d MiB", line, mib)
	return false
}

// machinesInMemory lists the commands that build a machine, of NUMBER PEs.
var machinesInMemory = []string{
	"run fib 5 --pes NUMBER",
	"run fib 5 --pes NUMBER --threads 2 --checkpoint OUT.ckp --at 50",
	"run fib 5 --pes NUMBER --seeds 2",
	"trace fib 5 --pes NUMBER -o OUT.vcd",
	"debug fib 5 --pes NUMBER",
	"profile fib 5 --pes NUMBER",
	"plot timeline fib 5 --pes NUMBER -o OUT.svg",
	"net traffic --pes NUMBER --clocks 50",
	"net --pes NUMBER",
	"sweep NUMBER.toml -o OUT.sweep",
}

// ofSize replaces the number and the output in a line, and writes the sweep's file.
func ofSize(t *testing.T, dir, line string, pes int) string {
	n := fmt.Sprint(pes)
	require.NoError(t, os.WriteFile(dir+"/"+n+".toml", []byte("[[grid]]\nprogram = [\"fib 3\"]\npes = ["+n+"]\n"),
		0o600))
	return strings.NewReplacer("NUMBER", n, "OUT", t.TempDir()+"/out").Replace(line)
}

// Every command rejects a machine that does not fit in memory before building it, and runs one that fits.
func TestMemoryIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	for _, line := range machinesInMemory {
		fits := !strings.HasPrefix(line, "net --pes")
		if fits {
			require.False(t, survives(t, dir, 2000, ofSize(t, dir, line, 1114112)), line)
		}
		require.True(t, survives(t, dir, 2600, ofSize(t, dir, line, 12)), line)
	}
	p := within(t, dir, "2500000", "run fib 5 --pes 1114112")
	require.Regexp(t,
		`^emsim: a machine of 1114112 PEs needs 4.5 GiB of memory, [0-9.]+ [MG]iB are available \(limit of the process\)\n$`,
		p.errs.String())
	p = within(t, dir, "2500000", "run fib 5 --pes 1114112 --json")
	require.Regexp(t, `"kind": "memory"`, p.out.String())
}

// The memory estimate is accurate: it is 0.7 to 1.25 times the peak of a run, and up to 32 MiB more for the tests' own
// executable, with any number of threads. The program uses memory in every PE.
func TestEstimateIsRight(t *testing.T) {
	for _, pes := range []int{12, 1024, 114688} {
		for _, threads := range []string{"1", "2"} {
			p := launch(t, t.TempDir(), nil, "measured", "run", "fib", "5", "--pes", fmt.Sprint(pes),
				"--threads", threads, "--param", "pe_number=variable")
			p.wait(t)
			require.Zero(t, p.ProcessState.ExitCode(), p.errs.String())
			// Rusage.Maxrss is unsuitable: it includes the memory of the parent until exec.
			peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(p.errs.String())
			require.NotNil(t, peak)
			kib, _ := strconv.Atoi(peak[1])
			took := float64(kib << 10)
			need := float64(memlimit.EM4Bytes(pes))
			require.Greater(t, took, 0.7*need, "%d PEs", pes)
			require.Less(t, took, 1.25*need+(32<<20), "%d PEs", pes)
		}
	}
}

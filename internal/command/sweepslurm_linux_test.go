package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clusterSweep has 96 points; a share of twelve takes about half a second.
const clusterSweep = `
[[grid]]
program = ["fib 14", "queens 6"]
pes = 12
param = { mlpe = ["off", "on"] }
seed = [%s]
`

// onCluster is a place from which sweeps are submitted to a cluster.
type onCluster struct {
	*slurmCluster
	place
}

// slurmAnswer is the output of 'emsim sweep --slurm --json'.
type slurmAnswer struct {
	Runs, Missing, Shares       int
	Name, Array, Collect, Table string
	Queued, Already             []int
}

// submit submits a sweep and returns the answer.
func (c *onCluster) submit(args ...string) (x slurmAnswer) {
	c.t.Helper()
	c.sweep(0, &x, args...)
	return x
}

// until waits until done returns true, at most a minute.
func (c *onCluster) until(what string, done func() bool) {
	c.t.Helper()
	for begin := time.Now(); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > hung {
			c.t.Fatalf("%s: not within %v\n%s", what, hung, c.run("squeue", "--array", "--states=all"))
		}
	}
}

// ended waits for the end of jobs.
func (c *onCluster) ended(jobs ...string) {
	c.t.Helper()
	c.until("jobs end", func() bool {
		return c.run("squeue", "--noheader", "--jobs="+strings.Join(jobs, ","),
			"--states=PENDING,RUNNING,COMPLETING,SUSPENDED,CONFIGURING") == ""
	})
}

// tasks returns the number of tasks in each state.
func tasks(x statusAnswer) map[string]int {
	n := map[string]int{}
	for _, t := range x.Slurm.Tasks {
		n[t.State]++
	}
	return n
}

// TestSlurm runs sweeps on a real Slurm, with the events of a real cluster. All subtests share the cluster.
func TestSlurm(t *testing.T) {
	c := &onCluster{startSlurm(t, 4, 1), place{t, t.TempDir()}}
	limited := c.beforeLimit()
	c.troubles()
	c.deadAtStart()
	c.tenThousand()
	limited()
}

// troubles runs a whole sweep. One of two simultaneous submissions wins, a task is killed, the controller is restarted,
// a node is drained, and pending tasks are cancelled. Only points in progress are lost, and the table equals the table
// of a local sweep.
func (c *onCluster) troubles() {
	t := c.t
	c.write("s.toml", fmt.Sprintf(clusterSweep, oneTo(24)))
	local := c.begin("s.toml", "-o", "local", "--csv", "local.csv", "--jobs", "1")
	args := []string{
		"s.toml", "--slurm", "12", "--partition", "main", "--time", "10", "--sbatch-arg=--hold", "--csv",
		"table.csv", "--json",
	}
	first := c.both(args)
	require.Len(t, first.Queued, 12)
	require.Equal(t, 96, first.Missing)
	x := c.status("s.toml")
	require.Equal(t, map[string]int{"PENDING": 13}, tasks(x))
	require.Equal(t, 96, x.Missing)
	c.sweep(2, nil, "s.toml", "--slurm", "6")
	require.Equal(t, first.Queued, c.submit(args[:3]...).Already)

	// The stopped task can continue without a controller, but not after SIGKILL.
	held := first.Array + "_"
	c.run("scontrol", "release", held+"[1-4]")
	pid, share := c.caught("s.sweep", "")
	c.stopController()
	c.startController()
	c.until("the task is known again", func() bool {
		return c.run("squeue", "--noheader", "--states=RUNNING", "--jobs="+held+strings.Split(share, "/")[0]) != ""
	})
	before := c.results("s.sweep")
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))

	c.run("scontrol", "update", "nodename=n4", "state=drain", "reason=test")
	c.run("scontrol", "release", held+"[5-8]")
	c.run("scancel", held+"[9-12]")
	c.ended(first.Array, first.Collect)
	killed, _ := strconv.Atoi(strings.Split(share, "/")[0])
	c.afterTroubles(first, killed, before)
	local.wait(t)
	require.Zero(t, local.ProcessState.ExitCode(), local.errs.String())

	// The same command again.
	before = c.results("s.sweep")
	second := c.submit("s.toml", "--slurm", "12", "--csv", "table.csv", "--check", "local.csv")
	require.Equal(t, slices.Sorted(slices.Values([]int{killed, 9, 10, 11, 12})), second.Queued)
	require.Empty(t, second.Already)
	c.ended(second.Array, second.Collect)
	x = c.status("s.toml")
	require.Equal(t, 96, x.Done)
	for _, task := range x.Slurm.Tasks {
		if strings.HasPrefix(task.Job, second.Array+"_") || task.Job == second.Collect {
			require.Equal(t, "COMPLETED", task.State)
			require.NotEqual(t, "n4", task.Node, "it is drained")
		}
	}
	require.Equal(t, c.read("local.csv"), c.read("table.csv"))
	require.Contains(t, c.read("s.sweep/slurm/collect-"+second.Collect+".log"), "local.csv matches the results")
	after := c.results("s.sweep")
	for name, file := range before {
		require.Equal(t, file, after[name], "%s was there and has been run again", name)
	}
	require.Len(t, after, 96)
	require.Contains(t, c.sweep(0, nil, "s.toml", "--slurm", "12").out.String(),
		"0 of 96 runs in s.sweep are missing\n  Nothing was queued: --collect makes the table.\n")
	c.run("scontrol", "update", "nodename=n4", "state=resume")
}

// both submits a sweep twice at the same time. The answers must show a single array.
func (c *onCluster) both(args []string) (first slurmAnswer) {
	two := []*process{c.begin(args...), c.begin(args...)}
	arrays := 0
	for _, p := range two {
		p.wait(c.t)
		if p.ProcessState.ExitCode() != 0 {
			require.Contains(c.t, p.out.String(), "is being submitted by another process")
			continue
		}
		var x slurmAnswer
		require.NoError(c.t, json.Unmarshal(p.out.Bytes(), &x))
		if x.Array != "" {
			first = x
			arrays++
		} else {
			require.Len(c.t, x.Already, 12)
		}
	}
	require.Equal(c.t, 1, arrays)
	require.Len(c.t, strings.Fields(c.run("squeue", "--noheader", "--array", "--format=%i")), 13+2,
		"and those of the sweep with a time limit")
	return first
}

// afterTroubles checks the state after a task was killed and four were cancelled.
func (c *onCluster) afterTroubles(first slurmAnswer, killed int, before map[string]string) {
	t := c.t
	x := c.status("s.toml")
	require.Equal(t, map[string]int{"COMPLETED": 7, "FAILED": 2, "CANCELLED": 1}, tasks(x), "%v", x.Slurm.Tasks)
	require.Equal(t, 96, x.Done+x.Running+x.Missing)
	require.GreaterOrEqual(t, x.Done, 7*8)
	after := c.results("s.sweep")
	require.Len(t, after, x.Done)
	for name, file := range before {
		require.Equal(t, file, after[name], "%s was lost with a process that no longer ran it", name)
	}
	var lost []string
	for _, p := range x.Processes {
		lost = append(lost, p.Running...)
	}
	require.Len(t, lost, 1, "the point in progress")
	require.Equal(t, strconv.Itoa(killed)+"/12", x.Processes[0].Part)
	require.Regexp(t, `(?m)^  array `+first.Array+`: .*1 failed`, c.sweep(0, nil, "s.toml", "--status").out.String())
	require.Contains(t, c.read("s.sweep/slurm/collect-"+first.Collect+".log"),
		"of 96 runs have no result in s.sweep: 1 running, 0 failed, ")
	require.NoFileExists(t, filepath.Join(c.dir, "table.csv"))
}

// beforeLimit begins a share that does not end before its time limit. The returned function waits for its end: SIGTERM
// arrives before the limit, and the share ends in good order. Meanwhile the process is stopped and takes no processor
// time.
func (c *onCluster) beforeLimit() (wait func()) {
	c.write("loop.s", loopProgram)
	c.write("long.toml", "[[grid]]\nprogram = [\"fib 8\", \"loop.s\"]\npes = 12\n")
	x := c.submit("long.toml", "--slurm", "1", "--time", "1", "--sbatch-arg=--nodelist=n1")
	c.until("a point is done", func() bool { return len(c.results("long.sweep")) == 1 })
	pid, _ := c.caught("long.sweep", "loop")
	return func() {
		terminated := regexp.MustCompile(`(?m)^ShdPnd:\t[0-9a-f]{12}([4-7c-f])...$`) // signal 15 is bit 14
		c.until("SIGTERM comes", func() bool {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			return err != nil || terminated.Match(text) // Slurm may have continued the process, too
		})
		_ = syscall.Kill(pid, syscall.SIGCONT)
		c.ended(x.Array, x.Collect)
		require.Contains(c.t, c.read("long.sweep/slurm/share-1-"+x.Array+".log"),
			"interrupted by SIGTERM with 1 of 2 runs in long.sweep; the same command continues from there")
		s := c.status("long.toml")
		require.Equal(c.t, []int{1, 0, 0, 1}, []int{s.Done, s.Running, s.Failed, s.Missing})
		require.Empty(c.t, s.Processes, "nobody died")
		require.Len(c.t, c.results("long.sweep"), 1)
	}
}

// deadAtStart submits tasks that die at every start. No result is lost, the status says where to look, and once the
// cause is gone the same command continues the sweep.
func (c *onCluster) deadAtStart() {
	t := c.t
	c.write("d.toml", fmt.Sprintf(clusterSweep, oneTo(1)))
	x := c.submit("d.toml", "--slurm", "2", "--sbatch-arg=--hold")
	kept, err := filepath.Glob(filepath.Join(c.dir, "d.sweep", "emsim-*"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.NoError(t, os.Remove(kept[0]))
	c.run("scontrol", "release", x.Array+"_[1-2]")
	c.ended(x.Array, x.Collect)
	s := c.status("d.toml")
	require.Equal(t, []int{0, 0, 0, 4}, []int{s.Done, s.Running, s.Failed, s.Missing})
	require.Equal(t, map[string]int{"FAILED": 3}, tasks(s))
	require.Regexp(t, `failed \(NonZeroExitCode\)`, c.sweep(0, nil, "d.toml", "--status").out.String())
	require.Regexp(t, "not found|No such file", c.read("d.sweep/slurm/share-2-"+x.Array+".log"))

	x = c.submit("d.toml", "--slurm", "2")
	require.Equal(t, []int{1, 2}, x.Queued)
	c.ended(x.Array, x.Collect)
	c.sweep(0, nil, "d.toml", "-o", "whole", "--check", "d.sweep/d.csv")
}

// tenThousand checks that 10,000 points, in shares, fit the default limit of arrays.
func (c *onCluster) tenThousand() {
	t := c.t
	c.write("big.toml", "[[grid]]\nprogram = \"fib 3\"\npes = 12\nseed = ["+oneTo(10_000)+"]\n")
	p := c.sweep(2, nil, "big.toml", "--slurm", "1001", "--sbatch-arg=--hold")
	require.Contains(t, p.errs.String(), "Invalid job array specification")
	x := c.submit("big.toml", "--slurm", "1000", "--sbatch-arg=--hold")
	require.Len(t, x.Queued, 1000)
	require.Equal(t, 10_000, x.Missing)
	require.Len(t, strings.Fields(c.run("squeue", "--noheader", "--array", "--name="+x.Name, "--format=%i")), 1000)
	text := c.sweep(0, nil, "big.toml", "--status").out.String()
	require.Contains(t, text, "  array "+x.Array+": 1000 pending (JobHeldUser)\n")
	c.run("scancel", "--name="+x.Name)
	c.run("scancel", x.Collect)
	c.ended(x.Array, x.Collect)
	text = c.sweep(0, nil, "big.toml", "--status").out.String()
	require.Contains(t, text, "  array "+x.Array+": 1 cancelled")
}

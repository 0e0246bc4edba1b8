package command

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"emsim/internal/dev/needs"
)

// prompt is the time within which a part of the cluster must start or end.
const prompt = 30 * time.Second

// slurmCluster is a cluster for a test: the real Slurm and munge, with several nodes on this computer, each with its
// own slurmd. It needs no root, systemd or control groups. All files are in one temporary directory, and all processes
// end with the test. Its nodes are n1, n2, ...; the partition is "main".
type slurmCluster struct {
	test       testing.TB
	home       string
	conf       string
	slurmctld  string
	controller *exec.Cmd
}

// startSlurm starts a cluster with the given numbers of nodes and of processors per node. It sets SLURM_CONF for this
// process and its children.
func startSlurm(t testing.TB, nodes, cpus int) *slurmCluster {
	t.Helper()
	munged, slurmctld, slurmd := needs.Tool(t, "munged"), needs.Tool(t, "slurmctld"), needs.Tool(t, "slurmd")
	needs.Tool(t, "sbatch")               // and the other commands with it
	dir, err := os.MkdirTemp("", "slurm") // a short name, because it contains sockets
	c := &slurmCluster{test: t, home: dir, conf: filepath.Join(dir, "slurm.conf"), slurmctld: slurmctld}
	c.must(err)
	t.Cleanup(c.stop)
	c.clearEnvironment()
	c.configure(nodes, cpus)

	key := make([]byte, 128)
	_, _ = rand.Read(key) // never fails
	c.must(os.WriteFile(c.in("munge.key"), key, 0o400))
	c.daemon("munged", munged, "--foreground", "--force", "--num-threads=2", "--key-file="+c.in("munge.key"),
		"--socket="+c.in("munge.socket"),
		"--pid-file="+c.in("munge.pid"), "--log-file="+c.in("munge.log"), "--seed-file="+c.in("munge.seed"))
	c.ready("munged has no socket", func() bool { _, err := os.Stat(c.in("munge.socket")); return err == nil })
	c.startController()
	for i := range nodes {
		name := nodeName(i)
		c.must(os.Mkdir(c.in("spool."+name), 0o755))
		c.daemon(name, slurmd, "-D", "-f", c.conf, "-N", name)
	}
	c.ready("not every node is idle", func() bool {
		return strings.Count(c.try("sinfo", "--noheader", "--Node", "--format=%T"), "idle") == nodes
	})
	return c
}

func nodeName(i int) string { return "n" + strconv.Itoa(i+1) }

// in returns the path of a file of the cluster.
func (c *slurmCluster) in(name string) string { return filepath.Join(c.home, name) }

func (c *slurmCluster) must(err error) {
	c.test.Helper()
	if err != nil {
		c.test.Fatal(err)
	}
}

// clearEnvironment removes variables of another Slurm.
func (c *slurmCluster) clearEnvironment() {
	for _, x := range os.Environ() {
		name, value, _ := strings.Cut(x, "=")
		for _, prefix := range []string{"SLURM", "SBATCH_", "SQUEUE_", "SINFO_", "SCANCEL_", "SACCT_"} {
			if strings.HasPrefix(name, prefix) {
				c.test.Setenv(name, value) // so that the test restores it later
				os.Unsetenv(name)
			}
		}
	}
	c.test.Setenv("SLURM_CONF", c.conf)
}

// configure writes slurm.conf. A task gets a warning before its time limit, but is not killed at the limit, because a
// test on a slow computer may be late.
func (c *slurmCluster) configure(nodes, cpus int) {
	me, err := user.Current()
	c.must(err)
	host, err := os.Hostname()
	c.must(err)
	host, _, _ = strings.Cut(host, ".")
	ports := c.ports(nodes + 1)
	var b strings.Builder
	fmt.Fprintf(&b, `ClusterName=emsim
SlurmctldHost=%s(127.0.0.1)
SlurmctldPort=%d
SlurmUser=%s
SlurmdUser=%s
AuthType=auth/munge
AuthInfo=socket=%s
StateSaveLocation=%s
SlurmdSpoolDir=%s
SlurmctldPidFile=%s
SlurmdPidFile=%s
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
OverTimeLimit=10
CompleteWait=0
`, host, ports[0], me.Username, me.Username,
		c.in("munge.socket"), c.in("state"), c.in("spool.%n"), c.in("slurmctld.pid"), c.in("slurmd.%n.pid"))
	for i, port := range ports[1:] {
		fmt.Fprintf(&b, "NodeName=%s NodeAddr=127.0.0.1 NodeHostname=%s Port=%d CPUs=%d\n", nodeName(i), host, port,
			cpus)
	}
	b.WriteString("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n")
	c.must(os.WriteFile(c.conf, []byte(b.String()), 0o644))
	c.must(os.Mkdir(c.in("state"), 0o755))
}

// ports returns free ports. They are below the ports that the system assigns, because a restarted controller needs the
// same port.
func (c *slurmCluster) ports(n int) []int {
	var list []int
	for port := 10_000 + os.Getpid()*8%20_000; len(list) < n; port++ {
		if l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			l.Close()
			list = append(list, port)
		}
	}
	return list
}

// daemon starts a process whose output goes to a file.
func (c *slurmCluster) daemon(name, program string, args ...string) *exec.Cmd {
	c.test.Helper()
	out, err := os.OpenFile(c.in(name+".out"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	c.must(err)
	defer out.Close()
	p := exec.Command(program, args...)
	p.Dir, p.Stdout, p.Stderr = c.home, out, out
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // even if the test cannot clean up
	c.must(p.Start())
	go func() { _ = p.Wait() }()
	return p
}

// startController starts slurmctld.
func (c *slurmCluster) startController() {
	c.test.Helper()
	c.controller = c.daemon("slurmctld", c.slurmctld, "-D", "-f", c.conf)
	c.ready("slurmctld does not answer", func() bool { return strings.Contains(c.try("scontrol", "ping"), "is UP") })
}

// stopController stops slurmctld, as for a new configuration or version. It sends a signal first: if killed without a
// warning, Slurm forgets the last five seconds.
func (c *slurmCluster) stopController() {
	c.test.Helper()
	c.must(c.controller.Process.Signal(syscall.SIGTERM))
	c.ready("slurmctld does not end", func() bool { return c.controller.Process.Signal(syscall.Signal(0)) != nil })
}

// run runs a Slurm command, which must succeed, and returns its output.
func (c *slurmCluster) run(command string, args ...string) string {
	c.test.Helper()
	p := exec.Command(command, args...)
	var errs bytes.Buffer
	p.Stderr = &errs
	out, err := p.Output()
	if err != nil {
		c.test.Fatalf("%v: %v\n%s%s", p.Args, err, out, &errs)
	}
	return strings.TrimSpace(string(out))
}

// try runs a command that may fail, and returns its output.
func (c *slurmCluster) try(command string, args ...string) string {
	out, _ := exec.Command(command, args...).Output()
	return string(out)
}

// ready waits until done returns true, and fails the test after some time.
func (c *slurmCluster) ready(otherwise string, done func() bool) {
	c.test.Helper()
	for begin := time.Now(); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > prompt {
			c.test.Fatalf("%s after %v\n%s", otherwise, prompt, c.logs())
		}
	}
}

// logs returns the last lines of all daemons.
func (c *slurmCluster) logs() string {
	files, _ := filepath.Glob(c.in("*.out"))
	var b strings.Builder
	for _, file := range files {
		text, _ := os.ReadFile(file)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(&b, "%s:\n%s\n", filepath.Base(file), strings.Join(lines[max(0, len(lines)-20):], "\n"))
	}
	return b.String()
}

// stop kills the cluster's processes: the daemons, and the jobs, which have its SLURM_CONF in their environment.
func (c *slurmCluster) stop() {
	if c.test.Failed() {
		c.test.Log(c.logs())
	}
	for begin := time.Now(); c.kill() > 0 && time.Since(begin) < prompt; {
		time.Sleep(20 * time.Millisecond)
	}
	if err := os.RemoveAll(c.home); err != nil {
		c.test.Error(err)
	}
}

// kill kills the cluster's processes and returns their number.
func (c *slurmCluster) kill() int {
	n := 0
	list, _ := os.ReadDir("/proc")
	for _, e := range list {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		environment, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if bytes.Contains(append([]byte{0}, environment...), []byte("\x00SLURM_CONF="+c.conf+"\x00")) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			n++
		}
	}
	return n
}

package slurm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
)

// fake puts fake Slurm commands into the PATH. Each command records its arguments and its input, which calls returns,
// and runs its script.
func fake(t *testing.T, scripts map[string]string) (calls func(command string) []string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, name := range []string{"sbatch", "squeue", "scancel"} {
		script := scripts[name]
		if script == "" {
			script = map[string]string{"sbatch": "echo 17"}[name]
		}
		text := fmt.Sprintf("#!/bin/sh\nfor a; do printf '%%s\\n' \"$a\"; done >> %[1]s/%[2]s.calls\n"+
			"echo >> %[1]s/%[2]s.calls\ncd %[1]s\n%[3]s\n", dir, name, script)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	return func(command string) []string {
		text, err := os.ReadFile(filepath.Join(dir, command+".calls"))
		if os.IsNotExist(err) {
			return nil
		}
		require.NoError(t, err)
		_ = os.Remove(filepath.Join(dir, command+".calls"))
		return strings.Split(strings.TrimSuffix(string(text), "\n\n"), "\n\n")
	}
}

// some returns a sweep with twelve shares in a new current directory.
func some(t *testing.T) *Sweep {
	t.Helper()
	t.Chdir(t.TempDir())
	where, err := os.Getwd()
	require.NoError(t, err)
	return &Sweep{
		Executable: filepath.Join(where, "s", "emsim-1"), Where: where, File: "s.toml", Dir: "s", Parts: 12,
		Missing: []int{1, 2, 3, 5, 12}, Jobs: 1,
	}
}

// A shell passes any characters in names to emsim unchanged, and executes nothing in them.
func TestScripts(t *testing.T) {
	s := some(t)
	s.Executable = filepath.Join(s.Where, "it's $(touch bad)", "emsim")
	s.Dir, s.File, s.Table = `a b"; touch bad; '`, "-`touch bad`.toml", []string{"--csv=$HOME.csv", "--check=a\nb"}
	s.Plan = []string{"--policy=my `x`.s"}
	require.NoError(t, os.Mkdir(filepath.Dir(s.Executable), 0o700))
	require.NoError(t, os.WriteFile(s.Executable, []byte("#!/bin/sh\nprintf '<%s>' \"$@\"\n"), 0o700))
	said := func(script string) string {
		c := exec.Command("sh")
		c.Stdin = strings.NewReader(script)
		c.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=7", "SLURM_CPUS_PER_TASK=3")
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	require.Equal(t, "<sweep><--output="+s.Dir+"><--share=7/12><--jobs=3><--policy=my `x`.s><--><"+s.File+">",
		said(s.partScript()))
	require.Equal(t, "<sweep><--output="+s.Dir+"><--collect><--policy=my `x`.s><--csv=$HOME.csv><--check=a\nb><--><"+
		s.File+">", said(s.collectScript()))
	require.NoFileExists(t, "bad")
}

func TestOptions(t *testing.T) {
	for _, good := range []string{
		"--mem=4G", "--account=a b", "--hold", "--exclusive", "--exclusive=user", "--dependency=after:3", "--yy=z",
		"--qos=high", "--cpus-per-task=2", "--wait-all-nodes=1",
	} {
		require.NoError(t, (&Options{Args: []string{good}}).Check(), good)
	}
	for _, bad := range []string{"", "-A", "script.sh", "--", "--x"} {
		err := (&Options{Args: []string{"--hold", bad}}).Check()
		require.ErrorAs(t, err, new(*simerr.Usage), bad)
		require.ErrorContains(t, err, "must be a long option", bad)
	}
}

// sbatch gets emsim's defaults, the user's arguments, and then the arguments that must win.
func TestSubmit(t *testing.T) {
	calls := fake(t, map[string]string{
		"sbatch": "cat >> input; n=$(cat n 2>/dev/null || echo 16); echo $((n + 1)) | tee n",
	})
	s := some(t)
	s.Dir, s.Jobs, s.Table = "50%", 4, []string{"--csv=x.csv"}
	s.Options = Options{"long", "2:00:00", []string{"--mem=4G", "--hold", "--exclusive", "--comment=a b"}}
	x, err := s.Submit(t.Context())
	require.NoError(t, err)
	require.Regexp(t, `^emsim-s-[a-z0-9]{8}$`, x.Name)
	require.Equal(t, &Submission{Name: x.Name, Array: "17", Queued: s.Missing, Collect: "18"}, x)
	users := "--partition=long\n--time=2:00:00\n--mem=4G\n"
	logs := "--chdir=" + s.Where + "\n--output=" + s.Where + "/50%%/slurm/"
	require.Equal(t, []string{
		"--nodes=1\n--ntasks=1\n--requeue\n--cpus-per-task=4\n--signal=B:TERM@60\n" +
			users + "--hold\n--exclusive\n--comment=a b\n--array=1-3,5,12\n--job-name=" + x.Name + "\n" +
			logs + "share-%a-%A.log\n--open-mode=append\n--parsable",
		"--nodes=1\n--ntasks=1\n--requeue\n" +
			users + "--comment=a b\n--cpus-per-task=1\n--dependency=afterany:17\n--job-name=" + x.Name + "-collect\n" +
			logs + "collect-%j.log\n--open-mode=append\n--parsable",
	}, calls("sbatch"))
	s.Dir = filepath.Join(s.Where, "absolute")
	_, err = s.Submit(t.Context())
	require.NoError(t, err)
	require.Contains(t, calls("sbatch")[0], "\n--output="+s.Where+"/absolute/slurm/share-")
}

// A second submission queues the shares that are missing and not in the queue, under the same name. One job collects
// after all of them.
func TestSubmitAgain(t *testing.T) {
	const count = "cat > /dev/null; n=$(cat n 2>/dev/null || echo 16); echo $((n + 1)) | tee n"
	calls := fake(t, map[string]string{"squeue": "cat queue", "sbatch": count})
	s := some(t)
	first, err := s.Submit(t.Context())
	require.NoError(t, err)
	require.Empty(t, calls("squeue"), "there is nothing to ask for")
	bin := filepath.SplitList(os.Getenv("PATH"))[0]
	queue := func(lines ...string) {
		text := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "NAME", first.Name)
		require.NoError(t, os.WriteFile(filepath.Join(bin, "queue"), []byte(text), 0o600))
	}
	calls("sbatch")

	queue("17|1|RUNNING|NAME|n1|None", "17|2|PENDING|NAME||JobHeldUser", "17|3|CANCELLED|NAME||None",
		"17|5|COMPLETING|NAME|n2|None", "17|12|FAILED|NAME|n1|NonZeroExitCode",
		"17|4|SIGNALING|NAME|n1|None", "18|N/A|PENDING|NAME-collect||Dependency")
	x, err := s.Submit(t.Context())
	require.NoError(t, err)
	require.Equal(t, &Submission{
		Name: first.Name, Array: "19", Queued: []int{3, 5, 12}, Already: []int{1, 2}, Collect: "20",
	}, x)
	asked := "--noheader\n--array\n--states=all\n--name=NAME,NAME-collect\n--format=%F|%K|%T|%j|%N|%r"
	require.Equal(t, []string{strings.ReplaceAll(asked, "NAME", first.Name)}, calls("squeue"))
	list := calls("sbatch")
	require.Contains(t, list[0], "--array=3,5,12\n")
	require.Contains(t, list[1], "--dependency=afterany:17:19\n")
	require.Equal(t, []string{"18"}, calls("scancel"))

	// If all shares are queued, only the job that collects is submitted, if it is missing.
	all := []string{
		"17|1|RUNNING|NAME|n1|None", "17|2|PENDING|NAME||None", "19|3|PENDING|NAME||None", "19|5|PENDING|NAME||None",
		"19|12|PENDING|NAME||None",
	}
	queue(append(all, "20|N/A|PENDING|NAME-collect||Dependency")...)
	x, err = s.Submit(t.Context())
	require.NoError(t, err)
	require.Equal(t, &Submission{Name: first.Name, Already: s.Missing, Collect: "20"}, x)
	require.Empty(t, calls("sbatch"))
	queue(append(all, "20|N/A|PENDING|NAME-collect||Dependency", "22|N/A|PENDING|NAME-collect||Dependency")...)
	x, err = s.Submit(t.Context())
	require.NoError(t, err)
	require.Equal(t, "20", x.Collect, "the first of them")
	queue(all...)
	x, err = s.Submit(t.Context())
	require.NoError(t, err)
	require.Equal(t, "21", x.Collect)
	require.Contains(t, calls("sbatch")[0], "--dependency=afterany:17:19\n")
	require.Empty(t, calls("scancel"))

	// With another number of shares in the queue, points would run twice.
	s.Parts, s.Missing = 6, []int{1, 2}
	_, err = s.Submit(t.Context())
	require.ErrorAs(t, err, new(*simerr.Usage))
	require.EqualError(t, err, "5 shares of 12 are in the queue, and --slurm 6 would run the same points again: "+
		"use --slurm 12, or cancel them first: scancel --name="+first.Name)
	queue("17|5|RUNNING|NAME|n1|None")
	_, err = s.Submit(t.Context())
	require.ErrorContains(t, err, "1 share of 12 is in the queue")
	queue("20|N/A|PENDING|NAME-collect||Dependency", "19|3|CANCELLED|NAME||None")
	x, err = s.Submit(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, first.Name, x.Name)
	require.Equal(t, []string{"20"}, calls("scancel"))

	s.Missing = nil
	x, err = s.Submit(t.Context())
	require.NoError(t, err)
	require.Equal(t, &Submission{}, x)
}

// Sweeps that cannot be submitted give errors in words, and nothing is queued.
func TestRefused(t *testing.T) {
	fake(t, map[string]string{
		"sbatch": "cat > /dev/null; echo 'sbatch: error: invalid partition specified: x' >&2; exit 1",
	})
	s := some(t)
	refused := func(want string) {
		t.Helper()
		_, err := s.Submit(t.Context())
		require.ErrorAs(t, err, new(*simerr.Usage))
		require.ErrorContains(t, err, want)
	}
	refused("Slurm refuses: sbatch: error: invalid partition specified: x")
	s.Args = []string{"-p"}
	refused("must be a long option")
	s.Args = nil
	for _, bad := range []string{`a\b`, "a\nb"} {
		s.Dir = bad
		refused("its name has a backslash or a control character")
	}
	s.Dir = "s"

	lock := filepath.Join("s", jobsDir, "submitting")
	require.NoError(t, os.Mkdir(lock, 0o700))
	refused("the sweep in s is being submitted by another process")
	require.NoError(t, os.Remove(lock))

	require.NoError(t, os.WriteFile(recordPath("s"), nil, 0o600))
	refused("job.json is damaged, or from another emsim: remove it")
	_, err := QueryState(t.Context(), "s")
	require.ErrorContains(t, err, "job.json is damaged")
	require.NoError(t, os.RemoveAll("s"))
	require.NoError(t, os.WriteFile("s", nil, 0o600))
	refused("the jobs need a directory")

	fake(t, map[string]string{"sbatch": "echo 'Submitted batch job 3'"})
	s.Dir = "t"
	refused(`sbatch says "Submitted batch job 3", where the number of a job is expected`)
	fake(t, map[string]string{
		"sbatch": "cat > /dev/null; if [ -e done ]; then echo no >&2; exit 1; fi; echo '3;far' | tee done",
	})
	s.Dir = "u"
	refused("array 3 is queued, but not the job that makes the table; the same command queues it: Slurm refuses: no")

	fake(t, map[string]string{"squeue": "echo waiting >&2; exec sleep 60"})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = s.Submit(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	t.Setenv("PATH", t.TempDir())
	require.ErrorContains(t, Ready(),
		"sbatch, a command of Slurm, is not on this computer: submit from one where sbatch works")
}

// lookAt submits a sweep and returns a function that queries it, with a squeue that runs the given script. NAME stands
// for the name of the jobs.
func lookAt(t *testing.T) (sent *Submission, look func(squeue string) *State) {
	t.Helper()
	fake(t, nil)
	s := some(t)
	x, err := QueryState(t.Context(), "s")
	require.NoError(t, err)
	require.Nil(t, x, "it was not submitted")
	sent, err = s.Submit(t.Context())
	require.NoError(t, err)
	named := func(text string) string { return strings.ReplaceAll(text, "NAME", sent.Name) }
	return sent, func(squeue string) *State {
		t.Helper()
		fake(t, map[string]string{"squeue": named(squeue)})
		x, err := QueryState(t.Context(), "s")
		require.NoError(t, err)
		require.Equal(t, sent.Name, x.Name)
		require.Equal(t, 12, x.Parts)
		return x
	}
}

// QueryState returns the state of a sweep in Slurm.
func TestLook(t *testing.T) {
	sent, look := lookAt(t)
	x := look("printf 'CLUSTER: far\n19|3|PENDING|NAME||Resources\n17|12|RUNNING|NAME|n1|None\n" +
		"17|2|FAILED|NAME|n2|NonZeroExitCode\n20|N/A|PENDING|NAME-collect||Dependency\n17|N/A|CANCELLED|NAME||None\n'")
	require.Equal(t, []Task{
		{"19_3", 3, false, "PENDING", "Resources", ""},
		{"17_12", 12, false, "RUNNING", "", "n1"},
		{"17_2", 2, false, "FAILED", "NonZeroExitCode", "n2"},
		{"20", 0, true, "PENDING", "Dependency", ""},
		{"17", 0, false, "CANCELLED", "", ""},
	}, x.Tasks)
	for i, task := range x.Tasks {
		require.Equal(t, i == 2 || i == 4, task.IsOver())
	}
	require.Empty(t, x.Message)

	x = look("true")
	require.Equal(t, []Task{}, x.Tasks)
	require.Empty(t, x.Message)
	x = look("echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1")
	require.Equal(t, "Slurm does not answer: what became of the jobs named "+sent.Name+
		" is not known (slurm_load_jobs error: Unable to contact slurm controller)", x.Message)
	require.Contains(t, look("exit 3").Message, "(squeue: exit status 3)")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := QueryState(ctx, "s")
	require.ErrorIs(t, err, context.Canceled)

	t.Setenv("PATH", t.TempDir())
	x, err = QueryState(t.Context(), "s")
	require.NoError(t, err)
	require.Equal(t, "squeue, a command of Slurm, is not on this computer: what became of the jobs named "+sent.Name+
		" is not known here", x.Message)
}

// The name of the jobs contains the name of the sweep, as far as Slurm permits.
func TestNames(t *testing.T) {
	s := some(t)
	require.NoError(t, os.MkdirAll(filepath.Join("s", jobsDir), 0o700))
	for file, want := range map[string]string{
		"a/big one.toml": "emsim-big_one-", ".toml": "emsim-sweep-",
		"日本,%j.toml": "emsim-_j-", strings.Repeat("x", 99) + ".toml": "emsim-" + strings.Repeat("x", 40) + "-",
	} {
		s.File = file
		r, err := s.newRecord()
		require.NoError(t, err)
		require.Equal(t, want, r.Name[:len(r.Name)-8])
		again, err := readRecord("s")
		require.NoError(t, err)
		require.Equal(t, r, again)
	}
}

// A record is accepted only in the form in which it was written.
func TestRecords(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll(jobsDir, 0o700))
	read := func(text string) error {
		require.NoError(t, os.WriteFile(recordPath("."), []byte(text), 0o600))
		_, err := readRecord(".")
		return err
	}
	require.NoError(t, read(`{"name": "emsim-a-01234567", "shares": 1}`))
	for _, bad := range []string{
		"", "[]", `{"name": "all of them", "shares": 1}`, `{"name": "emsim-a-01234567", "shares": 0}`,
		`{"name": "emsim-a-01234567"}`,
	} {
		require.ErrorContains(t, read(bad), "job.json is damaged, or from another emsim: remove it")
	}
}

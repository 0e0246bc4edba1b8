//go:build unix

package command

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// hung is the time after which a process that should have ended counts as hung.
const hung = time.Minute

const loopProgram = "\n        .start main\nmain:   jmp main\n"

// inLoop is said of a run that the user interrupts in loopProgram.
const inLoop = "after [0-9,]+ clocks \\(run\\)\n  PE \\[0,0\\], EXU: .*main, loop.s:3"

// slow lists a command line of more than a minute for every command that may take long. keys are the keys of its JSON
// error, besides kind and message, when the user interrupts it.
var slow = []struct {
	line, keys string
	want       string // a part of the message
}{
	{"run loop.s", "statistics.clocks clock waits", inLoop},
	{"run loop.s --runs 3 --checkpoint c.ckp --stats s.csv --series w.csv", "statistics.clocks checkpoint", "to continue: emsim run --resume c.ckp"},
	{"run loop.s --seeds 3", "statistics.clocks clock waits", inLoop},
	{"run bootloop.s", "clock waits", "\\(init\\)\n  PE \\[0,0\\], EXU: .*init, bootloop.s:4"},
	{"trace loop.s --pes 80 -o t.pftrace.gz", "partial.events clock waits", "main, loop.s:3"},
	{"net traffic --clocks 1000000000000 --stats n.csv", "statistics.delivered clock", "after [0-9,]+ clocks"},
	{"asm long.s", "", "while long.s was assembled"},
	{"dis long.s", "", "before it was finished"},
	{"run long.s", "", "while the program long.s and the machine were made"},
	{"sweep grid.toml", "done total directory", "with [0-9]+ of [0-9]+ runs in grid.sweep"},
	{"mnc run --items 10000000 --pes 128 --series m.csv --sample 100000", "statistics.transfers clock delivered", "results at the sink"},
	{"mnc run --items 10000000 --pes 128 --every-clock", "statistics.transfers", "results at the sink"},
	{"ask held fib 25", "", "while the run was recorded"},
	{"mnc ask idle --items 10000000 --loops 100000 --pes 128", "", "while the run was recorded"},
	{"rhinet run --nodes 64 --application heat --steps 1000000", "statistics.ranks iterations", "in loop [0-9]+, after"},
	{"rhinet run --rows 1048576", "statistics.ranks", "in loop"},
	{"spmd run --processors 100 --topology tree --loaded none --tasks 9000 --interval 300ms --events e.csv", "statistics.tasks", "tasks done"},
	{"spmd run --seeds 10000 --tasks 300", "", "of 10,000 runs"},
	{"spmd run --seeds 10000 --tasks 300 --vs seed=7", "", "after 0 of 2 machines"},
	{"pdes run --slots 2000000000", "statistics.packets clock slots", "every LP ran [0-9]+ of 2000000000 slots"},
	{"pdes run --map exact --stages 5 --shape 16x8 --network torus", "", "during the search for the map of --map exact"},
	{"pdes run --map anneal --objective load --stages 7 --shape 16x32", "", "during the search for the map of --map anneal"},
	{"pdes run --map greedy --objective load --stages 7 --shape 8x8x8", "", "during the search for the map of --map greedy"},
	{"pdes run --slots 1000000 --migrate-at 1 --objective load --stages 7 --shape 8x8x8", "statistics.placement", "after [0-9,]+ clocks"},
	{"pdes cost --stages 5 --shape 16x8 --network torus", "", "during the search for the best map"},
	{"pdes cost --all --b 1.1", "partial", "of 10 machines"},
	{"pdes calibrate --shape 32x32 --network torus", "partial.t0 partial.b_own", "before all was measured"},
	{"pdes scatter --runs 100000", "partial.runs", "of 100000 runs per map"},
	{"balance run --workload poisson --load 0.99 --workers 5000 --grain 300 --policy dlb", "", "before it was finished"},
	{"balance compare --full", "partial", "with [0-9]+ of [0-9]+ rows"},
	{"balance compare --sensitivity", "partial", "with [0-9]+ lines"},
	{"balance limit --workers 256", "partial", "with [0-9]+ of 56 limits"},
	{"verify", "partial", "after [0-9]+ of [0-9]+ rows"},
	{"calibrate --csv k.csv", "partial", "after [0-9]+ of [0-9]+ settings"},
	{"report -o r.html", "partial.done partial.parts", "r.html was not written"},
	{"report loop.s -o r.html", "clock waits", inLoop},
	{"profile loop.s --pprof p.pprof", "clock waits", inLoop},
	{"plot timeline loop.s -o p.svg", "clock waits", "main, loop.s:3"},
	{"plot speedup loop.s -o p.svg", "clock waits", "main, loop.s:3"},
	{"plot motion loop.s -o p.svg", "clock waits", "main, loop.s:3"},
	{"plot mnc-efficiency -o p.svg", "", "p.svg was not written"},
	{"grade forever.toml loop.s", "partial.verdicts", "after 0 of 1 files"},
	{"diff loop.s --vs seed=2", "clock waits", inLoop},
	{"again long.json", "", "long.json cannot be made again.*\n?.*before it was made again"},
	{"net --pes 1114112", "", "before it was finished"},
	{"build slow.go", "", "while slow.go was compiled: nothing was written"},
	{"plot blocks slow.go -o p.svg", "", "while slow.go was compiled: p.svg was not written"},
}

// atOnce maps the commands without their own handling of signals to the reason.
var atOnce = map[string]string{
	"licenses": "prints a text that it holds", "docs": "prints a text that it holds",
	"cite":                  "prints a text that it holds",
	"":                      "prints help",
	"help":                  "prints help",
	"completion bash":       "prints a script",
	"completion fish":       "prints a script",
	"completion powershell": "prints a script",
	"completion zsh":        "prints a script",
	"balance validate":      "prints a table that it holds",
	"debug":                 "has tests of its own: TestDebugger*",
	"machine show":          "prints a few parameters",
	"mnc topology":          "prints a wiring of at most 128 PEs",
	"new":                   "writes a text that it holds",
	"pdes patterns":         "runs 32 packets", "version": "runs a tenth of a second",
	"play": "has a test of its own: TestPlayEndsBySignal",
}

func init() {
	eachLooker(func(path, _, _ string) {
		if path != "mnc ask" {
			atOnce[path] = "records a run as mnc ask does"
		}
	})
}

// Every command is in one of the lists: the author of a new one considers how the user ends it.
func TestEveryCommandEnds(t *testing.T) {
	eachCommand(func(path string, cmd *cobra.Command) {
		listed := slices.ContainsFunc(slow, func(s struct{ line, keys, want string }) bool {
			return strings.HasPrefix(s.line+" ", path+" ") && path != ""
		})
		require.True(t, listed != (atOnce[path] != ""), "%s wants a line in slow, or a reason in atOnce", path)
	})
}

// workplace makes a directory with the programs of the tests.
func workplace(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"loop.s":     loopProgram,
		"bootloop.s": "\n        .init init\n        .start main\ninit:   jmp init\nmain:   out! r0\n",
		"long.s": "        .start main\nmain:   out! r0\n" +
			strings.Repeat("        .if 1+2*3-4\n        .endif\n", 200_000),
		"slow.go": slowGo(),
		"large.go": "package main\n\n//emsim:arg n 1 9\nfunc f(n int32) int32 {\n" +
			strings.Repeat("\tn = n + 1\n", 50_000) + "\treturn n\n}\n",
		"place.go": "package main\n\n//emsim:arg n 1 40\nfunc f(n int32) int32 {\n\tif n < 3 {\n\t\treturn 1\n" +
			"\t}\n\treturn f(n-1) + f(n-2)\n}\n",
		"long.json":    `{"recipe": {"fingerprint": "f", "command": "emsim mnc run --items 10000000 --pes 128 --json"}}`,
		"forever.toml": "kind = 'program'\nprogram = 'loop.s'\nsolution = 'loop.s'\n",
		"grid.toml":    "title = \"Endless\"\n[[grid]]\nprogram = [\"loop.s\"]\npes = [12, 80]\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// process is the command as a separate process.
type process struct {
	*exec.Cmd
	out, errs bytes.Buffer
	ended     chan struct{}
}

// hearSignals lets the processes of a test receive signals that it ignores, as after '&' in a script.
func hearSignals() {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}

func launch(t *testing.T, dir string, change func(p *process), name string, args ...string) *process {
	p := &process{Cmd: exec.Command(name, args...), ended: make(chan struct{})}
	p.Dir, p.Stdout, p.Stderr = dir, &p.out, &p.errs
	if change != nil {
		change(p)
	}
	hearSignals()
	require.NoError(t, p.Start())
	go func() {
		_ = p.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill()
		<-p.ended
	})
	return p
}

// wait waits for the end of the process.
func (p *process) wait(t *testing.T) {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(hung):
		t.Fatalf("%v does not end", p.Args)
	}
}

// killed reports which signal ended the process, if one did.
func (p *process) killed() (syscall.Signal, bool) {
	s := p.ProcessState.Sys().(syscall.WaitStatus)
	return s.Signal(), s.Signaled()
}

// interrupted runs a command and sends it a signal during its work. If the command had not begun its work, it tries
// again with a longer delay.
func interrupted(t *testing.T, dir, said string, s syscall.Signal, args ...string) *process {
	t.Helper()
	for delay := 120 * time.Millisecond; ; delay *= 4 {
		p := launch(t, dir, nil, "emsim", args...)
		select {
		case <-p.ended:
		case <-time.After(delay):
			require.NoError(t, ignoreDone(p.Process.Signal(s)))
			p.wait(t)
		}
		output := strings.ReplaceAll(p.out.String(), `\n`, "\n") + p.errs.String()
		if regexp.MustCompile(said).MatchString(output) || delay > 3*time.Second {
			return p
		}
	}
}

// eachSignal returns SIGINT for even i and SIGTERM for odd i.
func eachSignal(i int) (string, syscall.Signal) {
	if i%2 == 0 {
		return "SIGINT", syscall.SIGINT
	}
	return "SIGTERM", syscall.SIGTERM
}

// has reports whether an object has a key, such as "statistics.clocks".
func has(v any, key string) bool {
	for _, k := range strings.Split(key, ".") {
		m, ok := v.(map[string]any)
		if v = m[k]; !ok || v == nil {
			return false
		}
	}
	return true
}

// The first signal ends every command, and the command reports its results so far. Both signals are handled alike: each
// is sent to every other command.
func TestInterrupts(t *testing.T) {
	dir := workplace(t)
	for i, c := range slow {
		name, s := eachSignal(i)
		t.Run(name+" "+strings.ReplaceAll(c.line, "/", "_"), func(t *testing.T) {
			p := interrupted(t, dir, c.want, s, append(strings.Fields(c.line), "--json")...)
			require.Equal(t, 1, p.ProcessState.ExitCode(), "%v%s%s", p.ProcessState, &p.out, &p.errs)
			var answer struct{ Error map[string]any }
			require.NoError(t, json.Unmarshal(p.out.Bytes(), &answer), "%s", &p.out)
			require.Equal(t, "interrupted", answer.Error["kind"])
			require.Equal(t, name, answer.Error["signal"])
			require.Regexp(t, "interrupted by "+name, answer.Error["message"])
			require.Regexp(t, c.want, answer.Error["message"])
			for _, key := range strings.Fields(c.keys) {
				require.True(t, has(answer.Error, key), "%s is missing in %s", key, &p.out)
			}
		})
	}
	for file, has := range map[string]bool{
		"c.ckp": true, "s.csv": true, "w.csv": true, "n.csv": true, "m.csv": true, "e.csv": true, "t.pftrace.gz": true,
		"r.html": false, "p.svg": false,
	} {
		info, err := os.Stat(filepath.Join(dir, file))
		require.Equal(t, has, err == nil && info.Size() > 0, file)
	}
	text, err := os.ReadFile(filepath.Join(dir, "s.csv"))
	require.NoError(t, err)
	require.Regexp(t, `1,pe,0,0,,,instructions,[1-9]`, string(text))
}

// Without --json the answer so far is a table, and the signal is in a message.
func TestInterruptInText(t *testing.T) {
	p := interrupted(t, workplace(t), "interrupted by", syscall.SIGHUP, "mnc", "run", "--items", "10000000")
	require.Equal(t, 1, p.ProcessState.ExitCode())
	require.Regexp(t, `^statistics until it stopped:\n\n10,000,000 data of 100 loops: \d+ % done +MNC, 16 PEs`,
		p.out.String())
	require.Regexp(t,
		`^emsim: interrupted by SIGHUP after [0-9,]+ clocks, with [0-9]+ of 10000000 results at the sink\n$`,
		p.errs.String())
}

// traced starts a trace to a standard output that is never read, so the writer blocks. When traced returns, the command
// handles signals.
func traced(t *testing.T, name string, args ...string) (*process, io.Reader) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	p := launch(t, workplace(t), func(p *process) { p.Stdout = w }, name, args...)
	t.Cleanup(func() { r.Close() })
	require.NoError(t, w.Close())
	_, err = io.ReadFull(r, make([]byte, 10))
	require.NoError(t, err)
	return p, r
}

// Signals ignored by nohup stay ignored.
func TestIgnoredSignals(t *testing.T) {
	p, out := traced(t, "sh", "-c", `trap "" HUP INT; exec emsim trace loop.s`)
	require.NoError(t, p.Process.Signal(syscall.SIGHUP))
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	time.Sleep(50 * time.Millisecond)
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	_, _ = io.Copy(io.Discard, out)
	p.wait(t)
	require.Equal(t, 1, p.ProcessState.ExitCode())
	require.Contains(t, p.errs.String(), "interrupted by SIGTERM")
}

// A command that has ended leaves no goroutines in the process.
func TestNothingRunsOn(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		status, _, _ := emsim("nosuch")
		require.Equal(t, wrong, status)
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() < before+10 }, time.Minute, time.Millisecond)
}

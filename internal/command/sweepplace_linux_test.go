package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/slurm"
	"emsim/internal/study/sweep"
)

// place is a directory in which sweeps run as separate processes.
type place struct {
	t   *testing.T
	dir string
}

// begin starts 'emsim sweep' and returns the process.
func (w *place) begin(args ...string) *process {
	w.t.Helper()
	return launch(w.t, w.dir, nil, "emsim", append([]string{"sweep"}, args...)...)
}

// sweep runs 'emsim sweep' and parses its answer, unless answer is nil. It checks the exit status.
func (w *place) sweep(status int, answer any, args ...string) *process {
	w.t.Helper()
	if answer != nil {
		args = append(args, "--json")
	}
	p := w.begin(args...)
	p.wait(w.t)
	require.Equal(w.t, status, p.ProcessState.ExitCode(), "%v\n%s%s", args, &p.out, &p.errs)
	if answer != nil {
		require.NoError(w.t, json.Unmarshal(p.out.Bytes(), answer))
	}
	return p
}

// statusAnswer is the output of 'emsim sweep --status --json'.
type statusAnswer struct {
	Points, Runs, Done, Running, Failed, Missing int
	Processes                                    []sweep.Process
	Failures                                     []struct{ Command, Message string }
	Discarded                                    []string
	Slurm                                        *slurm.State
}

// status returns the answer of --status.
func (w *place) status(file string, args ...string) (x statusAnswer) {
	w.t.Helper()
	w.sweep(0, &x, append([]string{file, "--status"}, args...)...)
	return x
}

// write writes a file into the directory.
func (w *place) write(name, text string) {
	w.t.Helper()
	require.NoError(w.t, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600))
}

// read returns the text of a file in the directory.
func (w *place) read(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	require.NoError(w.t, err)
	return string(text)
}

// results returns the files of a store's results, each with a text that distinguishes a new file from an old one.
func (w *place) results(store string) map[string]string {
	w.t.Helper()
	all := map[string]string{}
	files, err := filepath.Glob(filepath.Join(w.dir, store, "*pes-*.json"))
	require.NoError(w.t, err)
	for _, file := range files {
		info, err := os.Stat(file)
		require.NoError(w.t, err)
		all[filepath.Base(file)] = fmt.Sprint(info.Sys().(*syscall.Stat_t).Ino, info.ModTime())
	}
	return all
}

// caught stops a process of a store in the middle of a point whose name begins with point. It returns the process's
// number and share.
func (w *place) caught(store, point string) (pid int, share string) {
	w.t.Helper()
	for begin := time.Now(); time.Since(begin) < hung; time.Sleep(2 * time.Millisecond) {
		marks, _ := filepath.Glob(filepath.Join(w.dir, store, point+"*.begun"))
		for _, mark := range marks {
			var who sweep.Who
			inPoint := func() bool {
				text, err := os.ReadFile(mark)
				if err != nil || json.Unmarshal(text, &who) != nil {
					return false
				}
				_, err = os.Stat(strings.TrimSuffix(mark, "begun") + "json")
				return os.IsNotExist(err) // the result exists before the mark is removed
			}
			if !inPoint() || syscall.Kill(who.PID, syscall.SIGSTOP) != nil {
				continue
			}
			if stopped(who.PID); inPoint() {
				return who.PID, who.Part
			}
			_ = syscall.Kill(who.PID, syscall.SIGCONT)
		}
	}
	w.t.Fatal("no process runs a point")
	return 0, ""
}

// stopped waits until no thread of a process runs, because a thread may first finish its system call.
func stopped(pid int) {
	for begin := time.Now(); time.Since(begin) < hung; time.Sleep(2 * time.Millisecond) {
		stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		if !slices.ContainsFunc(stats, func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && !bytes.Contains(text, []byte(") T "))
		}) {
			return
		}
	}
}

// oneTo returns the list 1, 2, ..., n for a sweep file.
func oneTo(n int) string {
	var list []string
	for i := range n {
		list = append(list, strconv.Itoa(i+1))
	}
	return strings.Join(list, ", ")
}

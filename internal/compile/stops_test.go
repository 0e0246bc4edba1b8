package compile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/simerr"
	"emsim/internal/compile"
	"emsim/internal/compile/panics"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/run"
)

// wholeProgram is a program of testdata/stops: an entry, and a func main that prints what it returns.
type wholeProgram struct {
	name, file, binary, src string
	runs                    [][]int64
}

// wholePrograms builds programs with the Go compiler for machines whose words have 32 bits.
func wholePrograms(t *testing.T, names ...string) (list []wholeProgram) {
	for _, name := range names {
		file := filepath.Join("testdata", "stops", name+".go")
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		p := wholeProgram{name, file, filepath.Join(t.TempDir(), name), string(src), nil}
		p.runs = runsOf(t, file, p.src)
		build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", p.binary, file)
		build.Env = append(os.Environ(), "GOARCH=386", "GOFLAGS=")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
		list = append(list, p)
	}
	return list
}

// whereAt matches where a goroutine of Go is, in the program's own text.
var whereAt = regexp.MustCompile(`(?m)^(?:goroutine \d+ \[([\w ]+)\]:|\t.*/(\w+\.go:\d+)(?: |$))`)

// ofRuntime matches the panics of Go itself.
var ofRuntime = regexp.MustCompile(`^(index out of range|integer divide by zero|negative shift amount|` +
	`(send on|close of) closed channel)$`)

// goStop runs a program as Go does. It returns what it prints, and how it stops: "panic: WHY, line LINE", or all its
// goroutines, each as "line LINE: STATE".
func (p *wholeProgram) goStop(t *testing.T, args []int64) (prints string, stops []string) {
	cmd := exec.CommandContext(t.Context(), p.binary, strings.Fields(argText(args))...)
	var out, errs strings.Builder
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "GOTRACEBACK=all", "GODEBUG=asyncpreemptoff=1"), &out, &errs
	if err := cmd.Run(); err != nil {
		skipWithout(t, err.Error(), []string{"GOARCH=386"})
	}
	text := errs.String()
	why, dies := "", false
	if why, dies = strings.CutPrefix(text, "panic: "); dies {
		why, _, _ = strings.Cut(strings.TrimPrefix(why, "runtime error: "), "\n")
		if why, _, _ = strings.Cut(why, " ["); !ofRuntime.MatchString(why) {
			why = "it called panic"
		}
	}
	state := ""
	for _, m := range whereAt.FindAllStringSubmatch(text, -1) {
		switch at, ofProgram := strings.CutPrefix(m[2], p.name+".go:"); {
		case m[1] != "":
			state = m[1]
		case !ofProgram || state == "":
		case dies && state == "running":
			return out.String(), []string{fmt.Sprintf("panic: %s, line %s", why, at)}
		default:
			stops, state = append(stops, fmt.Sprintf("line %s: %s", at, state)), ""
		}
	}
	if dies {
		t.Fatalf("no line of a panic in %s", text)
	}
	slices.Sort(stops)
	return out.String(), stops
}

// stop returns how a program stops on the machine, in the same form.
func stop(t *testing.T, target *run.Target, args []int64) (prints string, stops []string) {
	require.NoError(t, target.SetArgs(args))
	r, err := target.Run(context.Background(), target.Words, em4.RunOptions{MaxClocks: 1_000_000})
	err = target.Located(err)
	var fault *emcr.Fault
	var asleep *run.Asleep
	switch {
	case err == nil:
		return target.ResultText(r.Words, 9) + "\n", nil
	case errors.As(err, &fault):
		text, ok := panics.Text(target.Object.NameAt(fault.PC))
		require.True(t, ok, "%v", err)
		why := strings.TrimPrefix(text, "the program panics: ")
		_, line, _ := strings.Cut(fault.Source, ":")
		return "", []string{fmt.Sprintf("panic: %s, line %s", why, line)}
	}
	require.ErrorAs(t, err, &asleep)
	require.Equal(t, simerr.KindDeadlock, simerr.Kind(err))
	for _, s := range asleep.Goroutines {
		require.Equal(t, filepath.Base(target.Name), filepath.Base(s.File))
		for range s.Count {
			stops = append(stops, fmt.Sprintf("line %d: %s", s.Line, s.Does))
		}
	}
	slices.Sort(stops)
	return "", stops
}

// Programs stop as Go's do: with the same panic in the same line, or with goroutines that all wait, in the same lines.
func TestStopsAsGo(t *testing.T) {
	for _, p := range wholePrograms(t, "closes", "deadlock", "index", "numbers", "arraystops") {
		for way, opt := range everyWay {
			o := assemble(t, p.name+".go", p.src, opt, nil)
			for _, args := range p.runs {
				_, want := p.goStop(t, args)
				for tries := 0; want == nil && tries < 20; tries++ { // Go's main may end before another goroutine panics
					_, want = p.goStop(t, args)
				}
				require.NotEmpty(t, want, "%s %v", p.name, args)
				for _, pes := range []int{4, 80} {
					target, err := run.Build(p.name+".go", o, machinefile.ForSize(pes), 1)
					require.NoError(t, err)
					require.NoError(t, target.Boot(context.Background(), 1_000_000))
					_, got := stop(t, target, args)
					require.Equal(t, want, got, "%s %v, way %d, %d PEs", p.name, args, way, pes)
				}
			}
		}
	}
}

// A program has ended when its entry has returned, whatever goroutines still do, and as Go's: in the same clock and
// with the same state on any number of threads. The machine is only good for a next run if they end soon.
func TestEndsWithItsAnswer(t *testing.T) {
	for _, p := range wholePrograms(t, "ends", "arrayends") {
		endsWithItsAnswer(t, p)
	}
}

func endsWithItsAnswer(t *testing.T, p wholeProgram) {
	o := assemble(t, p.name+".go", p.src, compile.Options{}, nil)
	for _, args := range p.runs {
		want, stops := p.goStop(t, args)
		if args[0] == 1 { // in Go the panic races with the end
			want, stops = map[string]string{"ends": "11\n", "arrayends": "[10 21 12]\n"}[p.name], nil
		}
		require.Empty(t, stops)
		var hashes []uint64
		for _, threads := range []int{1, 3, 0} {
			target, err := run.Build(p.name+".go", o, machinefile.ForSize(192), 1)
			require.NoError(t, err)
			require.NoError(t, target.Boot(context.Background(), 1_000_000))
			if target.SetThreads(max(1, threads)); threads == 0 {
				target.SetEager(true)
			}
			got, stops := stop(t, target, args)
			require.Empty(t, stops)
			require.Equal(t, want, got)
			h, _ := target.Hash(nil)
			hashes = append(hashes, h, target.Clock())

			limited := run.New(target, run.Plan{Runs: 2, MaxClocks: 500})
			require.Equal(t, args[0] >= 4, target.Quiet())
			limited.Done = make([]em4.Totals, 1)
			if err := limited.Begin(); args[0] < 4 {
				require.ErrorContains(t, err, "run 2 cannot begin: goroutines of the run before it have not ended")
			} else {
				require.NoError(t, err)
			}
		}
		require.Equal(t, slices.Repeat(hashes[:2], 3), hashes)
	}
}

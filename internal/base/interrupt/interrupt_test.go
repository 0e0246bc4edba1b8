//go:build unix

package interrupt

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain makes the tests work also under nohup, which ignores SIGHUP.
func TestMain(m *testing.M) {
	listen(syscall.SIGHUP)
	if child := children[os.Getenv(childEnv)]; child != nil {
		child()
		return
	}
	m.Run()
}

// childEnv is the environment variable that makes a process of this test a child.
const childEnv = "EMSIM_INTERRUPT_CHILD"

// children are the bodies of processes that get signals. Those that survive print a line.
var children = map[string]func(){
	"a second signal": func() {
		ctx, _ := New(context.Background())
		self(syscall.SIGTERM, ctx)
		self(syscall.SIGTERM, nil)
	},
	"a second SIGINT in a part": func() {
		_, part, _ := inPart()
		self(syscall.SIGINT, part)
		self(syscall.SIGINT, nil)
	},
	"SIGINT after the command has ended": func() {
		ctx, part, stop := inPart()
		self(syscall.SIGINT, part)
		self(syscall.SIGTERM, ctx)
		stop()
		self(syscall.SIGINT, nil)
	},
	"SIGINT between parts lives": func() {
		_, part, stop := inPart()
		self(syscall.SIGINT, part)
		stop()
		for range 3 { // there is no part in progress to end
			self(syscall.SIGINT, nil)
		}
	},
}

func inPart() (ctx, part context.Context, stop func()) {
	ctx, w := New(context.Background())
	w.Parts()
	part, stop = w.Part(ctx)
	return ctx, part, stop
}

// self sends a signal to this process and waits for it to end the context. Without a context it waits for the process
// to die.
func self(s syscall.Signal, ends context.Context) {
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		panic(err)
	}
	if ends != nil {
		<-ends.Done()
		return
	}
	time.Sleep(300 * time.Millisecond)
	os.Stdout.WriteString("alive")
}

func TestWhatKills(t *testing.T) {
	for name := range children {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"="+name)
		out, err := cmd.Output()
		if strings.HasSuffix(name, "lives") {
			require.NoError(t, err, name)
			require.Equal(t, "alivealivealive", string(out), name)
			continue
		}
		require.ErrorContains(t, err, "signal: ", name)
		require.Empty(t, out, name)
	}
}

// After Stop, no goroutine waits for signals.
func TestStopEndsTheWatch(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 50 {
		_, w := New(t.Context())
		w.Stop()
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() < before+40 }, 10*time.Second, time.Millisecond)
}

// listen stops a signal from being ignored, which signal.Reset does not.
func listen(s os.Signal) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, s)
	signal.Stop(c)
}

func send(t *testing.T, s syscall.Signal) {
	require.NoError(t, syscall.Kill(os.Getpid(), s))
}

func TestSignalsEndTheContext(t *testing.T) {
	for s, name := range map[syscall.Signal]string{
		syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM",
		syscall.SIGHUP: "SIGHUP",
	} {
		ctx, w := New(t.Context())
		require.NoError(t, ctx.Err())
		send(t, s)
		<-ctx.Done()
		require.True(t, Ended(ctx.Err()))
		below, cancel := context.WithCancel(ctx)
		err := Of(below, "after %d of %d rows", 3, 7).With("rows", 3)
		cancel()
		require.EqualError(t, err, "interrupted by "+name+" after 3 of 7 rows")
		require.Equal(t, map[string]any{"rows": 3, "signal": name}, err.Details())
		require.Equal(t, "interrupted", err.Kind())
		w.Stop()
	}
}

func TestOtherEnds(t *testing.T) {
	ctx, w := New(t.Context())
	w.Stop()
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	err := Of(ctx, "at the end")
	require.EqualError(t, err, "interrupted at the end")
	require.Empty(t, err.Details())
	require.False(t, Ended(nil))
	require.False(t, Ended(err))
}

// SIGINT ends only the part in progress. Between parts it has no effect.
func TestParts(t *testing.T) {
	ctx, w := New(t.Context())
	defer w.Stop()
	w.Parts()
	w.handleSignal(os.Interrupt)
	for range 3 {
		part, stop := w.Part(ctx)
		require.NoError(t, part.Err())
		send(t, syscall.SIGINT)
		<-part.Done()
		require.EqualError(t, Of(part, "there"), "interrupted by SIGINT there")
		require.NoError(t, ctx.Err())
		stop()
	}
	ended, end := w.Part(ctx)
	end()
	require.ErrorIs(t, ended.Err(), context.Canceled)
	part, stop := w.Part(ctx)
	defer stop()
	send(t, syscall.SIGHUP)
	<-part.Done()
	require.EqualError(t, Of(part, "there"), "interrupted by SIGHUP there")
	require.Error(t, ctx.Err())
}

func TestIgnoredStaysIgnored(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer listen(syscall.SIGHUP)
	ctx, w := New(t.Context())
	defer w.Stop()
	require.True(t, signal.Ignored(syscall.SIGHUP))
	send(t, syscall.SIGHUP)
	send(t, syscall.SIGTERM)
	<-ctx.Done()
	require.Equal(t, "SIGTERM", sentTo(ctx))
}

func TestAwait(t *testing.T) {
	n, err := Await(t.Context(), func() (int, error) { return 5, errors.New("so") })
	require.Equal(t, 5, n)
	require.EqualError(t, err, "so")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	never := make(chan int)
	_, err = Await(ctx, func() (int, error) { return <-never, nil })
	require.ErrorIs(t, err, context.Canceled)
	// A panic of the work becomes a panic of the caller, with the place.
	defer func() {
		require.Regexp(t, `(?s)^too far\n.*TestAwait`, recover())
	}()
	_, _ = Await(t.Context(), func() (int, error) { panic("too far") })
}

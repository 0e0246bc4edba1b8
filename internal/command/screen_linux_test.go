package command

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// screenful is a process with the full-screen view on a pseudo-terminal.
type screenful struct {
	*process
	t         *testing.T
	user, tty *os.File
	before    syscall.Termios

	mu   sync.Mutex
	text strings.Builder // its output so far
}

func fill(t *testing.T, env []string, args ...string) *screenful {
	s := &screenful{t: t}
	s.user, s.tty = newTerminal(t)
	s.before = modes(t, s.tty)
	go func() {
		part := make([]byte, 4096)
		for {
			n, err := s.user.Read(part)
			s.mu.Lock()
			s.text.Write(part[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	s.process = launch(t, workplace(t), func(p *process) {
		p.Stdin, p.Stdout, p.Stderr = s.tty, s.tty, &p.errs
		p.Env = append(os.Environ(), append([]string{"TERM=xterm-256color", "XDG_CACHE_HOME=" + t.TempDir()},
			env...)...)
		p.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	}, "emsim", args...)
	return s
}

// written returns the process's output so far.
func (s *screenful) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// until waits for a text in the output after the first n bytes.
func (s *screenful) until(n int, text string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return strings.Contains(s.written()[n:], text) }, hung, 10*time.Millisecond,
		"%q, after %q", text, s.errs.String())
}

// press types keys and waits for a text in the output.
func (s *screenful) press(keys, text string) {
	s.t.Helper()
	n := len(s.written())
	fmt.Fprint(s.user, keys)
	s.until(n, text)
}

// left checks the exit status, and that the terminal is restored.
func (s *screenful) left(status int) {
	s.t.Helper()
	s.wait(s.t)
	require.Equal(s.t, status, s.ProcessState.ExitCode(), "%v: %s", s.ProcessState, s.errs.String())
	require.Equal(s.t, s.before, modes(s.t, s.tty))
	s.until(0, "\x1b[?1049l") // the alternate screen has been left
	require.Greater(s.t, strings.LastIndex(s.written(), "\x1b[?25h"), strings.LastIndex(s.written(), "\x1b[?25l"),
		"the cursor is shown")
}

// The full-screen view works on a terminal: keys, a motion that Ctrl-C ends, a new window size, and every way to leave.
func TestScreenOnATerminal(t *testing.T) {
	s := fill(t, nil, "debug", "--tui", "loop.s")
	s.until(0, "\x1b[?1049h")
	s.until(0, "activity, groups")
	require.NotEqual(t, s.before, modes(t, s.tty), "it reads every key")
	s.press("v", "load")
	s.press("c", "Ctrl-C ends the motion")
	s.press("\x03", "interrupted after ")
	size := [4]uint16{40, 120}
	n := len(s.written())
	_, _, code := syscall.Syscall(syscall.SYS_IOCTL, s.user.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size)))
	require.Zero(t, code)
	s.until(n, strings.Repeat("─", 45))
	s.press("?", "this page")
	s.press("x", "packets")
	fmt.Fprint(s.user, "q")
	s.left(0)
	require.Contains(t, s.written(), "\x1b[1m", "titles are bold")

	s = fill(t, []string{"NO_COLOR=1"}, "debug", "--tui", "loop.s")
	s.until(0, "activity, groups")
	fmt.Fprint(s.user, "\x03")
	s.left(0)
	require.NotRegexp(t, `\x1b\[[1-9][0-9;]*m`, s.written(), "it has no colours")

	for name, signal := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP} {
		s = fill(t, nil, "debug", "--tui", "loop.s")
		s.until(0, "activity, groups")
		s.press("c", "Ctrl-C ends the motion")
		require.NoError(t, s.Process.Signal(signal))
		s.left(1)
		require.Contains(t, s.errs.String(), "interrupted by "+name+" in the full-screen view")
	}
}

// The command screen opens the view from the prompt, and q returns to the prompt.
func TestScreenFromThePrompt(t *testing.T) {
	s := fill(t, nil, "debug", "loop.s")
	s.until(0, "'help' lists the commands")
	s.until(0, "[0,0]) ")
	s.press("screen\r", "activity, groups")
	s.press("S", "clock ")
	s.press("q", "\x1b[?1049l")
	s.press("where\r", "PEs busy")
	fmt.Fprint(s.user, "quit\r")
	s.left(0)
}

// The other machines show the view with --tui, and with the command screen.
func TestMachineScreenOnATerminal(t *testing.T) {
	s := fill(t, nil, "mnc", "debug", "--tui", "--pes", "8", "--items", "60", "--loops", "50")
	s.until(0, "events, 0 of 613")
	s.press("S", "clocks: PE")
	s.press(":screen\r", "needs")
	fmt.Fprint(s.user, "q")
	s.left(0)
	s = fill(t, nil, "mnc", "debug", "--pes", "8", "--items", "60", "--loops", "50")
	s.until(0, "(0) ")
	s.press("screen\r", "events, 0 of 613")
	s.press(":until move\r", "XPUT")
	s.press(":screen\r", "already")
	s.press("q", "\x1b[?1049l")
	s.press("back\r", "learns that")
	fmt.Fprint(s.user, "quit\r")
	s.left(0)
}

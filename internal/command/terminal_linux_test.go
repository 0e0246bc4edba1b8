package command

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// newTerminal opens a pseudo-terminal: user is the user's side, tty the command's.
func newTerminal(t *testing.T) (user, tty *os.File) {
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	control := func(request uintptr, value unsafe.Pointer) {
		_, _, code := syscall.Syscall(syscall.SYS_IOCTL, user.Fd(), request, uintptr(value))
		require.Zero(t, code)
	}
	var unlock, number int32
	size := [4]uint16{24, 80} // the prompt needs room
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() {
		user.Close()
		tty.Close()
	})
	return user, tty
}

// modes returns the modes of a terminal.
func modes(t *testing.T, tty *os.File) (x syscall.Termios) {
	_, _, code := syscall.Syscall(syscall.SYS_IOCTL, tty.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&x)))
	require.Zero(t, code)
	return x
}

// At the prompt, Ctrl-C ends the motion; SIGTERM and SIGHUP end the debugger. It saves its history and restores the
// terminal.
func TestDebuggerOnATerminal(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		user, tty := newTerminal(t)
		cache := t.TempDir()
		state := func() syscall.Termios { return modes(t, tty) }
		before := state()
		x := newReader(user)
		p := launch(t, workplace(t), func(p *process) {
			p.Stdin, p.Stdout, p.Stderr = tty, tty, &p.errs
			p.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "TERM=xterm")
			p.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		}, "emsim", "debug", "loop.s")
		require.True(t, x.until("'help' lists the commands", hung))
		// The prompt has no line end to wait for, and input typed before it appears may be lost. In that case the test
		// types it again.
		tries := 0
		for done := false; !done; done = x.until("interrupted by SIGINT after", 5*time.Second) {
			tries++
			require.Less(t, tries, 10, x.text.String())
			time.Sleep(50 * time.Millisecond)
			fmt.Fprint(user, "continue\r")
			time.Sleep(100 * time.Millisecond)
			fmt.Fprint(user, "\x03") // at the prompt, Ctrl-C discards the line
		}
		for done := false; !done; done = x.until("step 3", 5*time.Second) {
			tries++
			require.Less(t, tries, 20, x.text.String())
			time.Sleep(50 * time.Millisecond)
			fmt.Fprint(user, "step 3\r")
		}
		time.Sleep(50 * time.Millisecond)
		require.NotEqual(t, before, state(), "the prompt reads every key")
		require.NoError(t, p.Process.Signal(s))
		p.wait(t)
		require.Equal(t, 1, p.ProcessState.ExitCode(), "%v", p.ProcessState)
		require.Regexp(t, "interrupted by SIG(TERM|HUP)", p.errs.String())
		require.Equal(t, before, state())
		kept, err := os.ReadFile(filepath.Join(cache, "emsim", "debug_history"))
		require.NoError(t, err)
		require.Equal(t, "continue\nstep 3\n", string(kept))
	}
}

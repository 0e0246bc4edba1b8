package command

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// endless maps the beginnings of lines of slow whose end cannot be known to the reason.
var endless = map[string]string{
	"run loop.s": "a program ends when it ends",
	"run loop.s --runs 3 --checkpoint c.ckp --stats s.csv --series w.csv": "", // the number of runs is known
	"run bootloop.s":    "a program ends when it ends",
	"trace loop.s":      "a program ends when it ends",
	"report loop.s":     "a program ends when it ends",
	"profile loop.s":    "a program ends when it ends",
	"plot motion":       "a program ends when it ends",
	"plot speedup":      "a program ends when it ends",
	"plot timeline":     "a program ends when it ends",
	"diff loop.s":       "a program ends when it ends",
	"asm long.s":        "one text",
	"dis long.s":        "one text",
	"run long.s":        "one text",
	"build slow.go":     "one text",
	"plot blocks":       "one text",
	"plot mnc":          "a figure that is drawn",
	"net --pes":         "one network",
	"mnc ask":           "a record",
	"ask held":          "a record",
	"rhinet run --rows": "loops until the solver converges",
	"pdes run --map":    "a search",
	"pdes run --slots 1000000 --migrate-at 1": "", // the number of slots is known
	"pdes cost --stages":                      "a search",
}

// knowsEnd reports whether the progress of a line is known as a share.
func knowsEnd(line string) bool {
	longest, why := "", ""
	for begin, reason := range endless {
		if strings.HasPrefix(line, begin) && len(begin) > len(longest) {
			longest, why = begin, reason
		}
	}
	return why == ""
}

// watched is a terminal on which a command shows its progress.
type watched struct {
	mu   sync.Mutex
	text string
}

// Write records the command's output.
func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text += string(p)
	return len(p), nil
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text
}

// lines returns the states of the progress line, except erased ones.
func (w *watched) lines() []string {
	all := regexp.MustCompile(`[\r\n]+`).Split(w.String(), -1)
	return slices.DeleteFunc(all, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// setWidth sets the number of columns of a terminal.
func setWidth(t *testing.T, tty *os.File, columns uint16) {
	size := [4]uint16{24, columns}
	_, _, code := syscall.Syscall(syscall.SYS_IOCTL, tty.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size)))
	require.Zero(t, code)
}

// Every command that may take long shows its work on a terminal in one line, with the share that is done if it is
// known. The line fits any terminal and is erased at the end, and standard output has no part of it.
// TestEveryCommandEnds ensures that slow lists all these commands.
func TestNoCommandIsSilent(t *testing.T) {
	require.Less(t, progressAfter+progressEvery, time.Second)
	dir := workplace(t)
	for _, c := range slow {
		if strings.Contains(c.line, "--full") {
			continue // like balance compare --sensitivity, but slower to begin
		}
		t.Run(strings.ReplaceAll(c.line, "/", "_"), func(t *testing.T) {
			t.Parallel()
			user, tty := newTerminal(t)
			seen := &watched{}
			read := make(chan struct{})
			go func() {
				_, _ = user.WriteTo(seen)
				close(read)
			}()
			p := launch(t, dir, func(p *process) { p.Stderr = tty }, "hasty", strings.Fields(c.line)...)
			shows := func(columns uint16) {
				setWidth(t, tty, columns)
				before := len(seen.lines())
				require.Eventually(t, func() bool {
					fresh := seen.lines()
					fresh = fresh[min(before+1, len(fresh)):]
					return len(fresh) > 2 && (!knowsEnd(c.line) ||
						slices.ContainsFunc(fresh, func(s string) bool { return strings.Contains(s, "% done") }))
				}, hung, 5*time.Millisecond, "%s", seen)
				for _, line := range seen.lines()[before:] {
					require.Less(t, ansi.StringWidth(line), int(columns), "%q", line)
				}
			}
			shows(80)
			shows(120)
			require.NoError(t, ignoreDone(p.Process.Signal(syscall.SIGINT)))
			p.wait(t)
			require.NoError(t, tty.Close())
			require.Eventually(t, func() bool { return strings.Contains(seen.String(), "interrupted by") }, hung,
				time.Millisecond, "%s", seen)
			require.NotContains(t, p.out.String(), "\r")
			require.Regexp(t, `(^|\r|\n)emsim: (interrupted by|.* cannot be made again)`, seen.String(),
				"the line is erased before the message")
			name := strings.Fields(c.line)[0]
			require.Regexp(t, regexp.MustCompile(name+
				"|machine|reading|watching|recording|measuring|search|loop|slow|long|mnc run"), seen.lines()[0])
		})
	}
}

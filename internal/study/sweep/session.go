package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"emsim/internal/base/wholefile"
)

// Every process that runs points of a store has a log there. It says what runs
// now, and what was running when a process died. Its lines are
//
//	{"host": ..., "pid": ...}   once
//	begin ID                    the point with this id begins
//	end ID                      it has ended, or was given up in good order
//	wrong ID "..."              it has ended without a result that can be trusted
//	                            an empty line, now and then: the process lives
//
// A log without wrong lines goes away with its process. The logs are a help for
// people and for the order of the points; results never depend on them.
const sessionDir = "sessions"

// beat is how often a process says that it lives; one that has not said so for
// a while is dead.
const (
	beat   = 10 * time.Second
	silent = 6 * beat
)

// who is the process of a session.
type who struct {
	Host       string `json:"host"`
	PID        int    `json:"pid"`
	Share      string `json:"share,omitempty"` // I/N; "" for all points
	Executable string `json:"executable_sha256"`
}

func (w who) String() string {
	text := fmt.Sprintf("process %d on %s", w.PID, w.Host)
	if w.Share != "" {
		text = "share " + w.Share + ", " + text
	}
	return text
}

// session is the log of this process.
type session struct {
	mu    sync.Mutex
	file  *os.File
	err   error // the first that a line could not be written
	wrong bool
	stop  chan struct{}
	ended sync.WaitGroup
}

// hostname names this computer, as part of a file's name.
func hostname() string {
	name, _ := os.Hostname()
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("-.", r) || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unknown"
	}
	return name
}

// begin begins the log of this process.
func (s *Store) begin(share string) (*session, error) {
	me := who{hostname(), os.Getpid(), share, s.Version.Executable}
	f, err := wholefile.CreateLog(filepath.Join(s.Dir, sessionDir), fmt.Sprintf("%s-%d", me.Host, me.PID))
	if err != nil {
		return nil, unkept(err)
	}
	x := &session{file: f, stop: make(chan struct{})}
	head, _ := json.Marshal(me) // strings and a number
	x.line(string(head))
	x.ended.Go(func() {
		for {
			select {
			case <-time.After(beat):
				x.line("")
			case <-x.stop:
				return
			}
		}
	})
	if x.err != nil {
		x.close()
		return nil, unkept(x.err)
	}
	return x, nil
}

// line adds a line.
func (x *session) line(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, err := x.file.WriteString(text + "\n"); err != nil && x.err == nil {
		x.err = err
	}
}

// failed notes a point that gave no result that can be trusted.
func (x *session) failed(p *WrongPoint) {
	message, _ := json.Marshal(p.Err.Error()) // a string
	x.line("wrong " + p.Point.ID + " " + string(message))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wrong = true
}

// close ends the log.
func (x *session) close() {
	close(x.stop)
	x.ended.Wait()
	x.file.Close()
	if !x.wrong {
		_ = os.Remove(x.file.Name())
		_ = os.Remove(filepath.Dir(x.file.Name())) // if it is empty
	}
}

// past is the log of a process, read.
type past struct {
	who
	file  string
	alive bool
	clock time.Duration // how far the log is ahead of the store's clock
	begun []string      // ids of the points that have not ended, in the order of their beginnings
	wrong map[string]string
}

// pasts reads all logs.
func (s *Store) pasts() ([]*past, error) {
	files, err := filepath.Glob(filepath.Join(globbed(s.Dir), sessionDir, "*.log"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, nil
	}
	now, ok := wholefile.Clock(s.Dir)
	if !ok {
		now = time.Now()
	}
	var list []*past
	for _, file := range files {
		text, err := os.ReadFile(file)
		info, err2 := os.Stat(file)
		if errors.Is(errors.Join(err, err2), fs.ErrNotExist) {
			continue // its process has just ended
		}
		if err := errors.Join(err, err2); err != nil {
			return nil, fmt.Errorf("the log of a process cannot be read: %w", err)
		}
		x := &past{file: file, wrong: map[string]string{}, clock: info.ModTime().Sub(now)}
		x.read(text)
		x.alive = x.lives()
		list = append(list, x)
	}
	return list, nil
}

// globbed protects a name from Glob.
func globbed(name string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(name)
}

// read reads the lines; the last one may be half written.
func (x *past) read(text []byte) {
	for i, line := range bytes.Split(text, []byte("\n")) {
		if i == 0 {
			_ = json.Unmarshal(line, &x.who) // a process that died at once has no name
			continue
		}
		what, rest, _ := strings.Cut(string(line), " ")
		id, message, _ := strings.Cut(rest, " ")
		switch what {
		case "begin":
			x.begun = append(x.begun, id)
		case "wrong":
			var m string
			_ = json.Unmarshal([]byte(message), &m)
			x.wrong[id] = m
			fallthrough
		case "end":
			for i, b := range x.begun {
				if b == id {
					x.begun = append(x.begun[:i:i], x.begun[i+1:]...)
					break
				}
			}
		}
	}
}

// lives reports whether the process of a log still runs. On this computer its
// lock tells; on others its last line does, by the clock of the file system,
// because those of computers differ.
func (x *past) lives() bool {
	held, known := wholefile.Held(x.file)
	if known && (held || x.Host == hostname()) {
		return held
	}
	return x.clock > -silent
}

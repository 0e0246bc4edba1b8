package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	_ "emsim/internal/dev/garbage"
)

func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); name == "emsim" || strings.HasPrefix(name, "emsim-") {
		os.Exit(Main()) // the name with a dash is the copy of the executable that a sweep keeps
	}
	linesEvery = time.Hour // tests that want no message must not depend on the computer's speed
	testscript.Main(m, map[string]func(){
		"./emsim": nil, // for 'exec emsim' and for sh; a path, because the plain word would start a process too
		"hasty": func() { // emsim with a progress line that begins at once
			progressEvery, progressAfter = 5*time.Millisecond, 0
			os.Exit(Main())
		},
		"opened": func() { // prints what Linux says about its standard output
			text, _ := os.ReadFile("/proc/self/fdinfo/1")
			file, _ := os.Readlink("/proc/self/fd/1")
			_, _ = os.Stderr.WriteString(file + "\n" + string(text))
			os.Exit(0)
		},
		"measured": func() { // emsim, which then prints what Linux says about its process
			status := Main()
			text, _ := os.ReadFile("/proc/self/status")
			_, _ = os.Stderr.Write(text)
			os.Exit(status)
		},
	})
}

// inside guards the working folder, which all goroutines share, so that one command line runs at a time.
var inside sync.Mutex

// runInside does the command emsim of a script: it runs a command line inside the test's process. 'exec emsim' starts a
// separate process, which takes 20 ms more, for tests of signals, terminals, standard input and environment.
func runInside(s *testscript.TestScript, fails bool, args []string) {
	inside.Lock()
	defer inside.Unlock()
	s.Check(os.Chdir(s.MkAbs(".")))
	if status := command(args, strings.NewReader(""), s.Stdout(), s.Stderr()); (status != 0) != fails {
		s.Fatalf("exit status %d", status)
	}
}

// TestScripts runs the command as a user does. Each file under testdata/script is about one subject.
func TestScripts(t *testing.T) {
	folder, err := filepath.Abs("testdata/script")
	require.NoError(t, err)
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	t.Setenv("GOCACHE",
		strings.TrimSpace(string(cache))) // with an empty cache, each script would compile Go's library again
	t.Setenv("HOME", "/no-home")
	t.Chdir(".") // restores it afterwards
	testscript.Run(t, testscript.Params{
		Dir:           folder,
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOCACHE", os.Getenv("GOCACHE"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"emsim": runInside,
			"sameanswer": func(s *testscript.TestScript, _ bool, files []string) { // except wall times and the recipe
				text := func(name string) string { return string(comparable([]byte(withoutRecipes(s.ReadFile(name))))) }
				if a, b := text(files[0]), text(files[1]); a != b {
					s.Fatalf("not the same:\n%s\n%s", a, b)
				}
			},
			"lastrows": func(s *testscript.TestScript, _ bool,
				files []string,
			) { // the second table contains the rows of the first
				head, rows, _ := strings.Cut(s.ReadFile(files[1]), "\n")
				if all := s.ReadFile(files[0]); rows == "" || !strings.HasPrefix(all, head) ||
					!strings.HasSuffix(all, "\n"+rows) || len(all) <= len(head)+1+len(rows) {
					s.Fatalf("%s does not have the last rows of %s", files[1], files[0])
				}
			},
			"works": atWork,
			"withoutrecipes": func(s *testscript.TestScript, _ bool, files []string) {
				for _, name := range files {
					s.Check(os.WriteFile(s.MkAbs(name), []byte(withoutRecipes(s.ReadFile(name))), 0o600))
				}
			},
		},
	})
}

// atWork does the script command works: it waits until the last command in the background is at work.
func atWork(s *testscript.TestScript, _ bool, args []string) {
	seconds, err := strconv.ParseFloat(args[0], 64)
	s.Check(err)
	all := s.BackgroundCmds()
	if !hasWorked(all[len(all)-1].Process.Pid, seconds) {
		s.Fatalf("the command has not used %v s of a processor", seconds)
	}
}

// hasWorked waits until a process has used the given processor time, in seconds, even if the computer is busy, and
// reports whether it has. On systems without /proc it just waits that long.
func hasWorked(process int, seconds float64) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
		if err != nil {
			time.Sleep(time.Duration(seconds * float64(time.Second)))
			return true
		}
		_, after, _ := strings.Cut(string(text), ") ") // the name may contain blanks
		fields := strings.Fields(after)
		user, _ := strconv.ParseFloat(fields[11], 64)
		system, _ := strconv.ParseFloat(fields[12], 64)
		if (user+system)/100 >= seconds { // Linux counts hundredths
			return true
		}
	}
	return false
}

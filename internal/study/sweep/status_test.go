package sweep

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Shares are parts of the plan: together they are all of it, each run once, and
// the table is that of one sweep.
func TestShares(t *testing.T) {
	p := plan(t, small)
	want := sweep(t, t.TempDir(), p, 2)
	dir := t.TempDir()
	seen := 0
	for _, i := range []int{3, 1, 5, 2, 4} {
		s := store(t, dir)
		x := survey(t, s, p)
		x.Only(Share{i, 5})
		require.NoError(t, s.Run(t.Context(), x, 2, nil))
		require.Equal(t, map[int]int{1: 3, 2: 3, 3: 2, 4: 2, 5: 2}[i], x.Ran)
		seen += x.Ran
		require.Len(t, x.Missing, 12-seen, "of all shares")
		x = survey(t, s, p)
		x.Only(Share{i, 5})
		require.NoError(t, s.Run(t.Context(), x, 2, nil))
		require.Zero(t, x.Ran, "it is done")
	}
	require.Equal(t, string(want), string(sweep(t, dir, p, 1)))
	require.NoDirExists(t, filepath.Join(dir, sessionDir))
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]Share{"1/1": {1, 1}, "3/12": {3, 12}, "1000000/1000000": {1e6, 1e6}} {
		got, err := ParseShare(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, text, got.String())
	}
	require.Empty(t, Share{}.String())
	for _, text := range []string{"", "1", "0/2", "3/2", "-1/2", "1/0", "1/1000001", "a/2", "1/b", "1/2/3", "1.5/2", " 1/2"} {
		_, err := ParseShare(text)
		require.ErrorContains(t, err, "it must be I/N", text)
	}
}

// log writes the log of another process.
func log(t *testing.T, s *Store, name string, lines ...string) string {
	t.Helper()
	file := filepath.Join(s.Dir, sessionDir, name+".log")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	return file
}

func head(host string, pid int, executable string) string {
	return fmt.Sprintf(`{"host":%q,"pid":%d,"share":"2/7","executable_sha256":%q}`, host, pid, executable)
}

// Every run is done, running, failed or missing, whatever the logs say.
func TestStatus(t *testing.T) {
	p := plan(t, small)
	s := store(t, t.TempDir())
	x := survey(t, s, p)
	x.Only(Share{1, 6})
	require.NoError(t, s.Run(t.Context(), x, 2, nil))
	status := func() *Status {
		t.Helper()
		st, err := s.Status(survey(t, s, p))
		require.NoError(t, err)
		require.Equal(t, 12, st.Runs)
		require.Equal(t, 12, st.Done+st.Running+st.Failed+st.Missing)
		return st
	}
	counts := func() [4]int { st := status(); return [4]int{st.Done, st.Running, st.Failed, st.Missing} }
	require.Equal(t, [4]int{2, 0, 0, 10}, counts())
	done, a, b, c := p.Points[0].ID, p.Points[1].ID, p.Points[2].ID, p.Points[3].ID

	far := log(t, s, "far", head("far", 7, "one"), "begin "+a, "begin "+done, "begin "+b, "end "+b, "", "begin nosuch", "beg")
	require.Equal(t, [4]int{2, 1, 0, 9}, counts())
	require.Equal(t, []Process{{"far", 7, "2/7", true, []string{p.Points[1].Command()}}}, status().Processes)

	// Its clock is that of the store; a log without news is of a dead process.
	silence := func(d time.Duration) { require.NoError(t, os.Chtimes(far, time.Time{}, time.Now().Add(d))) }
	silence(-2 * silent)
	require.Equal(t, [4]int{2, 0, 0, 10}, counts())
	require.Equal(t, []Process{{"far", 7, "2/7", false, []string{p.Points[1].Command()}}}, status().Processes)
	silence(2 * silent)
	st := status()
	require.Equal(t, 1, st.Running)
	require.Len(t, st.Notes, 1)
	require.Regexp(t, "the log of share 2/7, process 7 on far is 2m0s ahead of the store's clock", st.Notes[0])
	silence(-2 * silent)

	// A process on this computer that has no lock is dead at once.
	log(t, s, "here", head(hostname(), 8, "one"), "begin "+a, "begin "+c)
	require.Equal(t, [4]int{2, 0, 0, 10}, counts())
	log(t, s, "third", head(hostname(), 9, "one"), "begin "+a)
	st = status()
	require.Equal(t, 1, st.Failed)
	require.Equal(t, a, st.Failures[0].Point.ID)
	require.ErrorContains(t, st.Failures[0], "3 processes died while they ran it, without a word (killed? out of memory?): share 2/7, process 7 on far; share 2/7, process 8 on ")

	// So is what went wrong, unless it was another emsim.
	log(t, s, "wrong", head("far", 10, "one"), "begin "+b, `wrong `+b+` "the answer is wrong"`, "end "+b)
	log(t, s, "old", head("far", 11, "two"), `wrong `+p.Points[4].ID+` "the answer was wrong"`)
	st = status()
	require.Equal(t, 2, st.Failed)
	require.ErrorContains(t, st.Failures[1], "the answer is wrong")
	for _, name := range []string{"wrong", "old"} {
		require.NoError(t, os.Chtimes(filepath.Join(s.Dir, sessionDir, name+".log"), time.Time{}, time.Now().Add(-2*silent)))
	}
	e := &Incomplete{st, s.Dir}
	require.EqualError(t, e, "10 of 12 runs have no result in "+s.Dir+": 0 running, 2 failed, 8 missing; a table needs all of them")

	// What is over is forgotten.
	require.NoError(t, s.Run(t.Context(), survey(t, s, p), 1, nil))
	require.Equal(t, [4]int{12, 0, 0, 0}, counts())
	require.Empty(t, status().Processes)
	require.NoError(t, s.Run(t.Context(), survey(t, s, p), 1, nil))
	require.NoDirExists(t, filepath.Join(s.Dir, sessionDir))
}

// Points during which processes died come after all others.
func TestDeathsComeLast(t *testing.T) {
	p := plan(t, small)
	s := store(t, t.TempDir())
	log(t, s, "x", head("far", 7, "one"), "begin "+p.Points[0].ID, "begin "+p.Points[2].ID)
	log(t, s, "y", head("far", 8, "one"), "begin "+p.Points[0].ID)
	for _, file := range []string{"x", "y"} {
		require.NoError(t, os.Chtimes(filepath.Join(s.Dir, sessionDir, file+".log"), time.Time{}, time.Now().Add(-time.Hour)))
	}
	l, todo, err := s.prepare(survey(t, s, p))
	require.NoError(t, err)
	defer l.close()
	require.Len(t, todo, 12)
	require.Equal(t, []string{p.Points[2].ID, p.Points[0].ID}, []string{todo[10].ID, todo[11].ID})
	require.Equal(t, p.Points[1].ID, todo[0].ID)
}

// While a sweep runs, its points are running; after Ctrl-C nobody has died of
// them; wrong answers are told to whoever asks later.
func TestLogs(t *testing.T) {
	p := plan(t, small)
	p.Points[5].Spec.Args = nil
	s := store(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	most := 0
	err := s.Run(ctx, survey(t, s, p), 2, func(g Progress) {
		x, err := store(t, s.Dir).Status(survey(t, s, p))
		require.NoError(t, err)
		most = max(most, x.Running)
		if g.Ran == 3 {
			cancel()
		}
	})
	require.ErrorContains(t, err, "interrupted")
	require.Positive(t, most)
	x, err := s.Status(survey(t, s, p))
	require.NoError(t, err)
	require.Zero(t, x.Running+x.Failed)
	require.Empty(t, x.Processes)

	require.ErrorAs(t, s.Run(t.Context(), survey(t, s, p), 2, nil), new(*Wrong))
	x, err = s.Status(survey(t, s, p))
	require.NoError(t, err)
	require.Equal(t, 1, x.Failed)
	require.Equal(t, p.Points[5].ID, x.Failures[0].Point.ID)
	require.ErrorContains(t, x.Failures[0], "fib takes 1 argument")
}

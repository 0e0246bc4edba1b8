package sweep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/machine/recipe"
)

// Shares are parts of the plan: together they run every point once, and give the same table as a single sweep.
func TestShares(t *testing.T) {
	p := plan(t, small)
	want := sweep(t, t.TempDir(), p, 2)
	dir := t.TempDir()
	seen := 0
	for _, i := range []int{3, 1, 5, 2, 4} {
		s := store(t, dir)
		x := survey(t, s, p)
		x.LimitTo(Part{i, 5})
		require.NoError(t, s.Run(t.Context(), x, 2, nil))
		require.Equal(t, map[int]int{1: 3, 2: 3, 3: 2, 4: 2, 5: 2}[i], x.Ran)
		seen += x.Ran
		require.Len(t, x.Missing, 12-seen, "of all shares")
		x = survey(t, s, p)
		x.LimitTo(Part{i, 5})
		require.NoError(t, s.Run(t.Context(), x, 2, nil))
		require.Zero(t, x.Ran, "it is done")
	}
	require.Equal(t, string(want), string(sweep(t, dir, p, 1)))
	require.Empty(t, marks(t, dir), "they are gone")
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]Part{"1/1": {1, 1}, "3/12": {3, 12}, "1000000/1000000": {1e6, 1e6}} {
		got, err := ParsePart(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, text, got.String())
	}
	require.Empty(t, Part{}.String())
	for _, text := range []string{
		"", "1", "0/2", "3/2", "-1/2", "1/0", "1/1000001", "a/2", "1/b", "1/2/3", "1.5/2",
		" 1/2",
	} {
		_, err := ParsePart(text)
		require.ErrorContains(t, err, "it must be I/N", text)
	}
}

// marks returns the names of the marks in a store.
func marks(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.begun"))
	require.NoError(t, err)
	return list
}

// A share has work as long as one of its points is missing.
func TestMissingShares(t *testing.T) {
	p := plan(t, small)
	s := store(t, t.TempDir())
	require.Equal(t, []int{1, 2, 3, 4, 5}, survey(t, s, p).Parts(5))
	require.Len(t, survey(t, s, p).Parts(40), 12, "more shares than runs")
	for _, i := range []int{2, 5} {
		x := survey(t, s, p)
		x.LimitTo(Part{i, 5})
		require.NoError(t, s.Run(t.Context(), x, 2, nil))
	}
	require.Equal(t, []int{1, 3, 4}, survey(t, s, p).Parts(5))
	require.Equal(t, []int{1}, survey(t, s, p).Parts(1))
	sweep(t, s.Dir, p, 2)
	require.Empty(t, survey(t, s, p).Parts(5))
}

// Every run is done, running, failed or missing, whatever the marks say.
func TestStatus(t *testing.T) {
	p := plan(t, small)
	s := store(t, t.TempDir())
	x := survey(t, s, p)
	x.LimitTo(Part{1, 6})
	require.NoError(t, s.Run(t.Context(), x, 2, nil))
	status := func() *Status {
		t.Helper()
		st := s.Status(survey(t, s, p))
		require.Equal(t, 12, st.Runs)
		require.Equal(t, 12, st.Done+st.Running+st.Failed+st.Missing)
		return st
	}
	counts := func() [4]int { st := status(); return [4]int{st.Done, st.Running, st.Failed, st.Missing} }
	require.Equal(t, [4]int{2, 0, 0, 10}, counts())

	far := Who{"far", 7, "2/7"}
	for _, i := range []int{0, 1, 2} { // the first is already done
		s.writeMark(&p.Points[i], mark{Who: far, Executable: "one"})
	}
	s.begin(&p.Points[3], Part{3, 7})
	require.Equal(t, [4]int{2, 3, 0, 7}, counts())
	list := status().Processes
	require.Equal(t, Process{far, []string{p.Points[1].Command(), p.Points[2].Command()}}, list[0])
	require.Equal(t, "3/7", list[1].Part)
	require.Equal(t, os.Getpid(), list[1].PID)
	require.NotEmpty(t, list[1].Host)

	// Errors stay in marks, unless another version of emsim wrote them. A mark may be incomplete.
	s.endMark(&p.Points[3], &WrongPoint{&p.Points[3], errors.New("the answer is wrong")})
	s.writeMark(&p.Points[4], mark{Who: far, Executable: "two", Wrong: "the answer was wrong"})
	require.NoError(t, os.WriteFile(s.markOf(&p.Points[5]), []byte(`{"host":"f`), 0o600))
	s.endMark(&p.Points[1], nil)
	st := status()
	require.Equal(t, [4]int{2, 2, 1, 7}, counts())
	require.Equal(t, p.Points[3].ID, st.Failures[0].Point.ID)
	require.EqualError(t, st.Failures[0].Err, "the answer is wrong")
	require.EqualError(t, st.Incomplete(s.Dir), "10 of 12 runs have no result in "+s.Dir+
		": 2 running, 1 failed, 7 missing; a table needs all of them")

	// Marked points come last. Marks are removed when their points end.
	todo := s.order(survey(t, s, p))
	require.Len(t, todo, 10)
	require.Equal(t, []string{p.Points[2].ID, p.Points[3].ID, p.Points[5].ID},
		[]string{todo[7].ID, todo[8].ID, todo[9].ID})
	require.Equal(t, p.Points[1].ID, todo[0].ID)
	require.NoError(t, s.Run(t.Context(), survey(t, s, p), 1, nil))
	require.Equal(t, [4]int{12, 0, 0, 0}, counts())
	require.Equal(t, []string{s.markOf(&p.Points[0])}, marks(t, s.Dir), "of a point that was done before")
}

// During a sweep its points are running, and after Ctrl-C none is. Wrong answers are reported to later queries.
func TestMarks(t *testing.T) {
	p := plan(t, small)
	p.Points[5].Spec.Args = nil
	s := store(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	most := 0
	err := s.Run(ctx, survey(t, s, p), 2, func(g Progress) {
		most = max(most, store(t, s.Dir).Status(survey(t, s, p)).Running)
		if g.Ran == 3 {
			cancel()
		}
	})
	require.ErrorContains(t, err, "interrupted")
	require.Positive(t, most)
	x := s.Status(survey(t, s, p))
	require.Zero(t, x.Running+x.Failed)
	require.Empty(t, x.Processes)

	require.Equal(t, "wrong_result", simerr.Kind(s.Run(t.Context(), survey(t, s, p), 2, nil)))
	x = s.Status(survey(t, s, p))
	require.Equal(t, 1, x.Failed)
	require.Equal(t, p.Points[5].ID, x.Failures[0].Point.ID)
	require.ErrorContains(t, x.Failures[0], "fib takes 1 argument")
}

// The copy of the executable stays when 'go run' deletes the original. A damaged copy is replaced, and a store accepts
// no other version of emsim.
func TestKeptExecutable(t *testing.T) {
	executable := filepath.Join(t.TempDir(), "emsim")
	require.NoError(t, os.WriteFile(executable, []byte("the executable"), 0o700))
	sum, err := recipe.DigestFile(executable)
	require.NoError(t, err)
	s := &Store{Dir: t.TempDir(), Version: Version{Executable: sum}}
	keep := func() string {
		t.Helper()
		kept, err := s.KeepExecutable(executable)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(s.Dir, "emsim-"+sum[:12]), kept)
		got, err := recipe.DigestFile(kept)
		require.NoError(t, err)
		require.Equal(t, sum, got)
		return kept
	}
	kept := keep()
	info, err := os.Stat(kept)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o100, "it can be run")
	require.NoError(t, os.WriteFile(kept, []byte("the exe"), 0o600))
	keep()
	require.NoError(t, os.Remove(executable))
	keep()
	require.NoError(t, os.Remove(kept))
	_, err = s.KeepExecutable(executable)
	require.ErrorContains(t, err, "the executable cannot be kept in the store")
	_, err = (&Store{Dir: s.Dir}).KeepExecutable(executable)
	require.ErrorContains(t, err, "the executable of this process cannot be read")

	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "emsim-0123"), nil, 0o600))
	_, err = s.KeepExecutable(executable)
	require.ErrorAs(t, err, new(*simerr.Usage))
	require.ErrorContains(t, err, "the store "+s.Dir+" is for another emsim: use "+filepath.Join(s.Dir, "emsim-0123")+
		", or choose another directory")
}

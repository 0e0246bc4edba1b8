package sweep

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
)

// frozenStore is a store whose plan is frozen, and the executable that it was
// made with.
func frozenStore(t *testing.T, p *Plan) (s *Store, executable, kept string) {
	t.Helper()
	executable = filepath.Join(t.TempDir(), "emsim")
	require.NoError(t, os.WriteFile(executable, []byte("the executable"), 0o700))
	sum, err := SHA256File(executable)
	require.NoError(t, err)
	s = &Store{Dir: t.TempDir(), Version: Version{Executable: sum, Revision: "r1", Go: "go1.26", System: "linux/amd64"}}
	require.NoError(t, s.Check(p), "nothing is frozen yet")
	kept, err = s.Freeze(p, executable)
	require.NoError(t, err)
	return s, executable, kept
}

// A store belongs to one plan and one emsim, and says what differs.
func TestFrozen(t *testing.T) {
	p := plan(t, small)
	s, executable, kept := frozenStore(t, p)
	require.NoError(t, s.Check(p))
	again, err := s.Freeze(p, executable)
	require.NoError(t, err)
	require.Equal(t, kept, again)
	require.Equal(t, filepath.Join(s.Dir, "emsim-"+s.Version.Executable[:12]), kept)

	refused := func(s *Store, p *Plan, want ...string) {
		t.Helper()
		err := s.Check(p)
		require.ErrorAs(t, err, new(*simerr.Usage))
		var r *Refused
		require.ErrorAs(t, err, &r)
		require.Equal(t, want, r.Differences)
		require.ErrorContains(t, err, "the store "+s.Dir+" is for another sweep:\n  "+want[0])
		_, err = s.Freeze(p, executable)
		require.ErrorAs(t, err, &r)
	}
	refused(s, plan(t, strings.Replace(small, "[1, 2, 3]", "[1, 2, 4, 5]", 1)),
		"line 12 of test.toml has changed:\n    - seed = [1, 2, 3]\n    + seed = [1, 2, 4, 5]", "of its 18 points 6 are gone, and 12 are new")
	refused(s, plan(t, small+"# a comment\n"), "line 13 of test.toml has changed:\n    - \n    + # a comment")
	refused(s, plan(t, strings.TrimSuffix(small, "seed = [1, 2, 3]\n")), "line 12 of test.toml has changed:\n    - seed = [1, 2, 3]\n    + ", "of its 18 points 12 are gone, and 0 are new")
	renamed := plan(t, small+"\n")
	renamed.File = "other.toml"
	refused(s, renamed, "line 14 of test.toml, now other.toml, has changed:\n    - (the end of the file)\n    + ")
	other := *s
	other.Version = Version{Executable: strings.Repeat("ab", 32), Go: "go1.27"}
	refused(&other, p, "its results are of emsim "+s.Version.Executable[:12]+", r1, go1.26, linux/amd64; this one is abababababab, go1.27. Use "+filepath.Base(kept)+" in the store")
	changed := *p
	changed.Points = append([]Point{}, p.Points...)
	changed.Points[0].ID = "fib-10-12pes-other"
	refused(s, &changed, "test.toml is the same, but a program or machine that it names has changed", "of its 18 points 0 are gone, and 1 are new")

	file := filepath.Join(s.Dir, planName)
	require.NoError(t, os.WriteFile(file, []byte(`{"format": 1}`), 0o600))
	require.ErrorContains(t, s.Check(p), file+" has format 1, and this emsim writes 2. Remove it")
	require.NoError(t, os.Remove(file))
	require.NoError(t, s.Check(p))

	_, err = (&Store{Dir: s.Dir}).Freeze(p, executable)
	require.ErrorContains(t, err, "the executable of this process cannot be read")
}

// Whatever changes in the file of a plan, it is damaged, and no other plan or
// emsim.
func TestDamagedPlan(t *testing.T) {
	p := plan(t, small)
	s, _, _ := frozenStore(t, p)
	file := filepath.Join(s.Dir, planName)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	says := file + " is damaged: its checksum is not that of its text. Remove it"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		broken := slices.Clone(text)
		broken[rng.IntN(len(text))] ^= 1 << rng.IntN(7)
		require.NoError(t, os.WriteFile(file, broken, 0o600))
		require.ErrorContains(t, s.Check(p), says)
	}
	for _, n := range []int{0, 1, len(text) / 2, len(text) - 1} {
		require.NoError(t, os.WriteFile(file, text[:n], 0o600))
		require.ErrorContains(t, s.Check(p), says)
	}
	require.NoError(t, os.WriteFile(file, text, 0o600))
	require.NoError(t, s.Check(p))
}

// The executable stays when 'go run' has deleted its own, and a damaged copy is
// made anew.
func TestKeptExecutable(t *testing.T) {
	p := plan(t, small)
	s, executable, kept := frozenStore(t, p)
	same := func() {
		t.Helper()
		sum, err := SHA256File(kept)
		require.NoError(t, err)
		require.Equal(t, s.Version.Executable, sum)
		info, err := os.Stat(kept)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&0o100, "it can be run")
	}
	same()
	require.NoError(t, os.WriteFile(kept, []byte("the exe"), 0o600))
	_, err := s.Freeze(p, executable)
	require.NoError(t, err)
	same()
	require.NoError(t, os.Chmod(kept, 0o600))
	_, err = s.Freeze(p, executable)
	require.NoError(t, err)
	same()
	require.NoError(t, os.Remove(executable))
	_, err = s.Freeze(p, executable)
	require.NoError(t, err)
	require.NoError(t, os.Remove(kept))
	_, err = s.Freeze(p, executable)
	require.ErrorContains(t, err, "the executable cannot be kept in the store")
}

// Of many that freeze different plans at the same time one succeeds; the others
// are told.
func TestFreezeAtOnce(t *testing.T) {
	for range 3 {
		s, executable, _ := frozenStore(t, plan(t, small))
		require.NoError(t, os.Remove(filepath.Join(s.Dir, planName)))
		var all sync.WaitGroup
		errs := make([]error, 6)
		for i := range errs {
			p := plan(t, small+strings.Repeat("\n", i))
			all.Go(func() {
				mine := *s
				_, errs[i] = mine.Freeze(p, executable)
			})
		}
		all.Wait()
		good := 0
		for _, err := range errs {
			if err == nil {
				good++
			} else {
				require.ErrorAs(t, err, new(*Refused))
			}
		}
		require.Equal(t, 1, good)
		require.Len(t, times(t, s.Dir), 2, "nothing else is left")
	}
}

package debug

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/packet"
)

// fibTree checks that an instance of fib n called instances of fib n-2 and n-1, for arguments of at least least. It
// returns the number of instances in its subtree.
func fibTree(t *testing.T, b *bench, x *portrait.Instance, n, least uint64) int {
	require.True(t, x.Ended, "%d", n)
	require.Equal(t, "fib", b.label(x.Template))
	var args []uint64
	for _, c := range x.Children {
		require.Same(t, x, c.Parent)
		require.Greater(t, c.Born, x.Born)
		args = append(args, argument(t, b, c))
	}
	slices.Sort(args)
	var want []uint64
	for _, m := range []uint64{n - 2, n - 1} {
		if n > 2 && m >= least {
			want = append(want, m)
		}
	}
	require.Equal(t, want, args, "fib(%d)", n)
	count := 1
	for _, c := range x.Children {
		count += fibTree(t, b, c, argument(t, b, c), least)
	}
	return count
}

// argument returns the argument n of an instance of fib. Of the packets to the instance's start, the one with n was
// sent first, and packets on the same path do not overtake each other.
func argument(t *testing.T, b *bench, x *portrait.Instance) uint64 {
	require.Equal(t, "start", b.label(x.Template+x.First.Addr-x.Base))
	require.Equal(t, packet.Left, x.First.Match)
	return x.First.Data
}

// The tree of function instances matches the program, under every policy.
func TestTreeIsThatOfTheProgram(t *testing.T) {
	for _, params := range []map[string]string{
		{},
		{"policy": "random"},
		{"policy": "line"},
		{"mlpe": "on"},
		{"mlpe": "software", "policy": "round-robin"},
		{"grain": "large"},
		{"leaves": "inline", "grain": "fine"},
	} {
		s := spec("fib", "11")
		s.Params = params
		b := newBench(t, s)
		b.do("continue")
		b.do("tree")
		require.Len(t, b.tree.Roots, 1)
		root := b.tree.Roots[0]
		require.Nil(t, root.Parent)
		calls := 0
		for i := range b.s.Config().PEs {
			calls += int(b.peAt(i).Calls)
		}
		least := uint64(1)
		if params["leaves"] == "inline" {
			least = 3
		}
		require.Equal(t, calls, fibTree(t, b, root, 11, least), "%v", params)
		require.Empty(t, b.tree.Flight, "no packet is left")
	}
}

// At every clock the live instances match the segments that hold an instance.
func TestLiveInstances(t *testing.T) {
	b := newBench(t, spec("fib", "8"))
	for !b.s.Current.Ended() {
		b.do("step 7")
		f, err := b.growTree(context.Background())
		require.NoError(t, err)
		f.MarkEnded()
		live := 0
		for at, x := range f.Live {
			require.Equal(t, b.peAt(at.PE).Instance(at.Base), !x.Ended)
			if !x.Ended {
				live++
			}
		}
		inUse := 0
		for i := range b.s.Config().PEs {
			for base := uint32(0x30000); base < 0x30000+64*64; base += 64 {
				if b.peAt(i).Instance(base) {
					inUse++
				}
			}
		}
		require.Equal(t, inUse, live)
	}
}

// The tree can be limited by PE, by depth and by number of lines; callers lists the callers of the block in progress.
func TestTreeText(t *testing.T) {
	b := newBench(t, spec("fib", "8"))
	b.do("until +250")
	require.Regexp(t,
		`^\d+ function instances so far, \d+ of them live\n  fib \[0,0\] 0x30000, clock \d+: start = 8, sent at begin\+2\n    fib \[2,1\] .*: start = 6, sent at got1\n`,
		b.do("tree"))
	require.Regexp(t, `\n    fib .*\n    fib`, b.do("tree depth 2"))
	require.NotContains(t, b.do("tree depth 2"), "\n      fib")
	require.Contains(t, b.do("tree lines 2"), "more: 'tree lines ")
	only := b.do("tree [2,1] all")
	require.Contains(t, only, "fib [2,1]")
	require.Contains(t, only, "fib [0,0] 0x30000", "those above it are shown")
	require.Contains(t, b.wrong("tree depth"), "tree depth needs a number")
	require.Contains(t, b.wrong("tree deep 3"), `"deep" is not a valid option of tree`)

	many := newBench(t, spec("fib", "10"))
	many.do("until +600")
	require.Equal(t, 52, strings.Count(many.do("tree all"), "\n"), "how many there are, 50 of them, and how many more")

	b.do("goto +0")
	require.Contains(t, b.do("tree"), "0 function instances so far")
	require.Contains(t, b.do("callers"), "runs no block")
	b.do("until block newroot")
	require.Contains(t, b.do("callers"), "a system block for the host")
	b.do("until got2")
	b.do("until block join")
	text := b.do("bt")
	require.Regexp(t, `^\[\d,\d\] join.*\n  #0 fib \[\d,\d\] 0x\w+, clock \d+: start = \d, sent at got[12], runs\n`,
		text)
	require.Regexp(t, `\n  #\d fib \[0,0\] 0x30000, clock \d+: start = 8, sent at begin\+2\n$`, text)
	b.do("until block new")
	require.Contains(t, b.do("bt"), "  a system block, which runs for:\n  #0 fib ")
}

// The callers of instances from before a checkpoint are unknown.
func TestTreeAfterCheckpoint(t *testing.T) {
	ctx := context.Background()
	s := begun(t, spec("fib", "9"))
	require.NoError(t, s.Advance(ctx, 200))
	file := t.TempDir() + "/c"
	require.NoError(t, s.Save(file, ""))
	require.NoError(t, s.Advance(ctx, em4.ToEnd))
	resumed, err := run.Resume(file)
	require.NoError(t, err)
	b := newBench(t, spec("fib", "9"))
	b.Debugger = New(resumed, b.out)
	b.do("until +300")
	require.Contains(t, b.do("tree"), "present from the beginning")
	b.do("continue")
	h, _ := s.Hash(nil)
	require.Equal(t, h, b.hash())
	b.do("goto +250")
	require.Contains(t, b.wrong("goto +199"), "before the beginning at clock")
}

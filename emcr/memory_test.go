package emcr

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/state"
)

// anyAddress draws an address in the program, near the start or the end of the operand segments, or anywhere.
func anyAddress(r *rapid.T) uint32 {
	if rapid.Bool().Draw(r, "near") {
		near := rapid.SampledFrom([]uint32{0, 0x100, 0x4000, 0x7f00, 0x8000, 0x8040, 0x8400, 0x9000, 0x3fff0}).Draw(r,
			"base")
		return near + rapid.Uint32Range(0, 0xf).Draw(r, "offset")
	}
	return rapid.Uint32Range(0, addrMask).Draw(r, "address")
}

// The memory holds the words that were written, whatever the size of its segments. All other words have the program's
// values, or 0. The hash depends only on the content, not on the order of the writes.
func TestMemory(t *testing.T) {
	image := []uint64{5, 6, 7}
	rapid.Check(t, func(r *rapid.T) {
		size := uint32(1) << rapid.IntRange(3, 6).Draw(r, "segment")
		fresh := func() *Memory {
			m := &Memory{image: image}
			m.setOperands(rapid.SampledFrom([]uint32{0x8000, 0x7f40, 0x4200}).Draw(r, "operands")&^(size-1), size)
			return m
		}
		m := fresh()
		words, tags := map[uint32]uint64{0: 5, 1: 6, 2: 7}, map[uint32]uint8{}
		early := rapid.Bool().Draw(r, "hash from the beginning")
		if early {
			m.contentHash()
		}
		for range rapid.IntRange(1, 40).Draw(r, "writes") {
			at := anyAddress(r)
			changeAny(r, m, words, tags, at)
		}
		pages := 0
		last := -1
		m.Touched(func(first uint32) {
			require.Greater(r, int(first), last)
			require.Zero(r, first%pageWords)
			last = int(first)
			pages++
		})
		for _, near := range append(slices.Collect(keys(words)), slices.Collect(keys(tags))...) {
			for _, at := range []uint32{near - 64, near - 8, near - 1, near, near + 1, near + 8, near + 64} {
				at &= addrMask
				word, tag := m.wordAndTag(at)
				require.Equal(r, words[at], word, "%#x", at)
				require.Equal(r, tags[at], tag, "tag of %#x", at)
				require.Equal(r, word, m.Read(at))
				require.Equal(r, tag, m.Tag(at))
			}
		}
		require.LessOrEqual(r, pages, len(words)+len(tags))
		sameRestored(r, m, fresh(), pages)
		other := fresh() // the same content, written in another order
		for _, at := range slices.Backward(slices.Sorted(keys(words))) {
			other.Write(at, words[at]+1)
			other.Write(at, words[at])
		}
		for at, tag := range tags {
			other.WriteTagged(at, other.Read(at), tag)
		}
		require.Equal(r, m.contentHash(), other.contentHash())
		at := anyAddress(r)
		before := m.contentHash()
		m.Write(at, words[at]^1)
		require.NotEqual(r, before, m.contentHash())
		m.Write(at, words[at])
		m.WriteTagged(at, m.Read(at), tags[at]^1)
		require.NotEqual(r, before, m.contentHash())
		m.WriteTagged(at, m.Read(at), tags[at])
		require.Equal(r, before, m.contentHash())
	})
}

// sameRestored checks that a memory restored from the saved state is the same.
func sameRestored(r *rapid.T, m, copied *Memory, pages int) {
	c := state.Saver(nil)
	m.State(c)
	require.Len(r, c.Bytes(), 8+pages*8*(1+2*pageWords))
	l := state.Loader(c.Bytes())
	copied.operandBase, copied.segBits = m.operandBase, m.segBits
	copied.Write(0x1234, 1) // restoring must remove this word
	copied.State(l)
	require.NoError(r, l.Err())
	require.Equal(r, m.contentHash(), copied.contentHash())
}

func keys[K comparable, V any](m map[K]V) func(yield func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// No two words have the same offset, and words with equal displacement in 64 neighbouring segments are side by side.
func TestMemoryPlaces(t *testing.T) {
	for _, size := range []uint32{8, 64} {
		m := &Memory{}
		m.setOperands(0x8000, size)
		seen := make([]bool, addrMask+1)
		for at := range uint32(addrMask + 1) {
			p := m.offset(at)
			if p > addrMask || seen[p] || m.addressOf(p) != at {
				require.Failf(t, "two words in one place, or out of it", "%#x lies at %#x, from where %#x comes", at, p,
					m.addressOf(p))
			}
			seen[p] = true
		}
		first := m.offset(0x8000 + 5)
		require.Equal(t, uint32(0x7fff), m.offset(0x7fff))
		for i := range uint32(64) {
			require.Equal(t, first+i, m.offset(0x8000+i*size+5), "%d words, segment %d", size, i)
		}
	}
}

// The segment released last is allocated first. Segments that were never used come last, in their order. The peak is
// the largest number in use at once.
func TestSegments(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const total, size, base = 6, 16, 0x8000
		m := &Memory{}
		m.setOperands(base, size)
		s := &segments{base: base, size: size, total: total}
		var free, used []uint32
		for i := range uint32(total) {
			free = append(free, base+(total-1-i)*size)
		}
		peak := 0
		for range rapid.IntRange(1, 40).Draw(r, "steps") {
			require.NoError(r, s.check())
			require.True(r, s.freeListIntact(m))
			require.Equal(r, len(used), s.used)
			require.Equal(r, peak, s.Peak)
			if rapid.Bool().Draw(r, "get") {
				got, ok := s.allocate(m, 0x77)
				require.Equal(r, len(free) > 0, ok)
				if ok {
					last := len(free) - 1
					require.Equal(r, free[last], got)
					require.EqualValues(r, 0x77, m.Read(got))
					require.Equal(r, tagFresh, m.Tag(got))
					free, used = free[:last], append(used, got)
					peak = max(peak, len(used))
				}
				continue
			}
			at := base + rapid.Uint32Range(0, total).Draw(r, "segment")*size +
				rapid.SampledFrom([]uint32{0, 0, 0, 1}).Draw(r, "displacement")
			i := slices.Index(used, at)
			waiting, ok := s.release(m, at)
			require.Equal(r, i >= 0, ok)
			require.Zero(r, waiting)
			if ok {
				require.Equal(r, tagFree, m.Tag(at))
				used, free = slices.Delete(used, i, i+1), append(free, at)
			}
		}
	})
}

// Structure memory is allocated first fit, as in a plain list of words.
func TestStructure(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const base, total = 0x4000, 40
		s := &structure{base: base, total: total, freeWords: total}
		var row [total + 1]bool // words in use; the last one marks the end
		row[total] = true
		taken := map[uint32]int{}
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			require.NoError(r, s.check())
			if rapid.IntRange(0, 2).Draw(r, "get") > 0 {
				words := rapid.IntRange(1, 15).Draw(r, "words")
				want, run := -1, 0
				for i := range row {
					if run++; row[i] {
						run = 0
					}
					if run == words {
						want = i + 1 - words
						break
					}
				}
				start, ok := s.allocate(uint32(words))
				require.Equal(r, want >= 0, ok)
				if ok {
					require.EqualValues(r, base+want, start)
					taken[start] = words
					for i := range words {
						row[want+i] = true
					}
				}
			} else {
				at := base + rapid.Uint32Range(0, total).Draw(r, "at")
				if list := slices.Sorted(keys(taken)); len(list) > 0 &&
					rapid.IntRange(0, 3).Draw(r, "one of them") > 0 {
					at = rapid.SampledFrom(list).Draw(r, "begin")
				}
				words, ok := taken[at]
				require.Equal(r, ok, s.release(at))
				for i := range words {
					row[int(at)-base+i] = false
				}
				delete(taken, at)
			}
			free := uint32(0)
			for _, used := range row {
				if !used {
					free++
				}
			}
			require.Equal(r, free, s.freeWords)
		}
	})
}

// changeAny changes a word, its tag or both, in a way drawn at random.
func changeAny(r *rapid.T, m *Memory, words map[uint32]uint64, tags map[uint32]uint8, at uint32) {
	tag, word := rapid.Uint8().Draw(r, "new"), rapid.Uint64().Draw(r, "word")
	switch rapid.IntRange(0, 3).Draw(r, "how") {
	case 0:
		tags[at] = tag
		m.WriteTagged(at, m.Read(at), tag)
	case 1:
		tags[at] += tag
		m.WriteTagged(at, m.Read(at), m.Tag(at)+tag)
	case 2:
		words[at] = word
		m.Write(at, word)
	default:
		words[at], tags[at] = word, tag
		m.Write(at, word)
		m.WriteTagged(at, m.Read(at), tag)
	}
}

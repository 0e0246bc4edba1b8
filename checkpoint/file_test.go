package checkpoint

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/state"
)

// numbers is a state of n numbers.
func numbers(n int, at func(i int)) (walk func(c *state.Codec), list *[]uint64) {
	list = new([]uint64)
	for i := range n {
		*list = append(*list, uint64(i*i))
	}
	return func(c *state.Codec) {
		i := 0
		state.List(c, list, 1<<30, func(x *uint64) {
			state.Num(c, x)
			if i++; at != nil {
				at(i)
			}
		})
	}, list
}

func write1(t require.TestingT, file string, n int) {
	walk, _ := numbers(n, nil)
	require.NoError(t, Write(file, walk))
}

func read1(file string) (int, error) {
	walk, list := numbers(0, nil)
	err := Read(file, walk)
	return len(*list), err
}

func TestWriteRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	for _, n := range []int{0, 1, 8191, 8192, 100_000} { // around what a stream holds at once
		write1(t, file, n)
		got, err := read1(file)
		require.NoError(t, err)
		require.Equal(t, n, got)
	}
	list, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, list, 1, "no temporary file stays")

	one, err := os.ReadFile(file)
	require.NoError(t, err)
	write1(t, file, 100_000)
	two, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, bytes.Equal(one, two), "equal states have equal files")
}

// Whatever bit is wrong and wherever a file ends: it is refused, with what is
// wrong, before the walk begins.
func TestDamage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	write1(t, file, 3000)
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	refused := func(t require.TestingT, b []byte, says string) {
		require.NoError(t, os.WriteFile(file, b, 0o600))
		walk, _ := numbers(0, nil)
		begun := false
		err := Read(file, func(c *state.Codec) { begun = true; walk(c) })
		require.ErrorContains(t, err, file+": this ")
		require.ErrorContains(t, err, says)
		require.False(t, begun)
		var kind interface{ Kind() string }
		require.ErrorAs(t, err, &kind)
		require.Equal(t, "usage", kind.Kind())
	}
	change := func(at int, v byte) []byte {
		b := bytes.Clone(good)
		b[at] ^= v
		return b
	}
	refused(t, nil, "does not begin with EMSIMCKP")
	refused(t, good[:5], "does not begin with EMSIMCKP")
	refused(t, good[:20], "cut off: 20 bytes, the header alone has 32")
	refused(t, good[:len(good)-1], "is cut off")
	refused(t, append(bytes.Clone(good), 0), "1 bytes follow its end")
	refused(t, change(8, 3), "has version 1, this program reads version 2")
	refused(t, change(13, 1), "cut off")
	refused(t, change(20, 1), "checksum")
	refused(t, change(28, 1), "checksum")
	refused(t, change(len(good)-1, 128), "checksum")
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(good)-1).Draw(t, "byte")
		if rapid.Bool().Draw(t, "cut") {
			refused(t, good[:at], "")
			return
		}
		refused(t, change(at, 1<<rapid.IntRange(0, 7).Draw(t, "bit")), "")
	})
}

// sealed frames a body as if it were right.
func sealed(body []byte, unpacked uint64) []byte {
	h := header(uint64(len(body)), unpacked)
	h = binary.LittleEndian.AppendUint32(h, crc32.Update(crc32.ChecksumIEEE(body), crc32.IEEETable, h))
	return append(h, body...)
}

// A file that somebody made up, with a right checksum.
func TestTampered(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	write1(t, file, 100)
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	body, size := good[headerSize:], uint64(101*8)
	require.Equal(t, good, sealed(body, size))
	for _, c := range []struct {
		body     []byte
		unpacked uint64
		says     string
	}{
		{body, size - 1, "the bytes end too early"},
		{body, size + 8, "the bytes end too early"},
		{body, 8, "the bytes end too early"},
		{body, 1 << 60, "do not unpack to"},
		{body[:30], size, "end too early"},
		{[]byte("no gzip"), 10, "damaged"},
	} {
		require.NoError(t, os.WriteFile(file, sealed(c.body, c.unpacked), 0o600))
		_, err := read1(file)
		require.ErrorContains(t, err, c.says)
	}
	// More inside than the header says, where nothing is missing.
	require.NoError(t, os.WriteFile(file, sealed(body, size), 0o600))
	require.ErrorContains(t, Read(file, func(c *state.Codec) {
		n := uint64(0)
		for range 50 {
			state.Num(c, &n)
		}
	}), "bytes are left over")
}

// killed is set in the child process of TestKilledWhileWriting.
const killed = "EMSIM_TEST_KILLED_WRITING"

// A process that is killed while it writes leaves the old checkpoint.
func TestKilledWhileWriting(t *testing.T) {
	if file := os.Getenv(killed); file != "" {
		self, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		walk, _ := numbers(1_000_000, func(i int) {
			if i == 900_000 {
				require.NoError(t, self.Kill())
				select {} // until it has
			}
		})
		_ = Write(file, walk)
		t.Fatal("still alive")
	}
	file := filepath.Join(t.TempDir(), "c")
	write1(t, file, 77)
	child := exec.Command(os.Args[0], "-test.run=^TestKilledWhileWriting$")
	child.Env = append(os.Environ(), killed+"="+file)
	out, err := child.CombinedOutput()
	require.Error(t, err)
	require.NotContains(t, string(out), "FAIL", "the child ends by the kill")
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".c.*.tmp"))
	require.NoError(t, err)
	require.Len(t, left, 1, "it had begun to write")
	info, err := os.Stat(left[0])
	require.NoError(t, err)
	require.NotZero(t, info.Size())
	n, err := read1(file)
	require.NoError(t, err)
	require.Equal(t, 77, n)
}

// An error on the way leaves the old file and nothing else.
func TestFailingWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "c")
	write1(t, file, 77)
	err := Write(file, func(c *state.Codec) { c.Fail("no more") })
	require.ErrorContains(t, err, "could not be written: state: no more")
	n, err := read1(file)
	require.NoError(t, err)
	require.Equal(t, 77, n)
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 1)

	require.NoError(t, Probe(file))
	require.ErrorContains(t, Probe(dir), "it is there and is no file")
	require.ErrorContains(t, Probe(filepath.Join(dir, "no", "c")), "cannot be written there")
	_, err = read1(dir)
	require.ErrorContains(t, err, "is a directory: expected a file")
	_, err = read1(filepath.Join(dir, "nosuch"))
	require.ErrorContains(t, err, "cannot be read")
}

package checkpoint

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/simerr"
	"emsim/internal/base/state"
)

// numbers returns a walk over a state of n numbers, which calls at after each number, and the list that it visits.
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
	require.NoError(t, Write(file, "mnc", "how", walk))
}

func read1(file string) (int, error) {
	walk, list := numbers(0, nil)
	err := Read(file, "mnc", walk)
	return len(*list), err
}

// alone requires the directory to contain exactly these files.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	got := []string{}
	for _, e := range list {
		got = append(got, e.Name())
	}
	require.ElementsMatch(t, names, got)
}

func TestWriteRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	for _, n := range []int{0, 1, 8191, 8192, 100_000} { // around the size of a stream's buffer
		write1(t, file, n)
		got, err := read1(file)
		require.NoError(t, err)
		require.Equal(t, n, got)
	}
	alone(t, filepath.Dir(file), "c")

	one, err := os.ReadFile(file)
	require.NoError(t, err)
	write1(t, file, 100_000)
	two, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, bytes.Equal(one, two), "equal states have equal files")
}

// A file with any wrong bit, or truncated anywhere, is rejected with the reason before the walk begins.
func TestDamage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	write1(t, file, 3000)
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	refused := func(t require.TestingT, b []byte, says string) {
		require.NoError(t, os.WriteFile(file, b, 0o600))
		walk, _ := numbers(0, nil)
		begun := false
		err := Read(file, "mnc", func(c *state.Codec) { begun = true; walk(c) })
		require.ErrorContains(t, err, file+": this ")
		require.ErrorContains(t, err, says)
		require.False(t, begun)
		require.ErrorAs(t, err, new(*simerr.Usage))
	}
	change := func(at int, v byte) []byte {
		b := bytes.Clone(good)
		b[at] ^= v
		return b
	}
	for n := range 8 {
		refused(t, good[:n], ": this is not a checkpoint: it does not begin with EMSIMCKP")
	}
	for n := 8; n < 36; n++ {
		refused(t, good[:n], fmt.Sprintf(": this checkpoint is cut off: %d bytes, the header alone has 36", n))
	}
	body := len(good) - 36 // and of the recipe
	for _, n := range []int{0, 1, body - 1} {
		refused(t, good[:36+n], fmt.Sprintf(": this checkpoint is cut off: %d bytes of %d", n, body))
	}
	refused(t, append(bytes.Clone(good), 0), ": this is a damaged checkpoint: 1 bytes follow its end")
	refused(t, append(bytes.Clone(good), good...),
		fmt.Sprintf("damaged checkpoint: %d bytes follow its end", len(good)))
	for i := range 8 {
		refused(t, change(i, 0x20), "does not begin with EMSIMCKP")
	}
	refused(t, []byte(strings.Repeat("a program\n", 1000)), "does not begin with EMSIMCKP")
	refused(t, change(8, 3), ": this checkpoint has version 10, this program reads version 9: resume it with the "+
		"emsim that wrote it, or run the program again")
	refused(t, change(11, 1), "has version 16777225,")
	refused(t, change(12, 1), map[bool]string{true: "bytes follow its end", false: "cut off"}[(body-len("how"))&1 == 1])
	refused(t, change(19, 1), "cut off")
	refused(t, change(20, 1), fmt.Sprintf("this checkpoint is damaged: its checksum is %08x, the file says %08x",
		crc32.Update(crc32.ChecksumIEEE(good[36:]), crc32.IEEETable, change(20, 1)[:32]),
		binary.LittleEndian.Uint32(good[32:])))
	refused(t, change(28, 4), "cut off")
	refused(t, change(32, 1), "checksum")
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

// kindWords is the beginning of a body.
const kindWords = "\x03\x00\x00\x00\x00\x00\x00\x00mnc\x00\x00\x00\x00\x00"

// sealed frames a body and a recipe with a correct header and checksum.
func sealed(body []byte, unpacked uint64) []byte {
	h := header(uint64(len(body)), unpacked, len("how"))
	body = append(bytes.Clone(body), "how"...)
	h = binary.LittleEndian.AppendUint32(h, crc32.Update(crc32.ChecksumIEEE(body), crc32.IEEETable, h))
	return append(h, body...)
}

// A file that was forged with a correct checksum is rejected.
func TestTampered(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	write1(t, file, 100)
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	body, size := good[headerSize:len(good)-len("how")], uint64(len(kindWords)+101*8)
	require.Equal(t, good, sealed(body, size))
	for _, c := range []struct {
		body     []byte
		unpacked uint64
		says     string
	}{
		{body, size - 1, "the bytes end too early"},
		{body, size + 8, "the bytes end too early"},
		{body, uint64(len(kindWords)) + 8, "the bytes end too early"},
		{body, 8, "the bytes end too early"},
		{body, 1 << 60, "do not unpack to"},
		{body[:30], size, "end too early"},
		{[]byte("no gzip"), 10, "damaged"},
	} {
		require.NoError(t, os.WriteFile(file, sealed(c.body, c.unpacked), 0o600))
		_, err := read1(file)
		require.ErrorContains(t, err, c.says)
	}
	// The body is longer than the header says, and nothing is missing.
	require.NoError(t, os.WriteFile(file, sealed(body, size), 0o600))
	require.ErrorContains(t, Read(file, "mnc", func(c *state.Codec) {
		n := uint64(0)
		for range 50 {
			state.Num(c, &n)
		}
	}), "bytes are left over")
}

// The error for a checkpoint of another machine names the command that continues it.
func TestOtherMachines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	for kind, says := range map[string]string{
		"rhinet": ": this is a checkpoint of the RHiNET-2 cluster, not of the MNC computer: " +
			"emsim rhinet run --resume " +
			file + " continues it",
		"em4": ": this is a checkpoint of the EM-4, not of the MNC computer: emsim run --resume " + file +
			" continues it",
		"abacus": ": this checkpoint does not fit this program, or was tampered with: ",
	} {
		require.NoError(t, Write(file, kind, "", func(*state.Codec) {}))
		err := Read(file, "mnc", func(*state.Codec) { t.Fatal("it is of another machine") })
		require.ErrorContains(t, err, says)
		require.ErrorAs(t, err, new(*simerr.Usage))
	}
}

// The sizes in the header must be exact.
func TestSizes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	packed := func(plain string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(kindWords + plain))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return b.Bytes()
	}
	n := uint64(0)
	one := func(c *state.Codec) { state.Num(c, &n) }
	for _, c := range []struct {
		body     []byte
		unpacked uint64
		says     string
	}{
		{packed("12345678"), 8, ""},
		{packed("12345678"), 9, "the bytes end too early"},
		{packed("123456789"), 9, "1 bytes are left over"},
		{packed("123456789"), 8, "it unpacks to more than it says"},
		{packed("1234567"), 7, "the bytes end too early"},
		{packed("1234567"), 8, "the bytes end too early"},
		{packed("12345678")[:12], 8, "the bytes end too early"},
		{packed("12345678")[:9], 8, "this is a damaged checkpoint: unexpected EOF"},
	} {
		require.NoError(t, os.WriteFile(file, sealed(c.body, uint64(len(kindWords))+c.unpacked), 0o600))
		if err := Read(file, "mnc", one); c.says != "" {
			require.ErrorContains(t, err, c.says, "%d", c.unpacked)
		} else {
			require.NoError(t, err)
		}
	}
	require.NoError(t, os.WriteFile(file, sealed(packed("123456789"), uint64(len(kindWords))+9), 0o600))
	require.ErrorContains(t, Read(file, "mnc", one), file+
		": this checkpoint does not fit this program, or was tampered with: ")
	body := packed("12345678")
	for _, c := range []struct {
		unpacked uint64
		says     string
	}{{1100 * uint64(len(body)), "the bytes end too early"}, {
		1100*uint64(len(body)) + 1,
		fmt.Sprintf("tampered with: %d bytes do not unpack to %d", len(body), 1100*len(body)+1),
	}} {
		require.NoError(t, os.WriteFile(file, sealed(body, c.unpacked), 0o600))
		require.ErrorContains(t, Read(file, "mnc", func(c *state.Codec) {
			for i := uint64(0); c.Err() == nil; i++ {
				state.Num(c, &i)
			}
		}), c.says)
	}
}

// killed is the environment variable that is set in the child process of TestKilledWhileWriting.
const killed = "EMSIM_TEST_KILLED_WRITING"

// A process that is killed while it writes leaves the old checkpoint.
func TestKilledWhileWriting(t *testing.T) {
	if file := os.Getenv(killed); file != "" {
		self, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		walk, _ := numbers(1_000_000, func(i int) {
			if i == 900_000 {
				require.NoError(t, self.Kill())
				select {} // until killed
			}
		})
		_ = Write(file, "mnc", "how", walk)
		t.Fatal("still alive")
	}
	file := filepath.Join(t.TempDir(), "c")
	write1(t, file, 77)
	child := exec.Command(os.Args[0], "-test.run=^TestKilledWhileWriting$")
	child.Env = append(os.Environ(), killed+"="+file)
	out, err := child.CombinedOutput()
	require.Error(t, err)
	require.NotContains(t, string(out), "FAIL", "the child ends by the kill")
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".emsim-*.tmp"))
	require.NoError(t, err)
	require.Len(t, left, 1, "it had begun to write")
	info, err := os.Stat(left[0])
	require.NoError(t, err)
	require.NotZero(t, info.Size())
	n, err := read1(file)
	require.NoError(t, err)
	require.Equal(t, 77, n)
	require.NoError(t, Probe(file))
}

// An error during writing leaves the old file and no other.
func TestFailingWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "c")
	write1(t, file, 77)
	err := Write(file, "mnc", "how", func(c *state.Codec) { c.Fail("no more") })
	require.ErrorContains(t, err, "could not be written: state: no more")
	n, err := read1(file)
	require.NoError(t, err)
	require.Equal(t, 77, n)
	alone(t, dir, "c")
	missing := filepath.Join(dir, "no", "c")
	err = Write(missing, "mnc", "", func(*state.Codec) { t.Fatal("nothing is saved in vain") })
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, missing+": ")
	require.Error(t, Write(dir, "mnc", "", func(*state.Codec) { t.Fatal("nothing is saved in vain") }))
}

// Probe returns the errors that Write would return, and changes nothing.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "c")
	require.NoError(t, Probe(file))
	alone(t, dir)
	write1(t, file, 77)
	require.NoError(t, Probe(file))
	alone(t, dir, "c")
	n, err := read1(file)
	require.NoError(t, err)
	require.Equal(t, 77, n)

	require.ErrorContains(t, Probe(dir), dir+": ")
	require.ErrorContains(t, Probe(dir), "it is a directory")
	require.ErrorContains(t, Probe(os.DevNull), "it exists and is not a regular file")
	require.ErrorContains(t, Write(os.DevNull, "mnc", "", func(*state.Codec) {}), "it exists and is not a regular file")
	err = Probe(filepath.Join(dir, "no", "c"))
	require.ErrorContains(t, err, "cannot be written there")
	require.ErrorIs(t, err, fs.ErrNotExist)
	var named *Error
	require.ErrorAs(t, err, &named)
	require.Equal(t, filepath.Join(dir, "no", "c"), named.File)
	require.ErrorAs(t, err, new(*simerr.Usage))
	alone(t, dir, "c")
}

// A file of another kind is recognised by its first bytes.
func TestOtherKinds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(file, []byte("EMSIMOBJ and more"), 0o600))
	_, err := read1(file)
	require.ErrorContains(t, err, "is an object file, not a checkpoint")
}

// A file that is larger than any checkpoint is rejected by its size alone. The test's file is sparse.
func TestTooLarge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	write1(t, file, 1)
	for size, says := range map[int64]string{
		1<<38 +
			1: ": this is too large for a checkpoint: one of 256 GiB would not fit into a computer's memory",
		1 << 38: "bytes follow its end",
	} {
		require.NoError(t, os.Truncate(file, size))
		_, err := read1(file)
		require.ErrorContains(t, err, says)
	}
}

func TestNothingToRead(t *testing.T) {
	dir := t.TempDir()
	_, err := read1(dir)
	require.ErrorContains(t, err, "is a directory: expected a file")
	_, err = read1(filepath.Join(dir, "nosuch"))
	require.ErrorContains(t, err, "the checkpoint cannot be read")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// docs/FORMATS.md describes this version.
func TestPageHasTheVersion(t *testing.T) {
	page, err := os.ReadFile("../../../docs/FORMATS.md")
	require.NoError(t, err)
	require.Contains(t, string(page), fmt.Sprintf("| version | u32 | %d |\n", version))
}

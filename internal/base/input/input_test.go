package input

import (
	"bytes"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var program = Want{What: "a program", Kinds: []Kind{Assembly}, Most: 1 << 13, Why: "as a test"}

// put creates a file and returns its path.
func put(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	return file
}

func TestKindOf(t *testing.T) {
	noise := make([]byte, 100)
	for i := range noise {
		noise[i] = byte(0x80 + i)
	}
	for _, c := range []struct {
		name, text string
		want       Kind
	}{
		{"x", "", Text},
		{"x", "\n \n\tadd r1, r2, r3\n", Text},
		{"x", "; a program", Assembly},
		{"x", "\ufeff; a program", Assembly},
		{"x", "// a program in some language", Text},
		{"x", "\n\t.start main\r\n", Assembly},
		{"x", "main:\tnop!\n", Text},
		{"x.s", "main:\tnop!\n", Assembly},
		{"x.toml", "pes: 80\n", Text}, // the TOML reader will report the mistake
		{"x", ".5", Text},
		{"x", "pes = 80\n", Text}, // a constant, or a knob of a machine
		{"x.s", "# not so\nN = 5\n", Assembly},
		{"x", "# a machine\npes = 80\n", TOML},
		{"x.toml", "pes = 80\n", TOML},
		{"x", "title = \"x\"\n", TOML},
		{"x", "[set]\n", TOML},
		{"x", "title = \"x\"\n[[grid]]\n", Sweep},
		{"x", "[[variant]]\n", Sweep},
		{"x", "{\n \"format\": 1}", JSON},
		{"x", "# a wiring\nsource 26\nqpr 22: 0 4\n", Text},
		{"x", "# a topology\n0 > 2\n", Text},
		{"x", "EMSIMOBJ\x02\x00", Object},
		{"x", "EMSIMCKP\x02\x00", Checkpoint},
		{"x", "EMSIMCK", Text},
		{"x", "\x7fELF\x02", "an executable"},
		{"x", "\x1f\x8b\x08", "a gzip file"},
		{"x", "\xff\xfem\x00", Binary}, // UTF-16
		{"x", "main: nop!\x00", Binary},
		{"x", string(noise), Binary},
		{"x", strings.Repeat("\xff", 99), Binary},
		{"x.s", "; " + strings.Repeat("\xe9t\xe9 ", 9), Binary},                    // Latin-1
		{"x.s", "; " + strings.Repeat("\xcf\xc5\xd2\xc1\xcd\xcd\xc1 ", 9), Binary}, // KOI8-R
		{"x.s", "; " + strings.Repeat("\xe9t\xe9 ", 9) + "\x01", Binary},
		{"x", "; M\xfcnchen, Stra\xdfe\n", Assembly},                              // in an older encoding
		{"x", strings.Repeat("\t add\n", 1000) + string(noise), Text},             // only the beginning counts
		{"x", strings.Repeat("; add\n", 680) + strings.Repeat("é", 99), Assembly}, // cut within a character
	} {
		require.Equal(t, c.want, KindOf(c.name, []byte(c.text)), "%.40q", c.text)
	}
}

func TestRead(t *testing.T) {
	marked, err := program.Read(put(t, "m.s", "\ufeffmain:\tnop! ; \ufeff\n"))
	require.NoError(t, err)
	require.Equal(t, "main:\tnop! ; \ufeff\n", string(marked), "only the mark in front goes")
	text, err := program.Read(put(t, "p.s", "main:\tnop!\n"))
	require.NoError(t, err)
	require.Equal(t, "main:\tnop!\n", string(text))
	long := "; " + strings.Repeat("x", 1<<13-2)
	text, err = program.Read(put(t, "p.s", long))
	require.NoError(t, err)
	require.Equal(t, long, string(text))

	for file, message := range map[string]string{
		put(t, "p.s", long+"y"):              "p.s is too large: a program has at most 8 KiB, as a test",
		put(t, "p.ckp", "EMSIMCKP"+long+"y"): "p.ckp is a checkpoint, not a program: emsim run --resume ",
		put(t, "p.emo", "EMSIMOBJ"):          "p.emo is an object file, not a program: emsim run ",
		put(t, "m", "# m\npes = 80\n"):       "m is a TOML file, not a program: a machine is chosen by --machine ",
		put(t, "s", long[:5000]+"\x00"):      "", // after the checked part: left to the reader
		put(t, "b", "\x00\x01"):              "b is binary data, or text in an encoding other than UTF-8, not a program",
		t.TempDir():                          " is a directory: expected a file",
		os.DevNull:                           " is a device: expected a file",
	} {
		_, err := program.Read(file)
		if message == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, message)
		require.ErrorContains(t, err, file)
	}
	_, err = Want{Most: 9}.Read(put(t, "b", "\x00\x01")) // Kinds nil accepts any kind
	require.NoError(t, err)
	_, err = program.Read("nosuch.s")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.EqualError(t, err, "open nosuch.s: no such file or directory")
}

// A sweep file is distinguished from other TOML by lines far from its beginning.
func TestReadLooksAtAll(t *testing.T) {
	machine := Want{What: "a machine file", Kinds: []Kind{TOML}, Most: 1 << 14}
	text := "title = \"x\"\n# " + strings.Repeat("x", 5000) + "\n"
	_, err := machine.Read(put(t, "m", text))
	require.NoError(t, err)
	_, err = machine.Read(put(t, "m.toml", text+"[[grid]]\n"))
	require.ErrorContains(t, err, "m.toml is a sweep file, not a machine file: emsim sweep ")
}

// A file that is longer than the system reports is read to its end, or up to the limit.
func TestReadUnknownSize(t *testing.T) {
	const file = "/proc/self/status"
	if info, err := os.Stat(file); err != nil || info.Size() != 0 {
		t.Skip("no such file here")
	}
	text, err := Want{What: "x", Most: 1 << 20}.Read(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "Threads:")
	_, err = Want{What: "x", Most: 10}.Read(file)
	require.ErrorContains(t, err, "too large: x has at most 10 bytes")

	// This file is longer than the first bytes and than the limit.
	const long = "/proc/self/smaps"
	text, err = Want{What: "x", Most: 1 << 24}.Read(long)
	require.NoError(t, err)
	require.Greater(t, len(text), 2*headSize)
	_, err = Want{What: "x", Most: headSize + 10}.Read(long)
	require.ErrorContains(t, err, "too large: x has at most 4106 bytes")
}

func TestSocket(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", file)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	_, err = Open(file)
	require.ErrorContains(t, err, " is a socket: expected a file")
}

// Every text has a kind. A rejected text is also rejected by its first bytes alone.
func FuzzKindOf(f *testing.F) {
	for _, s := range []string{"", "# a\npes = 1\n", "[[grid]]", "a: nop", "\xff\xfe", "{", "a=\"", "EMSIMCKP"} {
		f.Add("x.toml", []byte(s))
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		k := KindOf(name, text)
		if k == "" {
			t.Fatal("no name")
		}
		if err := program.Refuse(name, text); (err == nil) != (k == Text || k == Assembly) {
			t.Fatal(k, err)
		}
		if again := KindOf(name, append(text[:len(text):len(text)], 'x')); len(text) >= headSize && again != k &&
			k != TOML && k != Sweep {
			t.Fatal(k, again)
		}
	})
}

// Keys of TOML files consist of letters, digits, underscores, dots and dashes.
func TestIsKey(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "a": true, "Z": true, "_": true, "0": true, "9": true, "a.b-c_9": true, "-": true, ".": true,
		"a b": false, "a:": false, "a/": false, "ä": false, "aä": false, "a\x00": false, "a,": false, "\u0161": false,
	} {
		require.Equal(t, want, tomlKey.MatchString(s), "%q", s)
	}
}

// A file is read to its end in portions of any size, but never beyond the limit.
func TestReadExactly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	for _, size := range []int{0, 1, headSize - 1, headSize, headSize + 1, 3*headSize + 7} {
		text := bytes.Repeat([]byte("x"), size)
		require.NoError(t, os.WriteFile(file, text, 0o600))
		got, err := Want{What: "a text", Most: int64(size)}.Read(file)
		require.NoError(t, err)
		require.Equal(t, string(text), string(got))
		if size > 0 {
			_, err = Want{What: "a text", Most: int64(size - 1)}.Read(file)
			require.ErrorContains(t, err, "too large")
		}
	}
}

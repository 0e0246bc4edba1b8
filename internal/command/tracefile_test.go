package command

import (
	"compress/gzip"
	"io"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// With a second ending the trace is the same, but compressed. The answer gives the number of bytes written.
func TestCompressedTraces(t *testing.T) {
	t.Chdir(t.TempDir())
	jsonOf(t, "trace", "fib", "5", "--pes", "12", "-o", "t.vcd")
	want, err := os.ReadFile("t.vcd")
	require.NoError(t, err)
	for name, open := range map[string]func(r io.Reader) (io.Reader, error){
		"t.vcd.gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"T.VCD.ZST": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		x := jsonOf(t, "trace", "fib", "5", "--pes", "12", "-o", name)
		f, err := os.Open(name)
		require.NoError(t, err)
		info, err := f.Stat()
		require.NoError(t, err)
		require.EqualValues(t, info.Size(), x["bytes"])
		require.Less(t, info.Size(), int64(len(want)/3))
		r, err := open(f)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), name)
		require.NoError(t, f.Close())
	}
}

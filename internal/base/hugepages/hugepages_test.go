package hugepages

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Advise does not change slices, whatever their size and their position in a page.
func TestContentStays(t *testing.T) {
	Advise[int](nil)
	Advise([]string{"a"})
	for _, n := range []int{2, 4096, least, least + 5000} {
		b := make([]byte, n)
		b[0], b[n-1] = 1, 2
		Advise(b)
		for _, part := range [][]byte{b[1:], b[1:min(n, 50)], b[min(n, 4095):], b[n/2:]} {
			if !refused(advise(part)) {
				continue
			}
			require.Fail(t, "the system does not accept it", "%d of %d bytes", len(part), n)
		}
		require.EqualValues(t, 1, b[0])
		require.EqualValues(t, 2, b[n-1])
		require.Equal(t, n-2, bytes.Count(b, []byte{0}))
	}
}

func TestBytesOf(t *testing.T) {
	type unit [128]uint64
	s := make([]unit, 7)
	require.Len(t, bytesOf(s), 7168)
	require.Len(t, bytesOf(s[:3]), 3072)
	require.EqualValues(t, 16<<20, least)
}

// refused reports whether the kernel rejected a request for a reason other than having no large pages.
func refused(err error) bool {
	_, missing := os.Stat("/sys/kernel/mm/transparent_hugepage")
	return err != nil && missing == nil
}

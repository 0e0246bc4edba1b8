package hugepages

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Slices are as before, whatever their size and their place in a page.
func TestContentStays(t *testing.T) {
	Use[int](nil)
	Use([]string{"a"})
	for _, n := range []int{2, 4096, least, least + 5000} {
		b := make([]byte, n)
		b[0], b[n-1] = 1, 2
		Use(b)
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

// On Linux a large slice gets the flag "hg".
func TestLarge(t *testing.T) {
	type unit [128]uint64
	s := make([]unit, least/1024)
	require.Len(t, bytesOf(s), 16<<20)
	require.Len(t, bytesOf(s[:3]), 3072)
	Use(s)
	if flags := flagsOf(t, unsafe.Pointer(&s[len(s)/2])); flags != nil {
		require.Contains(t, flags, "hg")
	}
	runtime.KeepAlive(s)
}

// refused reports whether the kernel found something wrong with a request, other
// than that it was built without large pages.
func refused(err error) bool {
	_, missing := os.Stat("/sys/kernel/mm/transparent_hugepage")
	return err != nil && missing == nil
}

// flagsOf returns the kernel's flags of the memory at an address; nil if it tells
// none, or knows no large pages.
func flagsOf(t *testing.T, at unsafe.Pointer) []string {
	maps, _ := os.ReadFile("/proc/self/smaps")
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		return nil
	}
	inside := false
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= uintptr(at) && uintptr(at) < to
		}
		if rest, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			return strings.Fields(rest)
		}
	}
	return nil
}

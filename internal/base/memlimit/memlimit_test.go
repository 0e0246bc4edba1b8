//go:build !js

package memlimit

import (
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
)

// The memory left is the least of the amounts that the computer, the control groups and the process leave.
func TestLeft(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	computer := file("MemTotal:       24602856 kB\nMemFree:         1 kB\nMemAvailable:   2000 kB\n")
	limits := func(space, data string) *fstest.MapFile {
		return file("Limit  Soft Limit  Hard Limit  Units\nMax data size   " + data +
			"  unlimited  bytes\nMax address space   " + space + "  unlimited  bytes\n")
	}
	status := file("Name: emsim\nVmPeak:  99999999 kB\nVmSize:  1000 kB\nVmData:  500 kB\n")
	const group, process = "limit of the control group", "limit of the process"
	for _, c := range []struct {
		want uint64
		of   string
		fs   fstest.MapFS
	}{
		{math.MaxUint64, "", fstest.MapFS{}},
		{math.MaxUint64, "", fstest.MapFS{"proc/meminfo": file("nothing\n")}},
		{math.MaxUint64, "", fstest.MapFS{"proc/meminfo": file("MemAvailable:\nMemAvailable: 5 kB\n")}},
		{math.MaxUint64, "", fstest.MapFS{"proc/meminfo": file("MemAvailable: many kB\n")}},
		{2000 << 10, "the computer", fstest.MapFS{"proc/meminfo": computer}},
		{2000 << 10, "the computer", fstest.MapFS{
			"proc/meminfo": computer, "proc/self/cgroup": file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("max\n"),
		}},
		{70, group, fstest.MapFS{
			"proc/meminfo": computer, "proc/self/cgroup": file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("70\n"), "sys/fs/cgroup/a/memory.max": file("90\n"),
		}},
		{45, group, fstest.MapFS{
			"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("70\n"),
			"sys/fs/cgroup/a/memory.max": file("90\n"), "sys/fs/cgroup/a/memory.current": file("50\n"),
			"sys/fs/cgroup/a/memory.stat": file("anon 45\ninactive_file 5\n"),
		}},
		{70, group, fstest.MapFS{"proc/self/cgroup": file("0::/a:b\n"), "sys/fs/cgroup/a:b/memory.max": file("70\n")}},
		{0, group, fstest.MapFS{
			"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("60\n"),
			"sys/fs/cgroup/memory.current": file("61\n"),
		}},
		{50, group, fstest.MapFS{
			"proc/self/cgroup":                             file("3:cpu:/x\n9:memory:/x\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   file("80\n"),
			"sys/fs/cgroup/memory/memory.usage_in_bytes":   file("40\n"),
			"sys/fs/cgroup/memory/memory.stat":             file("total_inactive_file 10\n"),
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": file("9223372036854771712\n"),
		}},
		{math.MaxUint64, "", fstest.MapFS{
			"proc/self/cgroup":                           file("3:cpu:/x\nodd\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("50\n"),
		}},
		{2000 << 10, "the computer", fstest.MapFS{
			"proc/meminfo":     computer,
			"proc/self/limits": limits("unlimited", "unlimited"), "proc/self/status": status,
		}},
		{30 + 7, process, fstest.MapFS{
			"proc/meminfo": computer, "proc/self/limits": limits("269459486", "unlimited"),
			"proc/self/status": status,
		}},
		{20 + 7, process, fstest.MapFS{
			"proc/meminfo": computer, "proc/self/limits": limits("269459486", "268947476"),
			"proc/self/status": status,
		}},
		{0, process, fstest.MapFS{
			"proc/meminfo": computer, "proc/self/limits": limits("1000", "unlimited"),
			"proc/self/status": status,
		}},
	} {
		bytes, of := systemLeft(c.fs, 7)
		require.Equal(t, c.want, bytes)
		require.Equal(t, c.of, of)
	}
}

// The error says how much memory there is and what limits it. It is not a usage error.
func TestCheck(t *testing.T) {
	require.NoError(t, Check("a machine of 12 PEs", EM4Bytes(12)))
	err := check("a machine of 1114112 PEs", EM4Bytes(1114112),
		func() (uint64, string) { return 5 << 20, "the computer" })
	require.EqualError(t, err, "a machine of 1114112 PEs needs 4.5 GiB of memory, 5 MiB are available (the computer)")
	require.Equal(t, "memory", simerr.Kind(err))
	require.Equal(t, map[string]any{"needs": EM4Bytes(1114112), "available": uint64(5 << 20), "of": "the computer"},
		simerr.Details(err))
	require.Error(t, Check("a machine beyond all computers", 1<<60))
	require.EqualValues(t, 24<<20+12*4352, EM4Bytes(12))
	require.Less(t, Traffic(1024), EM4Bytes(1024))
	require.EqualValues(t, 64<<20, Small)
}

// Garbage of former machines counts as available, even if only a collection frees it.
func TestLeftBehind(t *testing.T) {
	const large = 200 << 20
	t.Cleanup(func() { debug.SetGCPercent(100) })
	debug.SetGCPercent(-1)
	kept = make([]byte, large)
	for i := 0; i < large; i += 4096 {
		kept[i] = 1
	}
	before := idleBytes()
	another := func() error {
		return check("another one", large, func() (uint64, string) { return idleBytes() - before, "" })
	}
	require.Error(t, another(), "it is in use")
	kept = nil
	require.NoError(t, another())
}

var kept []byte

// Without a limit of the process there is no watch. With a limit, end is called once, after a collection has not
// helped, and never after the watch is stopped.
func TestWatch(t *testing.T) {
	Watch(func(string) { t.Error("nothing is short") })()
	asked := 0
	watch(func(string) { t.Error("nothing is short") }, func() uint64 { asked++; return math.MaxUint64 },
		time.Nanosecond)()
	require.Equal(t, 1, asked)

	// the amounts left at each query: at first, then twice per check
	for _, left := range [][]uint64{{9, 8, 0, 1, 0, 0}, {9, 0, 0}} {
		ended := make(chan string, 2)
		next := 0
		stop := watch(func(why string) { ended <- why }, func() uint64 {
			next++
			return left[next-1]
		}, time.Millisecond)
		require.Equal(t, "lack of memory (limit of the process)", <-ended)
		require.Equal(t, len(left), next)
		stop()
	}
	seen := make(chan bool, 100)
	stop := watch(func(string) { t.Error("it has been stopped") }, func() uint64 { seen <- true; return 1 },
		time.Millisecond)
	<-seen
	<-seen
	stop()
	time.Sleep(20 * time.Millisecond)
	for len(seen) > 0 {
		<-seen
	}
	time.Sleep(20 * time.Millisecond)
	require.Empty(t, seen, "nobody asks any more")
}

func TestSizes(t *testing.T) {
	require.EqualValues(t, 24<<20+80*768, Traffic(80))
	for bytes, want := range map[uint64]string{
		5 << 20: "5 MiB", 1<<30 - 1: "1023 MiB", 1 << 30: "1.0 GiB",
		5 << 29: "2.5 GiB",
	} {
		require.Equal(t, want, sizeText(bytes))
	}
}

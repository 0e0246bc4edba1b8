//go:build !js

package memlimit

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/metrics"
	"strconv"
	"strings"
)

// BytesLeft returns how many more bytes the process may allocate, and what limits them: the process, its control group
// or the computer. It returns math.MaxUint64 if the system does not say.
func BytesLeft() (bytes uint64, of string) { return systemLeft(os.DirFS("/"), idleBytes()) }

// spare is the address space that the process may need in addition to machines: heap arenas of 64 MiB that are not full
// yet, and stacks of threads [measured: the process begins with some 1.3 GiB, and threads start later].
const spare = 256 << 20

// idleBytes returns the bytes of heap that the process holds but does not use.
func idleBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}

// systemLeft reads the limits of the process, its control groups and the computer from Linux's /proc and /sys. It
// returns the least that any of them leaves.
func systemLeft(root fs.FS, idle uint64) (bytes uint64, of string) {
	bytes = math.MaxUint64
	bound := func(n uint64, by string) {
		if n < bytes {
			bytes, of = n, by
		}
	}
	bound(process(root, idle), "limit of the process")
	bound(groups(root), "limit of the control group")
	if kib, ok := field(root, "proc/meminfo", "MemAvailable:"); ok {
		bound(kib<<10, "the computer")
	}
	return bytes, of
}

// process returns how many bytes are still free under the limits of address space and data, as set by 'ulimit -v' and
// 'ulimit -d'.
func process(root fs.FS, idle uint64) uint64 {
	least := uint64(math.MaxUint64)
	for _, l := range []struct{ limit, used string }{{"Max address space", "VmSize:"}, {"Max data size", "VmData:"}} {
		most, limited := field(root, "proc/self/limits", l.limit)
		kib, known := field(root, "proc/self/status", l.used)
		if limited && known {
			least = min(least, differenceOrZero(most+idle, kib<<10+spare))
		}
	}
	return least
}

// groups returns the least memory, in bytes, that is still free under the limits of any control group of the process.
// A line of the file is hierarchy:controllers:path; in version 2 the list of controllers is empty.
func groups(root fs.FS) uint64 {
	least := uint64(math.MaxUint64)
	text, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range bytes.Lines(text) {
		part := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		switch {
		case len(part) < 3:
		case part[1] == "":
			least = min(least, group(root, "sys/fs/cgroup", part[2], "memory.max", "memory.current", "inactive_file"))
		case part[1] == "memory":
			least = min(least, group(root, "sys/fs/cgroup/memory", part[2], "memory.limit_in_bytes",
				"memory.usage_in_bytes", "total_inactive_file"))
		}
	}
	return least
}

// group returns the least memory, in bytes, that is still free under the limits of a control group and its ancestors.
// Inactive file pages count as free, because the kernel can reclaim them. A container may see its own group as the
// root.
func group(root fs.FS, mount, name, limit, used, files string) uint64 {
	least := uint64(math.MaxUint64)
	for ; ; name = path.Dir(name) {
		at := path.Join(mount, name)
		if most, ok := field(root, path.Join(at, limit), ""); ok {
			n, _ := field(root, path.Join(at, used), "")
			kept, _ := field(root, path.Join(at, "memory.stat"), files)
			least = min(least, differenceOrZero(most, differenceOrZero(n, kept)))
		}
		if name == "/" || name == "." {
			return least
		}
	}
}

// field returns the number that follows name at the beginning of a line, and whether there is one.
func field(root fs.FS, file, name string) (n uint64, ok bool) {
	text, _ := fs.ReadFile(root, file)
	for line := range bytes.Lines(text) {
		if rest, found := strings.CutPrefix(string(line), name); found {
			words := strings.Fields(rest)
			if len(words) == 0 {
				return 0, false
			}
			n, err := strconv.ParseUint(words[0], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// differenceOrZero returns a - b, or 0 if b is larger.
func differenceOrZero(a, b uint64) uint64 { return a - min(a, b) }

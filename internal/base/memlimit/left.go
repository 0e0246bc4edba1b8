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

// BytesLeft returns how many bytes more the process may take, and what bounds them:
// itself, its control group or the computer. It is math.MaxUint64 where the system does
// not say.
func BytesLeft() (bytes uint64, of string) { return systemLeft(os.DirFS("/"), idleBytes()) }

// spare is address space that the process may take in addition to machines: arenas of 64 MiB
// that are begun, and stacks of threads [measured: it begins with some 1.3 GiB, and
// threads come later].
const spare = 256 << 20

// idleBytes returns what the process has taken for data and can use again.
func idleBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}

// systemLeft reads what Linux says of the computer, of the process and of its
// control groups.
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

// process returns what the limits of address space and data leave, as of 'ulimit -v' and
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

// groups returns the least that a control group leaves. A line is
// hierarchy:controllers:path, with an empty list in version 2.
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

// group returns the least that a control group and those around it leave. What the
// kernel can give back, it keeps files in. A container may see its own group as the
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

// field returns the number that follows a name at the beginning of a line.
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

// differenceOrZero returns a difference, or 0.
func differenceOrZero(a, b uint64) uint64 { return a - min(a, b) }

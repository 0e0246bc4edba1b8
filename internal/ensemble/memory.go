package ensemble

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// What a machine takes by estimate [measured: docs/PERFORMANCE.md]: an EM-4 has
// 4.2 KB for a PE once its init block has run, and more wherever packets and
// operands pile up.
const (
	machineBytes = 16 << 20
	peBytes      = 6 << 10

	// Small is a machine of another kind.
	Small = 64 << 20
)

// EM4 is what an EM-4 of so many PEs takes by estimate, in bytes.
func EM4(pes int) uint64 { return machineBytes + uint64(pes)*peBytes }

// assumed is the memory of a computer that does not say how much it has.
const assumed = 4 << 30

// Memory is how many bytes all machines together may take: three quarters of
// what is available on the computer, and not more than a container, a batch job
// or GOMEMLIMIT leaves.
func Memory() uint64 {
	return min(memory(os.DirFS("/")), uint64(debug.SetMemoryLimit(-1))) / 4 * 3
}

// memory reads what Linux says of the computer and of the process's control
// groups.
func memory(root fs.FS) uint64 {
	least := uint64(math.MaxUint64)
	if text, err := fs.ReadFile(root, "proc/meminfo"); err == nil {
		for line := range bytes.Lines(text) {
			var kib uint64
			if n, _ := fmt.Sscanf(string(line), "MemAvailable: %d kB", &kib); n == 1 {
				least = kib << 10
			}
		}
	}
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range bytes.Lines(groups) {
		// hierarchy:controllers:path, with an empty list in version 2
		part := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		switch {
		case len(part) < 3:
		case part[1] == "":
			least = min(least, limit(root, "sys/fs/cgroup", part[2], "memory.max"))
		case part[1] == "memory":
			least = min(least, limit(root, "sys/fs/cgroup/memory", part[2], "memory.limit_in_bytes"))
		}
	}
	if least == math.MaxUint64 {
		return assumed
	}
	return least
}

// limit is the least limit of a control group and those around it. A container
// may see its own group as the root.
func limit(root fs.FS, mount, group, file string) uint64 {
	least := uint64(math.MaxUint64)
	for ; ; group = path.Dir(group) {
		text, _ := fs.ReadFile(root, path.Join(mount, group, file))
		if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
			least = min(least, n)
		}
		if group == "/" || group == "." {
			return least
		}
	}
}

// heap is what the process's data take now, some of which may be garbage.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

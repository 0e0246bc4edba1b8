package em4_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// Fields of a machine that are not part of its state, each with the reason. All
// others are changed one by one, and the hash must change.
var noState = map[string]string{
	// Arguments of New: equal in all machines that are compared.
	"em4.Machine.config":       "parameters",
	"em4.Machine.cfg":          "parameters",
	"em4.Machine.image":        "the program, which no instruction can change",
	"em4.Machine.prog":         "the program",
	"emcr.PE.cfg":              "parameters",
	"emcr.PE.image":            "the program",
	"emcr.PE.pins":             "pointer; the network visits the pins",
	"emcr.PE.address":          "position in the machine",
	"emcr.PE.index":            "position in the machine",
	"emcr.PE.width":            "parameter",
	"emcr.segments.base":       "parameter",
	"emcr.segments.size":       "parameter",
	"emcr.segments.total":      "parameter",
	"emcr.structure.base":      "parameter",
	"emcr.structure.total":     "parameter",
	"emcr.Memory.image":        "the program",
	"ibu.IBU.burstRefill":      "parameter",
	"ibu.IBU.refillFirst":      "parameter",
	"ibu.IBU.fifoCap":          "parameter",
	"ibu.IBU.mibCap":           "parameter",
	"omega.Network.Topology":   "parameter",
	"omega.Network.hopClocks":  "parameter",
	"omega.Network.bankClocks": "parameter",
	"omega.Network.banks":      "parameter",
	"omega.Network.compare":    "parameter",
	"omega.Network.strict":     "parameter",
	"omega.Network.priority":   "parameter",
	"omega.Network.format":     "parameter",
	"omega.SU.position":        "position in the machine",
	"omega.SU.prev":            "position in the machine",
	"omega.SU.behind":          "position in the machine",
	"omega.Network.pins":       "the slice that em4.Machine.pins is",

	// How the machine is simulated, which must not matter.
	"em4.Machine.clock":         "visited, but no bit of it can be flipped alone: State first simulates all PEs up to it",
	"em4.Machine.shares":        "the threads' notes, which are gathered after every clock",
	"em4.Machine.windows":       "the clocks that are being stepped",
	"em4.Machine.words":         "the host's words before them",
	"em4.Machine.threads":       "the threads",
	"em4.Machine.choice":        "how many threads there are",
	"em4.Machine.thread":        "which thread simulates each PE",
	"em4.Machine.onAccept":      "when each PE is simulated",
	"emcr.PE.nextClock":         "how far a PE has been simulated; State first brings all to the machine's clock",
	"emcr.PE.stepped":           "how many clocks were simulated one by one",
	"emcr.PE.leaps":             "parameter",
	"emcr.PE.lastActive":        "State first brings all PEs up to date, and em4.Machine.lastMove is the latest",
	"omega.schedule.eager":      "mode of the scheduler",
	"omega.schedule.fetch":      "mode of the scheduler",
	"omega.schedule.plain":      "mode of the scheduler",
	"omega.schedule.few":        "mode of the scheduler",
	"omega.schedule.crowded":    "mode of the scheduler",
	"omega.schedule.part":       "bits that follow from the units, sets, and mailboxes, which are empty between clocks",
	"omega.schedule.beforeRead": "function",
	"omega.schedule.intakeFree": "function",
	"omega.Network.watch":       "an observer",
	"emcr.PE.watch":             "an observer",
	"emcr.PE.operands":          "for the observer; follows from the memory's tags",
	"em4.Machine.watch":         "an observer",

	"packet.Packet.From": "for messages: the machine never looks at it",

	// Wires: driven and read within one clock.
	"omega.SU.wire": "from the first phase to the second",

	// Derived from fields that are visited.
	"emcr.Memory.operandBase": "parameter",
	"emcr.Memory.segBits":     "parameter",
	"emcr.Memory.hashed":      "whether the sum is kept",
	"emcr.Memory.dir":         "the hash visits the running sum over the content: TestMemorySumIsContent",
	"ibu.IBU.fifoHead":        "head of the ring: queues with equal contents have equal states",
	"ibu.IBU.mibHead":         "head of the ring: queues with equal contents have equal states",
	"emcr.outBuffer.head":     "head of the ring: queues with equal contents have equal states",
	"ibu.urgentQueue.level":   "parameter",
	"ibu.urgentQueue.head":    "head of the ring: queues with equal contents have equal states",

	// The end: a machine with a fault is not stepped any more.
	"em4.Machine.faulted": "the machine has stopped",
	"emcr.PE.fault":       "the machine has stopped",
}

// walker changes every leaf of a machine's plain data and computes the hash.
type walker struct {
	t       *testing.T
	m       *em4.Machine
	buf     []byte
	want    uint64
	changed map[string]int  // leaves changed, by the fields that lead to them
	met     map[string]bool // entries of noState that were met
	waiting map[string]bool // fields that were not in use
}

// inUse reports whether an element of a struct's field is in use: where a valid
// bit or a count says it is empty, it is not part of the state.
func inUse(parent reflect.Value, field string, i int) bool {
	num := func(name string) int {
		f := parent.FieldByName(name)
		if f.CanInt() {
			return int(f.Int())
		}
		return int(f.Uint())
	}
	within := func(head, count string, ring int) bool {
		return (i-num(head)+ring)%ring < num(count)
	}
	switch parent.Type().String() + "." + field {
	case "packet.Pins.Out", "packet.Pins.OutReady":
		return parent.FieldByName("OutFull").Bool()
	case "packet.Pins.In":
		return parent.FieldByName("InFull").Bool()
	case "omega.SU.bank":
		return num("full")>>i&1 == 1
	case "omega.SU.output":
		return i < 6 // the route of the own EXU's packet is a wire
	case "ibu.IBU.fifo":
		return within("fifoHead", "fifoCount", parent.FieldByName("fifo").Len())
	case "ibu.urgentQueue.ring":
		return within("head", "count", parent.FieldByName("ring").Len())
	case "ibu.IBU.mib":
		return within("mibHead", "mibCount", parent.FieldByName("mib").Len())
	case "emcr.prefetchRegisters.seg":
		return i < num("count")
	case "emcr.outBuffer.ring":
		return within("head", "count", parent.FieldByName("ring").Len())
	case "ibu.IBU.fifoCount":
		return parent.FieldByName("fifo").Len() > 0
	case "ibu.IBU.mibCount":
		return parent.FieldByName("mib").Len() > 0
	}
	return true
}

// fields walks a struct.
func (w *walker) fields(v reflect.Value, path string) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := v.Type().String() + "." + f.Name
		if _, skip := noState[name]; skip || f.Name == "_" {
			w.met[name] = true
			continue
		}
		x := v.Field(i)
		x = reflect.NewAt(x.Type(), unsafe.Pointer(x.UnsafeAddr())).Elem() // unexported fields too
		at := path + "." + f.Name
		if k := x.Kind(); k == reflect.Array || k == reflect.Slice {
			if k == reflect.Slice && x.Len() == 0 {
				w.waiting[at] = true
			}
			for j := range x.Len() {
				if inUse(v, f.Name, j) {
					w.value(x.Index(j), at)
				} else {
					w.waiting[at] = true
				}
			}
			continue
		}
		if inUse(v, f.Name, 0) {
			w.value(x, at)
		} else {
			w.waiting[at] = true
		}
	}
}

func (w *walker) value(x reflect.Value, path string) {
	switch x.Kind() {
	case reflect.Struct:
		w.fields(x, path)
	case reflect.Pointer:
		w.value(x.Elem(), path)
	case reflect.Bool:
		w.leaf(path, func() { x.SetBool(!x.Bool()) })
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.leaf(path, func() { x.SetInt(x.Int() ^ 1) })
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.leaf(path, func() { x.SetUint(x.Uint() ^ 1) })
	default:
		require.Failf(w.t, "a field of a kind that this test does not know", "%s %v", path, x.Type())
	}
}

// leaf flips a bit, computes the hash, and flips the bit back.
func (w *walker) leaf(path string, flip func()) {
	var got uint64
	flip()
	got, w.buf = w.m.Hash(w.buf)
	flip()
	require.NotEqual(w.t, w.want, got, "the hash does not see %s change", path)
	w.changed[path]++
}

// Every field of the state is in the hash.
func TestHashSeesEveryField(t *testing.T) {
	w := walker{t: t, changed: map[string]int{}, met: map[string]bool{}, waiting: map[string]bool{}}
	w.m = boot(t, machine(12, smallFIFO, func(c *em4.Config) { c.OutPackets, c.PrefetchRegisters, c.IBUPriority = 4, 2, 1 }), file(t, "busy.s"))
	require.NoError(t, w.m.Start([]uint64{7, 9, 1, 2, 3, 4}))
	for range 6 { // from the first packets to the crowd
		w.want, w.buf = w.m.Hash(w.buf)
		w.fields(reflect.ValueOf(w.m).Elem(), "m")
		after, _ := w.m.Hash(nil)
		require.Equal(t, w.want, after, "the walk leaves the state as it was")
		for range 120 {
			w.m.Step()
		}
	}
	leaves := 0
	for _, n := range w.changed {
		leaves += n
	}
	t.Logf("%d fields, %d leaves changed", len(w.changed), leaves)
	// No field was left out because it was never in use.
	for _, path := range slices.Sorted(maps.Keys(w.waiting)) {
		seen := slices.ContainsFunc(slices.Collect(maps.Keys(w.changed)), func(p string) bool {
			return p == path || len(p) > len(path) && p[:len(path)+1] == path+"."
		})
		require.True(t, seen, "%s was never in use: the test has to reach it", path)
	}
	for name := range noState {
		require.True(t, w.met[name], "noState lists %s, which no machine has", name)
	}
}

// The memory's part of the hash depends on its content alone: equal contents
// have equal hashes however they came about, and other contents have others.
func TestMemorySumIsContent(t *testing.T) {
	m := boot(t, machine(12), file(t, "busy.s"))
	before, _ := m.Hash(nil)
	mem := m.PE(5).Memory()
	type change struct {
		addr uint32
		word uint64
		tag  uint8
	}
	old := []change{}
	seen := map[uint64]string{before: "nothing"}
	note := func(what string) {
		h, _ := m.Hash(nil)
		require.Emptyf(t, seen[h], "%s gives the hash of another content", what)
		seen[h] = what
	}
	for i := range 200 {
		addr := uint32(i*7919) & (1<<18 - 1)
		old = append(old, change{addr, mem.Read(addr), mem.Tag(addr)})
		mem.Write(addr, mem.Read(addr)+uint64(i)+1)
		note(fmt.Sprintf("word %#x", addr))
		mem.WriteTagged(addr, mem.Read(addr), mem.Tag(addr)^1)
		note(fmt.Sprintf("tag %#x", addr))
	}
	for _, c := range old {
		mem.Write(c.addr, c.word)
		mem.WriteTagged(c.addr, c.word, c.tag)
	}
	after, _ := m.Hash(nil)
	require.Equal(t, before, after)
}

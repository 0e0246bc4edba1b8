package em4_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/statetest"
)

// noState maps fields of a machine that are not part of its state to the reason. All other fields are changed one by
// one, and the hash must change.
var noState = map[string]string{
	// These are arguments of New, which are equal in all machines that are compared.
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
	"omega.Network.balanced":   "parameter",
	"omega.Network.priority":   "parameter",
	"omega.Network.format":     "parameter",
	"omega.SU.position":        "position in the machine",
	"omega.SU.prev":            "position in the machine",
	"omega.SU.behind":          "position in the machine",
	"omega.Network.pins":       "the slice that em4.Machine.pins is",

	// These fields say how the machine is simulated, which must not matter.
	"em4.Machine.clock":         "visited, but no bit can be flipped alone: State first simulates all PEs up to it",
	"em4.Machine.parts":         "the threads' notes, which are gathered after every clock",
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
	"omega.Network.passed":      "an observer",
	"emcr.PE.watch":             "an observer",
	"emcr.PE.operands":          "for the observer; follows from the memory's tags",
	"em4.Machine.watch":         "an observer",

	"packet.Packet.From": "for messages: the machine never looks at it",

	// These are wires, driven and read within one clock.
	"omega.SU.wire": "from the first phase to the second",

	// These are derived from fields that are visited.
	"emcr.Memory.operandBase": "parameter",
	"emcr.Memory.segBits":     "parameter",
	"emcr.Memory.hashed":      "whether the sum is kept",
	"emcr.Memory.dir":         "the hash visits the running sum over the content: TestMemorySumIsContent",
	"ibu.IBU.fifoHead":        "head of the ring: queues with equal contents have equal states",
	"ibu.IBU.mibHead":         "head of the ring: queues with equal contents have equal states",
	"emcr.outBuffer.head":     "head of the ring: queues with equal contents have equal states",
	"ibu.urgentQueue.level":   "parameter",
	"ibu.urgentQueue.head":    "head of the ring: queues with equal contents have equal states",

	// These are set at the end: a machine with a fault is not stepped any more.
	"em4.Machine.faulted": "the machine has stopped",
	"emcr.PE.fault":       "the machine has stopped",
}

// inUse reports whether an element of a struct's field is in use. An element is not part of the state if a valid bit or
// a count says that it is empty.
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
		return i < 6 // the route of the packet of the unit's own EXU is a wire
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

// Every field of the state is in the hash.
func TestHashSeesEveryField(t *testing.T) {
	w := statetest.Fields{NoState: noState, InUse: inUse}
	m := boot(t,
		machine(12, smallFIFO, func(c *em4.Config) {
			c.OutPackets, c.PrefetchRegisters, c.IBUPriority, c.FairSwitch = 4, 2, 1, true
		}), file(t, "busy.s"))
	require.NoError(t, m.Start([]uint64{7, 9, 1, 2, 3, 4}))
	var buf []byte
	for range 6 { // from the first packets to many packets
		w.Check(t, m, func() (hash uint64) {
			hash, buf = m.Hash(buf)
			return hash
		})
		for range 120 {
			m.Step()
		}
	}
	w.Finish()
}

// The memory's part of the hash depends only on the content. Equal contents have equal hashes, whatever the order of
// the writes, and different contents have different hashes.
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

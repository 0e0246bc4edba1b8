package mnc

// Words is the number of 32-bit words of a QPR: four 2K x 8 chips in parallel
// [chosen, after the IDT7052 quad-port RAM's data sheet; the paper says only
// that the memory has four ports].
const Words = 2048

const addrMask = Words - 1

// QPRStats counts what happened at a board's ports.
type QPRStats struct {
	Reads          int64 `json:"reads"`           // words read
	Writes         int64 `json:"writes"`          // words written
	Busy           int64 `json:"busy"`            // requests refused
	WriteConflicts int64 `json:"write_conflicts"` // refused writes, because of another write
}

// A QPR is one quad-port RAM board: 2048 words, shared by four PEs with one port each. In one clock any number of ports
// may read one word, and accesses to different words never collide. A write blocks the reads of its word in the same
// clock; of two writes to one word, the one from the lower port wins. The tests implement these rules clock by clock.
// The machine needs only two cases: a port alone at a word (read, write), and one writer among readers (exchange).
type QPR struct {
	word  [Words]uint32
	stats QPRStats
}

// read reads a word that no port writes in this clock.
func (q *QPR) read(addr int) uint32 {
	q.stats.Reads++
	return q.word[addr&addrMask]
}

// write writes a word that no lower port writes in this clock.
func (q *QPR) write(addr int, data uint32) {
	q.stats.Writes++
	q.word[addr&addrMask] = data
}

// Stats returns the counts so far.
func (q *QPR) Stats() QPRStats { return q.stats }

// Peek returns a word without using a port or a clock, for the ideal host and
// for observers.
func (q *QPR) Peek(addr int) uint32 { return q.word[addr&addrMask] }

// poke writes a word for the ideal host, without using a port or a clock.
func (q *QPR) poke(addr int, data uint32) { q.word[addr&addrMask] = data }

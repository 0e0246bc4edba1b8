package emcr

import "emsim/internal/state"

// Memory geometry: an 18-bit address is 5 bits of directory, 5 of table, 8 of
// page. An untouched PE holds no page.
const (
	pageBits  = 8
	tableBits = 5
	pageWords = 1 << pageBits
	tableLen  = 1 << tableBits
	addrMask  = 1<<18 - 1
)

// Tags of memory words outside word 0 of a segment: the presence of an
// operand that waits for its partner.
const (
	tagEmpty uint8 = iota
	tagLeft
	tagRight
)

// Tags of word 0 of an operand segment. The bits above count the operands
// that wait in the segment.
const (
	tagFree   uint8 = 0
	tagFresh  uint8 = 1 // taken, no operand has come yet
	tagLive   uint8 = 2 // a function instance
	tagUse    uint8 = 3 // mask of the above
	tagWaiter uint8 = 4 // one waiting operand
)

type page struct {
	word [pageWords]uint64
	tag  [pageWords]uint8
}

// Memory is the external memory of one PE: 64-bit words, each with a tag for
// direct matching. Pages come into being when they are first written; until
// then they read as the program's image.
type Memory struct {
	image []uint64 // initial content from address 0, shared by all PEs
	dir   [tableLen]*[tableLen]*page
	sum   uint64 // sum of mix over all words: the content's hash
}

func (m *Memory) find(addr uint32) *page {
	if t := m.dir[addr>>(pageBits+tableBits)]; t != nil {
		return t[addr>>pageBits&(tableLen-1)]
	}
	return nil
}

// Read returns a word.
func (m *Memory) Read(addr uint32) uint64 {
	if p := m.find(addr); p != nil {
		return p.word[addr&(pageWords-1)]
	}
	if int(addr) < len(m.image) {
		return m.image[addr]
	}
	return 0
}

// Tag returns the tag of a word.
func (m *Memory) Tag(addr uint32) uint8 {
	if p := m.find(addr); p != nil {
		return p.tag[addr&(pageWords-1)]
	}
	return 0
}

// Write changes a word.
func (m *Memory) Write(addr uint32, v uint64) {
	p := m.touch(addr)
	w := &p.word[addr&(pageWords-1)]
	m.sum += mix(addr, v) - mix(addr, *w)
	*w = v
}

// SetTag changes the tag of a word.
func (m *Memory) SetTag(addr uint32, tag uint8) {
	p := m.touch(addr)
	g := &p.tag[addr&(pageWords-1)]
	m.sum += mix(^addr, uint64(tag)) - mix(^addr, uint64(*g))
	*g = tag
}

func (m *Memory) touch(addr uint32) *page {
	t := m.dir[addr>>(pageBits+tableBits)]
	if t == nil {
		t = new([tableLen]*page)
		m.dir[addr>>(pageBits+tableBits)] = t
	}
	p := t[addr>>pageBits&(tableLen-1)]
	if p == nil {
		p = new(page)
		t[addr>>pageBits&(tableLen-1)] = p
		if first := int(addr &^ (pageWords - 1)); first < len(m.image) {
			copy(p.word[:], m.image[first:])
		}
	}
	return p
}

// mix spreads an address and a value over 64 bits.
func mix(addr uint32, v uint64) uint64 {
	x := (v + uint64(addr)*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return (x ^ x>>29) * 0x94d049bb133111eb
}

// Touched calls f with the first address of every page that has come into
// being, in ascending order.
func (m *Memory) Touched(f func(first uint32)) {
	for i, t := range m.dir {
		for j := range tableLen {
			if t != nil && t[j] != nil {
				f(uint32(i<<tableBits|j) << pageBits)
			}
		}
	}
}

// State visits the content. A hash visits only its running sum.
func (m *Memory) State(c *state.Codec) {
	if c.Digest() {
		state.Num(c, &m.sum)
		return
	}
	pages := []uint32{}
	m.Touched(func(first uint32) { pages = append(pages, first) })
	state.Len(c, &pages, tableLen*tableLen)
	if c.Loading() {
		m.dir, m.sum = [tableLen]*[tableLen]*page{}, 0
	}
	for i := range pages {
		state.Num(c, &pages[i])
		if pages[i]&^addrMask != 0 || pages[i]%pageWords != 0 {
			c.Fail("no memory page begins at %#x", pages[i])
			return
		}
		p := m.touch(pages[i])
		for j := range p.word {
			addr := pages[i] + uint32(j)
			word, tag := p.word[j], p.tag[j]
			state.Num(c, &word)
			state.Num(c, &tag)
			if c.Loading() {
				m.Write(addr, word)
				m.SetTag(addr, tag)
			}
		}
	}
}

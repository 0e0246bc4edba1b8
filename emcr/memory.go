package emcr

import (
	"math/bits"

	"emsim/internal/state"
)

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
//
// Of an operand segment only a few displacements are ever used, so words of
// one displacement in neighbouring segments lie side by side here: the host's
// caches then hold the operands of all segments, not the gaps between them.
type Memory struct {
	image []uint64 // initial content from address 0, shared by all PEs
	dir   [tableLen]*[tableLen]*page

	operands uint32 // from this address on words lie by displacement
	segBits  uint8  // segments have 2^segBits words

	hashed bool   // sum is kept
	sum    uint64 // sum of mix over all words: the content's hash
}

// sideBits: so many segments, as a power of two, lie side by side. A page
// holds whole rows of them [chosen].
const sideBits = 6

// setOperands says where operand segments begin, and of how many words they
// are, a power of two.
func (m *Memory) setOperands(base, size uint32) {
	m.segBits = uint8(bits.TrailingZeros32(size))
	m.operands = base &^ (size<<sideBits - 1)
}

// place says where in the pages a word lies.
func (m *Memory) place(addr uint32) uint32 {
	if addr < m.operands {
		return addr
	}
	d := addr & (1<<m.segBits - 1)
	side := addr >> m.segBits & (1<<sideBits - 1)
	return addr>>(m.segBits+sideBits)<<(m.segBits+sideBits) | d<<sideBits | side
}

// addr is the inverse of place.
func (m *Memory) addr(place uint32) uint32 {
	if place < m.operands {
		return place
	}
	side := place & (1<<sideBits - 1)
	d := place >> sideBits & (1<<m.segBits - 1)
	return place>>(m.segBits+sideBits)<<(m.segBits+sideBits) | side<<m.segBits | d
}

func (m *Memory) find(place uint32) *page {
	if t := m.dir[place>>(pageBits+tableBits)]; t != nil {
		return t[place>>pageBits&(tableLen-1)]
	}
	return nil
}

// Read returns a word.
func (m *Memory) Read(addr uint32) uint64 {
	word, _ := m.cell(addr)
	return word
}

// Tag returns the tag of a word.
func (m *Memory) Tag(addr uint32) uint8 {
	_, tag := m.cell(addr)
	return tag
}

// cell returns a word and its tag.
func (m *Memory) cell(addr uint32) (word uint64, tag uint8) {
	at := m.place(addr)
	if p := m.find(at); p != nil {
		return p.word[at&(pageWords-1)], p.tag[at&(pageWords-1)]
	}
	return m.initial(addr), tagEmpty
}

// initial returns what a word holds before it is written.
func (m *Memory) initial(addr uint32) uint64 {
	if int(addr) < len(m.image) {
		return m.image[addr]
	}
	return 0
}

// Write changes a word.
func (m *Memory) Write(addr uint32, v uint64) {
	at := m.place(addr)
	w := &m.touch(at).word[at&(pageWords-1)]
	if m.hashed {
		m.sum += mix(addr, v) - mix(addr, *w)
	}
	*w = v
}

// SetTag changes the tag of a word.
func (m *Memory) SetTag(addr uint32, tag uint8) {
	at := m.place(addr)
	g := &m.touch(at).tag[at&(pageWords-1)]
	if m.hashed {
		m.sum += mix(^addr, uint64(tag)) - mix(^addr, uint64(*g))
	}
	*g = tag
}

func (m *Memory) touch(place uint32) *page {
	t := m.dir[place>>(pageBits+tableBits)]
	if t == nil {
		t = new([tableLen]*page)
		m.dir[place>>(pageBits+tableBits)] = t
	}
	p := t[place>>pageBits&(tableLen-1)]
	if p == nil {
		p = m.newPage(place &^ (pageWords - 1))
		t[place>>pageBits&(tableLen-1)] = p
	}
	return p
}

func (m *Memory) newPage(first uint32) *page {
	p := new(page)
	for j := range p.word {
		p.word[j] = m.initial(m.addr(first + uint32(j)))
	}
	return p
}

// hash returns the hash of the content. Once somebody has asked for it, it is
// kept up to date with every write.
func (m *Memory) hash() uint64 {
	if !m.hashed {
		m.hashed, m.sum = true, 0
		m.Touched(func(first uint32) {
			p := m.find(first)
			for j := range p.word {
				addr := m.addr(first + uint32(j))
				m.sum += mix(addr, p.word[j]) - mix(addr, m.initial(addr))
				m.sum += mix(^addr, uint64(p.tag[j])) - mix(^addr, uint64(tagEmpty))
			}
		})
	}
	return m.sum
}

// mix spreads an address and a value over 64 bits.
func mix(addr uint32, v uint64) uint64 {
	x := (v + uint64(addr)*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return (x ^ x>>29) * 0x94d049bb133111eb
}

// Touched calls f with the first place of every page that has come into being,
// in ascending order.
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
		sum := m.hash()
		state.Num(c, &sum)
		return
	}
	pages := []uint32{}
	m.Touched(func(first uint32) { pages = append(pages, first) })
	state.Len(c, &pages, tableLen*tableLen)
	if c.Loading() {
		m.dir, m.hashed = [tableLen]*[tableLen]*page{}, false
	}
	for i := range pages {
		state.Num(c, &pages[i])
		if pages[i]&^addrMask != 0 || pages[i]%pageWords != 0 {
			c.Fail("no memory page begins at %#x", pages[i])
			return
		}
		p := m.touch(pages[i])
		for j := range p.word {
			state.Num(c, &p.word[j])
			state.Num(c, &p.tag[j])
		}
	}
}

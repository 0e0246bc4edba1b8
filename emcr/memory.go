package emcr

import (
	"math/bits"

	"emsim/internal/base/state"
)

// An 18-bit address is split into 5 bits of directory, 5 of table and 8 of page.
const (
	pageBits  = 8
	tableBits = 5
	pageWords = 1 << pageBits
	tableLen  = 1 << tableBits
	addrMask  = 1<<18 - 1
)

// The tags of all memory words except word 0 of an operand segment. A tag says which operand waits in the word for its
// partner.
const (
	tagEmpty uint8 = iota
	tagLeft
	tagRight
)

// The tags of word 0 of an operand segment. The bits above tagUse count the operands that wait in the segment.
const (
	tagFree   uint8 = 0
	tagFresh  uint8 = 1 // allocated, but no operand has arrived yet
	tagLive   uint8 = 2 // a function instance
	tagUse    uint8 = 3 // mask for these three tags
	tagWaiter uint8 = 4 // one waiting operand
)

type page struct {
	word [pageWords]uint64
	tag  [pageWords]uint8
}

// Memory is the external memory of one PE: 64-bit words, each with a tag for direct matching. A page is allocated when
// the PE first writes or matches in it; until then its words read as the program's image.
//
// Programs use only a few displacements of an operand segment. Words of equal
// displacement in neighbouring segments are stored side by side, so that the
// host's caches hold the operands of all segments and not the gaps between them.
type Memory struct {
	operandBase uint32 // from this address on, words are stored by displacement
	segBits     uint8  // segments have 2^segBits words

	hashed bool   // writes update sum
	sum    uint64 // sum of the changes in hashWord from the initial words and tags

	image []uint64 // initial content from address 0, shared by all PEs
	dir   [tableLen]*[tableLen]*page
}

// 2^sideBits segments are stored side by side. A page holds whole rows of words with equal displacement [chosen].
const (
	sideBits = 6
	sideMask = 1<<sideBits - 1
)

// setOperands sets the address at which the operand segments begin, and their size in words, which must be a power of
// two.
func (m *Memory) setOperands(base, size uint32) {
	m.segBits = uint8(bits.TrailingZeros32(size))
	m.operandBase = base &^ (size<<sideBits - 1)
}

// offset returns the position at which a word is stored in the pages.
func (m *Memory) offset(addr uint32) uint32 {
	if addr < m.operandBase {
		return addr
	}
	shift := m.segBits & 31 // the mask tells the compiler that the shift is below 32
	within := uint32(1)<<shift - 1
	return addr&^(within<<sideBits|sideMask) | addr&within<<sideBits | addr>>shift&sideMask
}

// addressOf returns the address of the word that is stored at an offset.
func (m *Memory) addressOf(offset uint32) uint32 {
	if offset < m.operandBase {
		return offset
	}
	side := offset & (1<<sideBits - 1)
	d := offset >> sideBits & (1<<m.segBits - 1)
	return offset>>(m.segBits+sideBits)<<(m.segBits+sideBits) | side<<m.segBits | d
}

// pageAt returns the page of an offset, or nil if the page is not allocated.
func (m *Memory) pageAt(offset uint32) *page {
	if t := m.dir[offset>>(pageBits+tableBits)]; t != nil {
		return t[offset>>pageBits&(tableLen-1)]
	}
	return nil
}

// Read returns a word.
func (m *Memory) Read(addr uint32) uint64 {
	word, _ := m.wordAndTag(addr)
	return word
}

// Tag returns the tag of a word.
func (m *Memory) Tag(addr uint32) uint8 {
	_, tag := m.wordAndTag(addr)
	return tag
}

// wordAndTag returns a word and its tag.
func (m *Memory) wordAndTag(addr uint32) (word uint64, tag uint8) {
	at := m.offset(addr)
	if p := m.pageAt(at); p != nil {
		return p.word[at&(pageWords-1)], p.tag[at&(pageWords-1)]
	}
	return m.initial(addr), tagEmpty
}

// initial returns the content of a word that has never been written.
func (m *Memory) initial(addr uint32) uint64 {
	if int(addr) < len(m.image) {
		return m.image[addr]
	}
	return 0
}

// cell returns pointers to a word and to its tag, to be changed by setWord and setTag. It allocates the word's page if
// necessary.
func (m *Memory) cell(addr uint32) (word *uint64, tag *uint8) {
	at := m.offset(addr)
	p := m.pageAt(at)
	if p == nil {
		p = m.newPage(at &^ (pageWords - 1))
		m.addPage(at, p)
	}
	return &p.word[at&(pageWords-1)], &p.tag[at&(pageWords-1)]
}

func (m *Memory) setWord(addr uint32, word *uint64, v uint64) {
	if m.hashed {
		m.sum += hashWord(addr, v) - hashWord(addr, *word)
	}
	*word = v
}

func (m *Memory) setTag(addr uint32, tag *uint8, v uint8) {
	if m.hashed {
		m.sum += hashWord(^addr, uint64(v)) - hashWord(^addr, uint64(*tag))
	}
	*tag = v
}

// Write changes a word.
func (m *Memory) Write(addr uint32, v uint64) {
	word, _ := m.cell(addr)
	m.setWord(addr, word, v)
}

// WriteTagged changes a word and its tag.
func (m *Memory) WriteTagged(addr uint32, v uint64, t uint8) {
	word, tag := m.cell(addr)
	m.setWord(addr, word, v)
	m.setTag(addr, tag, t)
}

func (m *Memory) addPage(offset uint32, p *page) {
	t := &m.dir[offset>>(pageBits+tableBits)]
	if *t == nil {
		*t = new([tableLen]*page)
	}
	(*t)[offset>>pageBits&(tableLen-1)] = p
}

// newPage returns a page whose words have their initial content. first is the offset of the page's first word.
func (m *Memory) newPage(first uint32) *page {
	p := new(page)
	for j := range p.word {
		p.word[j] = m.initial(m.addressOf(first + uint32(j)))
	}
	return p
}

// contentHash returns the hash of the content. After the first call, every write updates the hash.
func (m *Memory) contentHash() uint64 {
	if !m.hashed {
		m.hashed, m.sum = true, 0
		m.Touched(func(first uint32) {
			p := m.pageAt(first)
			for j := range p.word {
				addr := m.addressOf(first + uint32(j))
				m.sum += hashWord(addr, p.word[j]) - hashWord(addr, m.initial(addr))
				m.sum += hashWord(^addr, uint64(p.tag[j])) - hashWord(^addr, uint64(tagEmpty))
			}
		})
	}
	return m.sum
}

// hashWord returns a hash of an address and a value.
func hashWord(addr uint32, v uint64) uint64 {
	x := (v + uint64(addr)*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return (x ^ x>>29) * 0x94d049bb133111eb
}

// Touched calls f with the first offset of every allocated page, in ascending
// order.
func (m *Memory) Touched(f func(first uint32)) {
	for i, t := range m.dir {
		for j := range tableLen {
			if t != nil && t[j] != nil {
				f(uint32(i<<tableBits|j) << pageBits)
			}
		}
	}
}

// State visits the content. For a digest it visits only the running hash.
func (m *Memory) State(c *state.Codec) {
	if c.Digest() {
		sum := m.contentHash()
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
		p := m.pageAt(pages[i])
		if p == nil {
			p = new(page) // all of its words are restored
			m.addPage(pages[i], p)
		}
		state.Pairs(c, p.word[:], p.tag[:])
	}
}

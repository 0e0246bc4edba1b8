package packet

import "fmt"

// Format holds the field widths of a machine's words, in bits.
type Format struct {
	GABits   uint8 // group address
	CABits   uint8 // column (member) address
	AddrBits uint8 // memory address
	DataBits uint8 // payload and registers: 32 or 64
}

// Field widths that are the same on every machine.
const (
	hostBits  = 1
	kindBits  = 7
	matchBits = 2
	modeBits  = 1
	tagBits   = 1 + 6 // of the data word; always 0, because no instruction sets them

	// AddrBits is the width of a memory address: 256 K words [chosen].
	AddrBits = 18
)

// FormatFor returns the format of the machine with k+1 members in each of 2^k
// groups. Up to k = 7 it is the 39-bit format of the prototype. A payload must
// be able to hold a continuation (matching condition, GA, CA, memory address), so
// from k = 9 on payloads are 64 bits wide [derived].
func FormatFor(k int) Format {
	f := Format{GABits: 7, CABits: 3, AddrBits: AddrBits, DataBits: 32}
	if k > 7 {
		f.GABits = uint8(k)
		f.CABits = 4
		if k > 15 {
			f.CABits = 5
		}
	}
	if matchBits+int(f.GABits)+int(f.CABits)+AddrBits > 32 {
		f.DataBits = 64
	}
	return f
}

// AddressWordBits returns the width of the address word.
func (f Format) AddressWordBits() int {
	return hostBits + kindBits + matchBits + modeBits + int(f.GABits) + int(f.CABits) + int(f.AddrBits)
}

// DataWordBits returns the width of the data word.
func (f Format) DataWordBits() int { return tagBits + int(f.DataBits) }

// Words is a packet as it crosses a port: two words, one per clock.
type Words struct {
	Address uint64 // AddressWordBits wide
	Data    uint64 // the payload bits of the data word
	Tag     uint8  // the 1+6 tag bits of the data word
}

// Pack turns a packet into its two words. The error names the first field that
// does not fit.
func (f Format) Pack(p Packet) (Words, error) {
	fields := []struct {
		name  string
		value uint64
		bits  uint8
	}{
		{"host", boolBit(p.ToHost), hostBits},
		{"type", uint64(p.Kind), kindBits},
		{"match", uint64(p.Match), matchBits},
		{"mode", boolBit(p.Direct), modeBits},
		{"GA", uint64(p.Dest.GA), f.GABits},
		{"CA", uint64(p.Dest.CA), f.CABits},
		{"address", uint64(p.Addr), f.AddrBits},
	}
	var w Words
	for _, x := range fields {
		if x.value>>x.bits != 0 {
			return Words{}, fmt.Errorf("packet: %s %#x does not fit %d bits", x.name, x.value, x.bits)
		}
		w.Address = w.Address<<x.bits | x.value
	}
	if f.DataBits < 64 && p.Data>>f.DataBits != 0 {
		return Words{}, fmt.Errorf("packet: payload %#x does not fit %d bits", p.Data, f.DataBits)
	}
	w.Data = p.Data
	return w, nil
}

// Unpack is the inverse of Pack, except for Src and Seq, which are not on the
// wire. It returns an error for bits outside the format, for tags that no
// instruction makes, and for reserved types and matching conditions.
func (f Format) Unpack(w Words) (Packet, error) {
	if w.Address>>f.AddressWordBits() != 0 {
		return Packet{}, fmt.Errorf("packet: address word %#x is wider than %d bits", w.Address, f.AddressWordBits())
	}
	if f.DataBits < 64 && w.Data>>f.DataBits != 0 {
		return Packet{}, fmt.Errorf("packet: payload %#x is wider than %d bits", w.Data, f.DataBits)
	}
	if w.Tag != 0 {
		return Packet{}, fmt.Errorf("packet: data tag %#x: no instruction makes tagged data", w.Tag)
	}
	a := w.Address
	take := func(bits uint8) uint64 {
		v := a & (1<<bits - 1)
		a >>= bits
		return v
	}
	p := Packet{Data: w.Data}
	p.Addr = uint32(take(f.AddrBits))
	p.Dest.CA = uint8(take(f.CABits))
	p.Dest.GA = uint16(take(f.GABits))
	p.Direct = take(modeBits) == 1
	p.Match = Match(take(matchBits))
	p.Kind = Kind(take(kindBits))
	p.ToHost = take(hostBits) == 1
	if p.Match > Right {
		return Packet{}, fmt.Errorf("packet: matching condition %d is reserved", p.Match)
	}
	if !p.Kind.Valid() {
		return Packet{}, fmt.Errorf("packet: type %d is reserved", uint8(p.Kind))
	}
	return p, nil
}

// Cont is a continuation: a payload that says where a result is to go.
//
//	match 2 | GA | CA | memory address 18
type Cont struct {
	Match Match
	PE    PE
	Addr  uint32
}

// Cont reads a payload as a continuation. It ignores bits above the matching
// condition, for which the hardware has no wires.
func (f Format) Cont(v uint64) Cont {
	return Cont{
		Addr:  uint32(v) & (1<<f.AddrBits - 1),
		PE:    f.ContPE(v),
		Match: Match(v>>(f.AddrBits+f.CABits+f.GABits)) & 3,
	}
}

// ContPE returns the PE of a continuation.
func (f Format) ContPE(v uint64) PE {
	v >>= f.AddrBits
	return PE{CA: uint8(v & (1<<f.CABits - 1)), GA: uint16(v >> f.CABits & (1<<f.GABits - 1))}
}

// Payload is the inverse of Cont.
func (f Format) Payload(c Cont) uint64 {
	v := uint64(c.Match)
	v = v<<f.GABits | uint64(c.PE.GA)
	v = v<<f.CABits | uint64(c.PE.CA)
	return v<<f.AddrBits | uint64(c.Addr)
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

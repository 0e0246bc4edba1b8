package packet

import "fmt"

// Unpack returns the inverse of Pack, except for Src and Seq, which are not on the wire. It returns an error for bits
// outside the format, and for reserved types and matching conditions.
func (f Format) Unpack(w Words) (Packet, error) {
	if w.Address>>f.AddressWordBits() != 0 {
		return Packet{}, fmt.Errorf("packet: address word %#x is wider than %d bits", w.Address, f.AddressWordBits())
	}
	if f.DataBits < 64 && w.Data>>f.DataBits != 0 {
		return Packet{}, fmt.Errorf("packet: payload %#x is wider than %d bits", w.Data, f.DataBits)
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

// AddressWordBits returns the width of the address word.
func (f Format) AddressWordBits() int {
	return hostBits + kindBits + matchBits + modeBits + int(f.GABits) + int(f.CABits) + int(f.AddrBits)
}

// DataWordBits returns the width of the data word.
func (f Format) DataWordBits() int { return 1 + 6 + int(f.DataBits) }

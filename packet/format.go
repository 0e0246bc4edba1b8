package packet

import "fmt"

// Format holds the field widths of a machine's words, in bits.
type Format struct {
	GABits   uint8 // group address
	CABits   uint8 // column (member) address
	AddrBits uint8 // memory address
	DataBits uint8 // payload and registers: 32 or 64
}

// The field widths that are the same on every machine.
const (
	hostBits  = 1
	kindBits  = 7
	matchBits = 2
	modeBits  = 1

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

// Words is a packet on a port: two words, one per clock. The tag bits of the data word are always 0, because no
// instruction sets them.
type Words struct {
	Address uint64
	Data    uint64 // the payload bits of the data word
}

// Pack returns the two words of a packet. If a field does not fit, the error names the first such field.
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

// Cont is a continuation: a payload that holds the destination of a result.
//
//	match 2 | GA | CA | memory address 18
type Cont struct {
	Match Match
	PE    PE
	Addr  uint32
}

// Cont decodes a payload as a continuation. It ignores the bits above the matching condition, for which the hardware
// has no wires.
func (f Format) Cont(v uint64) Cont {
	return Cont{
		Addr:  uint32(v) & (1<<(f.AddrBits&31) - 1),
		PE:    f.ContPE(v),
		Match: Match(v>>((f.AddrBits+f.CABits+f.GABits)&63)) & 3,
	}
}

// ContPE returns the PE that a continuation names.
func (f Format) ContPE(v uint64) PE {
	v >>= f.AddrBits & 63
	return PE{CA: uint8(v & (1<<(f.CABits&63) - 1)), GA: uint16(v >> (f.CABits & 63) & (1<<(f.GABits&63) - 1))}
}

// Payload encodes a continuation as a payload. It is the inverse of Cont.
func (f Format) Payload(c Cont) uint64 {
	v := uint64(c.Match)
	v = v<<(f.GABits&63) | uint64(c.PE.GA)
	v = v<<(f.CABits&63) | uint64(c.PE.CA)
	return v<<(f.AddrBits&63) | uint64(c.Addr)
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

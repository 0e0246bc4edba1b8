package packet

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
)

// Each machine size has its widths, and the fields have their positions.
func TestFormats(t *testing.T) {
	for k := 1; k <= 20; k++ {
		want := Format{GABits: 7, CABits: 3, AddrBits: 18, DataBits: 32}
		if k >= 8 {
			want.GABits, want.CABits = uint8(k), 4
		}
		if k >= 9 {
			want.DataBits = 64
		}
		if k >= 16 {
			want.CABits = 5
		}
		f := FormatFor(k)
		require.Equal(t, want, f, "k=%d", k)
		require.Equal(t, 29+int(want.GABits)+int(want.CABits), f.AddressWordBits())
		require.Equal(t, 7+int(want.DataBits), f.DataWordBits())
	}
	f := FormatFor(7)
	for bit, p := range map[int]Packet{
		0: {Addr: 1}, 17: {Addr: 1 << 17}, 18: {Dest: PE{CA: 1}}, 20: {Dest: PE{CA: 4}}, 21: {Dest: PE{GA: 1}},
		27: {Dest: PE{GA: 64}},
		28: {Direct: true}, 29: {Match: Left}, 30: {Match: Right}, 31: {Kind: MLPE}, 38: {ToHost: true},
	} {
		w, err := f.Pack(p)
		require.NoError(t, err)
		require.Equal(t, Words{Address: 1 << bit}, w)
		back, err := f.Unpack(w)
		require.NoError(t, err)
		require.Equal(t, p, back)
	}
	require.Equal(t, uint64(2<<28|5<<21|3<<18|9), f.Payload(Cont{Match: Right, PE: PE{GA: 5, CA: 3}, Addr: 9}))
	require.Equal(t, Cont{Match: 3, PE: PE{GA: 127, CA: 7}, Addr: 1<<18 - 1}, f.Cont(^uint64(0)),
		"bits above have no wires")
	require.Equal(t, Cont{}, f.Cont(0xc000_0000))
}

// The largest value of every field fits, and the next larger value does not.
func TestBounds(t *testing.T) {
	f := FormatFor(4)
	most := Packet{
		Data: 1<<32 - 1, Addr: 1<<18 - 1, Dest: PE{GA: 127, CA: 7}, Kind: 127, Match: 3, Direct: true,
		ToHost: true,
	}
	w, err := f.Pack(most)
	require.NoError(t, err)
	require.Equal(t, Words{Address: 1<<39 - 1, Data: 1<<32 - 1}, w)
	wide := FormatFor(9)
	w, err = wide.Pack(Packet{Data: ^uint64(0)})
	require.NoError(t, err)
	require.Equal(t, Words{Data: ^uint64(0)}, w)
	back, err := wide.Unpack(w)
	require.NoError(t, err)
	require.Equal(t, Packet{Data: ^uint64(0)}, back)

	for text, p := range map[string]Packet{
		"packet: GA 0x80 does not fit 7 bits":                {Dest: PE{GA: 128}},
		"packet: CA 0x8 does not fit 3 bits":                 {Dest: PE{CA: 8}},
		"packet: address 0x40000 does not fit 18 bits":       {Addr: 1 << 18},
		"packet: match 0x4 does not fit 2 bits":              {Match: 4},
		"packet: type 0x80 does not fit 7 bits":              {Kind: 128},
		"packet: payload 0x100000000 does not fit 32 bits":   {Data: 1 << 32},
		"packet: payload 0x8000000000000000 does not fit 32": {Data: 1 << 63},
	} {
		w, err := f.Pack(p)
		require.ErrorContains(t, err, text)
		require.Zero(t, w)
	}
	for text, w := range map[string]Words{
		"packet: address word 0x8000000000 is wider than 39 bits": {Address: 1 << 39},
		"packet: payload 0x100000000 is wider than 32 bits":       {Data: 1 << 32},
		"packet: matching condition 3 is reserved":                {Address: 3 << 29},
		"packet: type 5 is reserved":                              {Address: 5 << 31},
		"packet: type 127 is reserved":                            {Address: 127 << 31},
	} {
		p, err := f.Unpack(w)
		require.EqualError(t, err, text)
		require.Zero(t, p)
	}
	p, err := f.Unpack(Words{Address: 4<<31 | 2<<29})
	require.NoError(t, err)
	require.Equal(t, Packet{Kind: Answer, Match: Right}, p)
}

// The kinds have their properties, and are urgent at the right levels.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		kind   Kind
		name   string
		search bool
		urgent [4]bool // by level, for a packet to a node
	}{
		{Data, "data", false, [4]bool{false, false, false, false}},
		{MLPE, "mlpe", true, [4]bool{false, true, true, true}},
		{MLPEGroup, "mlpe-group", true, [4]bool{false, true, true, true}},
		{MLPEBoth, "mlpe-both", true, [4]bool{false, true, true, true}},
		{Answer, "answer", false, [4]bool{false, false, true, true}},
	} {
		require.True(t, c.kind.Valid())
		require.Equal(t, c.name, c.kind.String())
		require.Equal(t, c.search, c.kind.Search())
		for level, want := range c.urgent {
			require.Equal(t, want, (&Packet{Kind: c.kind}).Urgent(level), "%s at %d", c.kind, level)
			require.Equal(t, want || level == SystemPriority, (&Packet{Kind: c.kind, Direct: true}).Urgent(level),
				"%s at %d", c.kind, level)
		}
	}
	require.False(t, Kind(5).Valid())
	require.False(t, Kind(5).Search())
	require.Equal(t, []int{0, 1, 2, 3, 3},
		[]int{NoPriority, SearchPriority, AnswerPriority, SystemPriority, MaxPriority})
	for m, name := range []string{"one", "left", "right"} {
		require.Equal(t, name, Match(m).String())
	}
	text, err := json.Marshal(PE{GA: 12, CA: 3})
	require.NoError(t, err)
	require.Equal(t, "[12,3]", string(text))
}

// The EXU may use the port again in the clock after the switch took a packet.
func TestFree(t *testing.T) {
	p := NewPins()
	require.Equal(t, Pins{AcceptedAt: 1<<64 - 1}, p)
	require.True(t, p.OutFreeQ(0), "nothing was ever taken")
	p.AcceptedAt = 5
	require.False(t, p.OutFreeQ(4))
	require.False(t, p.OutFreeQ(5))
	require.True(t, p.OutFreeQ(6))
	p.OutFull = true
	require.False(t, p.OutFreeQ(6))
	p.AcceptedAt = Never
	require.False(t, p.OutFreeQ(6))
}

// Every field of packets and pins is saved, except registers that hold no packet.
func TestState(t *testing.T) {
	p := Packet{
		Data: 1, Addr: 2, Src: 3, Seq: 4, From: 7, Dest: PE{GA: 5, CA: 6}, Kind: Answer, Match: Right,
		Direct: true, ToHost: true,
	}
	c := state.Saver(nil)
	p.State(c)
	require.Len(t, c.Bytes(), 8*11)
	for i, v := range []byte{1, 2, 3, 4, 5, 6, 4, 2, 1, 1, 7} {
		require.Equal(t, v, c.Bytes()[8*i])
	}
	var got Packet
	c = state.Loader(c.Bytes())
	got.State(c)
	require.NoError(t, c.Err())
	require.Equal(t, p, got)

	for _, full := range []Pins{{}, {OutFull: true}, {InFull: true}, {OutFull: true, InFull: true}} {
		pins := Pins{
			Out: p, OutReady: 7, In: got, AcceptedAt: 8, InReady: 9, OutFull: full.OutFull,
			InFull: full.InFull, LoadQ: 11,
		}
		pins.In.Data = 12
		c := state.Saver(nil)
		pins.State(c)
		var back Pins
		c = state.Loader(c.Bytes())
		back.State(c)
		require.NoError(t, c.Err())
		require.Zero(t, c.BytesLeft())
		if !pins.OutFull {
			pins.Out, pins.OutReady = Packet{}, 0
		}
		if !pins.InFull {
			pins.In = Packet{}
		}
		require.Equal(t, pins, back)
	}
}

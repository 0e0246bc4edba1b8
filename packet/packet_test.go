package packet

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func anyPacket(t *rapid.T, f Format) Packet {
	p := Packet{
		Data: rapid.Uint64().Draw(t, "data"),
		Addr: rapid.Uint32Max(1<<f.AddrBits-1).Draw(t, "addr"),
		Dest: PE{
			GA: uint16(rapid.IntRange(0, 1<<f.GABits-1).Draw(t, "ga")),
			CA: uint8(rapid.IntRange(0, 1<<f.CABits-1).Draw(t, "ca")),
		},
		Kind:   Kind(rapid.IntRange(0, int(Answer)).Draw(t, "kind")),
		Match:  Match(rapid.IntRange(0, int(Right)).Draw(t, "match")),
		Direct: rapid.Bool().Draw(t, "direct"),
		ToHost: rapid.Bool().Draw(t, "host"),
	}
	if f.DataBits < 64 {
		p.Data &= 1<<f.DataBits - 1
	}
	return p
}

// The prototype's words have 39 bits [derived: 14.63 GB/s]. This also holds for larger machines, up to the target with
// 1024 PEs.
func TestPrototypeWordsAre39Bits(t *testing.T) {
	for k := 1; k <= 7; k++ {
		f := FormatFor(k)
		require.Equal(t, 39, f.AddressWordBits(), "k=%d", k)
		require.Equal(t, 39, f.DataWordBits(), "k=%d", k)
	}
}

func TestPackRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := FormatFor(rapid.IntRange(1, 16).Draw(t, "k"))
		p := anyPacket(t, f)
		w, err := f.Pack(p)
		require.NoError(t, err)
		require.Zero(t, w.Address>>f.AddressWordBits())
		back, err := f.Unpack(w)
		require.NoError(t, err)
		require.Equal(t, p, back)
	})
}

func TestContinuationRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := FormatFor(rapid.IntRange(1, 16).Draw(t, "k"))
		p := anyPacket(t, f)
		c := Cont{Match: p.Match, PE: p.Dest, Addr: p.Addr}
		v := f.Payload(c)
		if f.DataBits < 64 {
			require.Zero(t, v>>f.DataBits, "a continuation fits a payload")
		}
		require.Equal(t, c, f.Cont(v))
		require.Equal(t, c.PE, f.ContPE(v))
	})
}

func TestEveryPEFitsItsFormat(t *testing.T) {
	for k := 1; k <= 16; k++ {
		f := FormatFor(k)
		require.GreaterOrEqual(t, 1<<f.GABits, 1<<k)
		require.GreaterOrEqual(t, 1<<f.CABits, k+1)
	}
}

func TestMisfits(t *testing.T) {
	f := FormatFor(4)
	for name, p := range map[string]Packet{
		"GA":      {Dest: PE{GA: 128}},
		"CA":      {Dest: PE{CA: 8}},
		"address": {Addr: 1 << 18},
		"match":   {Match: 4},
		"type":    {Kind: 128},
		"payload": {Data: 1 << 32},
	} {
		_, err := f.Pack(p)
		require.ErrorContains(t, err, name)
	}
	for name, w := range map[string]Words{
		"wider":              {Address: 1 << 39},
		"payload":            {Data: 1 << 32},
		"matching condition": {Address: 3 << 29},
		"type":               {Address: 5 << 31},
	} {
		_, err := f.Unpack(w)
		require.ErrorContains(t, err, name)
	}
}

func TestNames(t *testing.T) {
	require.Equal(t, "[3,4]", PE{GA: 3, CA: 4}.String())
	require.Equal(t, "data/left [1,2] node 0x40 data 0x5",
		Packet{Match: Left, Dest: PE{1, 2}, Addr: 64, Data: 5}.String())
	require.Equal(t, "mlpe/one [1,2] entry 0x40 data 0x5",
		Packet{Kind: MLPE, Direct: true, Dest: PE{1, 2}, Addr: 64, Data: 5}.String())
	require.Equal(t, "host word 7", Packet{ToHost: true, Data: 7}.String())
	require.Equal(t, "kind9", Kind(9).String())
	require.Equal(t, "block", Block.String())
	require.Equal(t, "match4", Match(4).String())
}

// An address that was written as JSON is read back, and other JSON is rejected.
func TestPEAsJSON(t *testing.T) {
	for _, p := range []PE{{}, {3, 4}, {65535, 255}} {
		text, err := json.MarshalIndent([]PE{p}, "", " ")
		require.NoError(t, err)
		var got []PE
		require.NoError(t, json.Unmarshal(text, &got))
		require.Equal(t, []PE{p}, got)
	}
	for _, text := range []string{`[0,256]`, `[-1,0]`, `[65536,0]`, `"x"`, `{}`} {
		var p PE
		require.Error(t, json.Unmarshal([]byte(text), &p), text)
		require.Zero(t, p)
	}
}

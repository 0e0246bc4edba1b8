package run

import (
	"cmp"

	"emsim/internal/base/gotype"
	"emsim/internal/base/ordered"
	"emsim/packet"
)

// ResultText formats the words that the host received as fmt.Println prints values of the program's type. It shows at
// most `most` values.
func (t *Target) ResultText(words []uint64, most int) string {
	return cmp.Or(gotype.Text(t.Object.Result, words, most, t.WordBits()), "none")
}

// ResultKeys returns the JSON keys for the words that the host received: result and, if the program states its type,
// values and type.
func (t *Target) ResultKeys(words []uint64) ordered.Object {
	o := ordered.Object{"result", append([]uint64{}, words...)}
	if t.Object.Result != "" {
		o = append(o, "values", gotype.ValuesOf(t.Object.Result, words, t.WordBits()), "type", t.Object.Result)
	}
	return o
}

// WordBits returns the width of the machine's words, 32 or 64 bits.
func (t *Target) WordBits() uint8 { return packet.FormatFor(t.Net.K).DataBits }

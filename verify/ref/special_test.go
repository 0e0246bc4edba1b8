package ref_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/verify/ref"
)

// The reference has no load, so it draws one: every value from 0 to 15, and no
// other.
func TestLoadIsDrawn(t *testing.T) {
	const text = `
	.start main
main:	mov r2, 500
.next:	rds r3, load
	out r3
	sub r2, r2, 1
	bne r2, r0, .next
	nop!
`
	o, _, err := asm.Assemble("load.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	require.NoError(t, err)
	m, err := ref.New(o, ref.Options{PEs: 4, Seed: 1})
	require.NoError(t, err)
	require.Equal(t, 1024, m.Segments, "the default")
	r, err := m.Run(0)
	require.NoError(t, err)
	require.Len(t, r.Words, 500)
	slices.Sort(r.Words)
	require.Equal(t, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, slices.Compact(r.Words))
}

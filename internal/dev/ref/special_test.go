package ref_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/dev/ref"
)

// The reference has no load, so it draws the value at random: every value from 0 to 15, and no other.
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

// A packet in direct mode to the last address fills the prefetch register and starts no block, in the reference as in
// the machine. Words are read in the order in which they were sent, a word too many replaces the newest, and 0 clears
// the register.
func TestAPacketFillsThePrefetchRegister(t *testing.T) {
	const text = `
	.start main
main:	mov r3, 7
	send.d r3, fp, 0x3ffff
	mov r3, 8
	send.d r3, fp, 0x3ffff
	mov r3, 9
	send.d r3, fp, 0x3ffff
	send.d! r0, fp, tell
tell:	rds r3, mlpe
	out r3
	rds r3, mlpe
	out r3
	rds r3, mlpe
	out r3
	send.d r1, fp, 0x3ffff
	cont.d r4, fp, 0x3ffff
	send r0, r4, 0
	send.d! r0, fp, after
after:	rds r3, mlpe
	out! r3
`
	o, err := assembleText(text)
	require.NoError(t, err)
	for registers, want := range map[int][]uint64{1: {9, 0, 0, 0}, 2: {7, 9, 0, 0}, 3: {7, 8, 9, 0}} {
		c := prototype(4)
		c.PrefetchRegisters = registers
		m, err := machine(o, c, 1)
		require.NoError(t, err)
		timed, err := runTimed(m, o, 1)
		require.NoError(t, err)
		r, err := ref.New(o, ref.Options{PEs: 4, Seed: 1, Prefetch: registers})
		require.NoError(t, err)
		untimed, err := runUntimed(r, o, 1)
		require.NoError(t, err)
		require.Equal(t, want, timed.Words)
		require.Equal(t, timed, untimed)
	}
}

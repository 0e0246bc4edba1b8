package emcr

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/asm"
	"emsim/packet"
)

const senders = `
.template f
.space 3
sum:    add r3, r1, r2
        out! r3
two:    nop!
.endtemplate
now:    out! r1
later:  ld r3, r0, word
        div r3, r3, r3
        out r3
        nop!
never:  st! r1, r0, word
branch: itof r3, r1
        fblt r3, r0, late     ; not taken
        mov r4, 5
        itof r4, r4
        fblt! r3, r4, soon    ; taken for small operands, otherwise the end
late:   nop!
soon:   out! r1
word:   .space 1
.start now
`

// A Deadline is never too late: whatever happens afterwards, the next send does not come before the clock that Deadline
// allows for.
func TestDeadlineIsInTime(t *testing.T) {
	obj, _, err := asm.Assemble("senders.s",
		asm.Options{Open: func(string) ([]byte, error) { return []byte(senders), nil }})
	require.NoError(t, err)
	sends := 0
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t, obj, nil)
		anyKnobs(r, b)
		b.event("segment a f")
		at := uint64(0)
		for i := range rapid.IntRange(1, 60).Draw(r, "packets") {
			at += rapid.Uint64Range(0, 6).Draw(r, "gap")
			switch what := rapid.SampledFrom([]string{
				"direct now", "direct later", "direct never", "direct branch",
				"match",
			}).Draw(r, "what"); what {
			case "match":
				side := [...]string{"left", "right"}[b.matches()%2]
				b.event(fmt.Sprintf("at %d %s a:sum %d", at, side, i))
			default:
				b.event(fmt.Sprintf("at %d %s %d", at, what, i))
			}
		}
		allowed := uint64(0) // the latest Deadline since the last send
		for idle := 0; idle < 30; idle++ {
			require.Less(t, b.clock, uint64(20_000), "it does not come to an end")
			sent, s := b.pe.Sent, b.clock
			b.step()
			if b.pe.Sent > sent {
				sends++
				if allowed != 0 {
					require.LessOrEqual(t, allowed, s+b.cfg.InjectClocks-1, "the send of clock %d", s)
				}
				allowed = 0
			}
			if d := (*Lazy)(&b.pe).Deadline(); d != packet.Never {
				allowed = max(allowed, d)
			}
			if len(b.arrive) > 0 || !b.pe.Quiet() {
				idle = 0
			}
		}
		require.Nil(t, b.pe.Fault())
	})
	require.Greater(t, sends, 100)
}

// matches returns the number of operands for the node sum that have not arrived yet.
func (b *testbench) matches() (n int) {
	for _, a := range b.arrive {
		if !a.p.Direct {
			n++
		}
	}
	return n
}

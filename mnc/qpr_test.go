package mnc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/dev/golden"
)

// TestQPRCycles lets ports compete clock by clock; the golden file is the board's timing diagram.
func TestQPRCycles(t *testing.T) {
	r := func(a uint16) Req { return Req{Op: Read, Addr: a} }
	w := func(a uint16, d uint32) Req { return Req{Op: Write, Addr: a, Data: d} }
	none := Req{}
	var q QPR
	var b strings.Builder
	for _, c := range []struct {
		what string
		req  [Ports]Req
	}{
		{"four writes to four words", [Ports]Req{w(0, 10), w(1, 11), w(2, 12), w(3, 13)}},
		{"four reads of one word", [Ports]Req{r(2), r(2), r(2), r(2)}},
		{"four reads of four words", [Ports]Req{r(0), r(1), r(2), r(3)}},
		{"a write refuses the reads of its word", [Ports]Req{r(1), w(1, 21), r(1), r(0)}},
		{"and they succeed in the next clock", [Ports]Req{r(1), none, r(1), none}},
		{"two writes to one word: the lower port's", [Ports]Req{none, w(5, 51), none, w(5, 53)}},
		{"what was written", [Ports]Req{r(5), none, none, none}},
		{"three writes and a read of one word", [Ports]Req{r(6), w(6, 61), w(6, 62), w(6, 63)}},
		{"what was written", [Ports]Req{none, none, none, r(6)}},
		{"addresses have eleven bits", [Ports]Req{w(7+Words, 71), r(7), none, none}},
		{"as here", [Ports]Req{none, r(7), none, r(7 + 2*Words)}},
		{"nobody asks", [Ports]Req{}},
	} {
		resp := q.answers(c.req)
		fmt.Fprintf(&b, "%-42s", c.what)
		for p, a := range c.req {
			s := "."
			switch {
			case a.Op != NoOp && resp[p].Busy:
				s = fmt.Sprintf("%c%d BUSY", " RW"[a.Op], a.Addr)
			case a.Op == Read:
				s = fmt.Sprintf("R%d=%d", a.Addr, resp[p].Data)
			case a.Op == Write:
				s = fmt.Sprintf("W%d:%d", a.Addr, a.Data)
			}
			fmt.Fprintf(&b, " | %-8s", s)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%+v\n", q.Stats())
	golden.Check(t, "qpr.txt", []byte(b.String()))
}

// TestQPRAgainstOracle compares random requests with a direct implementation of the rules on a map of words.
func TestQPRAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q QPR
		words := map[uint16]uint32{}
		for range rapid.IntRange(1, 40).Draw(t, "clocks") {
			var req [Ports]Req
			for p := range req {
				req[p] = Req{
					Op:   Op(rapid.IntRange(0, 2).Draw(t, "op")),
					Addr: uint16(rapid.IntRange(0, 3).Draw(t, "addr")),
					Data: rapid.Uint32().Draw(t, "data"),
				}
			}
			resp := q.answers(req)
			writer := map[uint16]int{} // word -> lowest port that writes to it
			for p := Ports - 1; p >= 0; p-- {
				if req[p].Op == Write {
					writer[req[p].Addr] = p
				}
			}
			for p, r := range req {
				by, written := writer[r.Addr]
				want := Resp{Busy: r.Op != NoOp && written && by != p}
				if r.Op == Read && !want.Busy {
					want.Data = words[r.Addr]
				}
				require.Equal(t, want, resp[p], "port %d of %+v", p, req)
			}
			for a, p := range writer {
				words[a] = req[p].Data
			}
			for a, d := range words {
				require.Equal(t, d, q.Peek(int(a)))
			}
		}
	})
}

// TestLonePort: the machine's single accesses equal clocks in which one port has a request, counts included.
func TestLonePort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b QPR
		for range rapid.IntRange(1, 40).Draw(t, "clocks") {
			p := rapid.IntRange(0, Ports-1).Draw(t, "port")
			r := Req{Op: Read, Addr: uint16(rapid.IntRange(0, Words-1).Draw(t, "addr"))}
			if rapid.Bool().Draw(t, "write") {
				r.Op, r.Data = Write, rapid.Uint32().Draw(t, "data")
			}
			var req [Ports]Req
			req[p] = r
			resp := a.answers(req)
			if r.Op == Write {
				b.write(int(r.Addr), r.Data)
			} else {
				require.Equal(t, Resp{Data: b.read(int(r.Addr))}, resp[p])
			}
			require.Equal(t, a, b)
		}
	})
}

// TestLayout checks that at every ring length no word of a board has two purposes, and all words exist.
func TestLayout(t *testing.T) {
	require.Equal(t, 36, MaxSlots)
	for slots := 1; slots <= MaxSlots; slots++ {
		used := make([]bool, Words)
		claim := func(a int) {
			require.False(t, used[a], "slots %d: word %d has two purposes", slots, a)
			used[a] = true
		}
		for p := range Ports {
			claim(statusBase + p)
			claim(hostBase + p)
			for to := range Ports {
				if to != p {
					claim(controlBase + pairOf(p, to))
				}
			}
		}
		for n := range boardRings {
			r := ringAt(n, slots)
			index := uint8(0)
			for i := range 2 * slots {
				require.Equal(t, i, r.dataHeld(0, index))
				if i < slots {
					claim(r.address(index))
					claim(r.address(index) + 1)
				}
				index = r.nextIndex(index)
			}
			require.Zero(t, index, "indices run modulo twice the length")
		}
	}
	c := control{1, 71, 3, 70}
	require.Equal(t, c, controlOf(c.packed()))
}

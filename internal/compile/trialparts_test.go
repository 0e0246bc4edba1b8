package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/agenda"
	"emsim/mlpe"
)

// What is due comes in the order of its time, and in the same clock in the order in
// which it was put, however far away it is.
func TestQueue(t *testing.T) {
	var q queue
	var want []agenda.Item[int32]
	x := uint32(1)
	put := func() {
		x = 69069*x + 1
		at := q.now + uint64(x>>16)%(3*nearClocks)
		d := agenda.Item[int32]{At: int64(at), Order: uint64(len(want)), What: int32(len(want))}
		want = append(want, d)
		q.put(at, d.What)
	}
	for range 300 {
		put()
	}
	var got []int32
	for {
		id, ok := q.take()
		if !ok {
			break
		}
		got = append(got, id)
		if len(want) < 600 {
			put()
		}
	}
	slices.SortFunc(want, func(a, b agenda.Item[int32]) int {
		if a.Before(&b) {
			return -1
		}
		return 1
	})
	require.Len(t, got, 600)
	for i, d := range want {
		require.Equal(t, d.What, got[i], i)
	}
}

// A buffer that is full, or has spilled, spills what comes; when all that waits lies in
// memory, as much as it holds comes back. MLPE sees all of it.
func TestTrialSpills(t *testing.T) {
	m := em4.Small12()
	r, err := newRoutes(m)
	require.NoError(t, err)
	c, err := lowered("fib.go", goProgram(t, "fib"), Options{})
	require.NoError(t, err)
	code, err := newTrialCode(c)
	require.NoError(t, err)
	x := newTrial(code, r, "ring", false)
	p := &x.pes[3]
	p.working = true
	come := func(n int) {
		for range n {
			require.NoError(t, x.step(x.keep(message{kind: ignored, to: 3})))
		}
	}
	room := m.FIFOWords / packetWords
	load := func(fifo, mib int) uint8 {
		return mlpe.Load(packetWords*fifo, packetWords*mib, m.Segments, m.StructureWords)
	}
	come(4)
	require.Equal(t, load(3, 0), x.load(3)) // one waits behind the block
	come(room - 4)
	require.Zero(t, p.mib)
	come(room)
	require.Equal(t, []uint64{uint64(room), uint64(room * spillClocks)}, []uint64{uint64(p.mib), p.stolen})
	require.Equal(t, load(room-1, room), x.load(3))
	p.head = room // the buffer is empty
	come(3)
	require.Equal(t, room+3, p.mib)
	p.stolen = 0
	require.NoError(t, x.take(p))
	require.Equal(t, 3, p.mib)
	require.Equal(t, uint64(room*spillClocks+2), p.busy)
}

// A parallel loop that begins on any PE goes on from there, over the ends of groups
// and of the machine: turn i of one that begins on PE j runs on the PE of piece i + j.
func TestTurnsGoOnFromWhereTheyBegin(t *testing.T) {
	const text = `package main

import "emsim/df"

var m df.Array[%[1]s]

//emsim:entry
func f() %[1]s {
	m.Fill(2*df.PEs(), 1, func(p, k int32) %[1]s { return 1 })
	return df.Sum(0, df.PEs(), func(j int32) %[1]s {
		return df.Sum(0, df.PEs(), func(i int32) %[1]s { return %[2]s })
	})
}
`
	for _, pes := range []int{4, 12, 32} {
		for _, elem := range []string{"int32", "float32"} {
			alone := linksOf(t, pes, fmt.Sprintf(text, elem, elem+"(i+j)"))
			require.Equal(t, alone, linksOf(t, pes, fmt.Sprintf(text, elem, "m.Get(i+j, 0)")), "%d %s", pes, elem)
		}
	}
}

// linksOf is how many links the packets of a program cross.
func linksOf(t *testing.T, pes int, text string, args ...int64) int {
	t.Helper()
	c, err := lowered("f.go", []byte(text), Options{})
	require.NoError(t, err)
	code, err := newTrialCode(c)
	require.NoError(t, err)
	m := em4.Small12()
	m.PEs = pes
	r, err := newRoutes(m)
	require.NoError(t, err)
	x := newTrial(code, r, "ring", false)
	require.NoError(t, x.run(args))
	return x.count.Links
}

// The reasons of a choice are those that the trials show.
func TestWhy(t *testing.T) {
	ring := Tried{Policy: "ring", MLPE: "off", trialCounts: trialCounts{Clocks: 1000, Packets: 100, Links: 200, Work: 1200, Busiest: 200}}
	line := Tried{Policy: "line", MLPE: "on", trialCounts: trialCounts{Clocks: 500, Packets: 100, Links: 200, Work: 1200, Busiest: 200}}
	why := func(change func(a, b *Tried)) string {
		a, b := ring, line
		change(&a, &b)
		p := &Plan{Policy: "line", MLPE: "on", Tried: []Tried{a, b}, aim: Aim{Machine: em4.Small12()}}
		return p.why()
	}
	const head = "line with MLPE is expected to take 0.50 of the clocks of ring: "
	require.Equal(t, head+"calls reach idle PEs sooner.", why(func(a, b *Tried) {}))
	require.Equal(t, head+"the busiest PE has 1.0 x mean of the work instead of 2.0 x mean.", why(func(a, b *Tried) { b.Busiest = 100 }))
	require.Equal(t, head+"a packet crosses 1.0 links instead of 2.0.", why(func(a, b *Tried) { b.Links = 100 }))
	require.Equal(t, head+"there are 90 packets instead of 100.", why(func(a, b *Tried) { b.Packets, b.Links = 90, 180 }))
	require.Equal(t, "line with MLPE is the choice, because with ring a PE runs out of operand segments.", why(func(a, b *Tried) { a.Fault = noSegments }))
	stays := &Plan{Policy: "ring", MLPE: "off", Tried: []Tried{ring, line}}
	require.Equal(t, "ring stays: nothing else seems more than 4 % faster.", stays.why())
	stays.Tried[0].Fault = noSegments
	require.Equal(t, "ring stays: every trial fails.", stays.why())
}

// A function that only works, without calls, is the work of an instance, not of its
// caller: two of them run side by side.
func TestWorkHasAnInstance(t *testing.T) {
	text, err := Compile("f.go", []byte(`package main

//emsim:arg n 1 99
func f(n int32) int32 { return work(n) + work(n+1) }

func work(n int32) int32 {
	s := int32(0)
	for i := int32(0); i < n; i++ {
		s += i * i
	}
	return s
}
`), Options{})
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(text, ", new.work\n"))
	require.Contains(t, text, ".template work\n")
}

// A PE that finds nobody with room searches again at its next call.
func TestSearchFindsNobody(t *testing.T) {
	r, err := newRoutes(em4.Small12())
	require.NoError(t, err)
	c, err := lowered("fib.go", goProgram(t, "fib"), Options{})
	require.NoError(t, err)
	code, err := newTrialCode(c)
	require.NoError(t, err)
	x := newTrial(code, r, "ring", true)
	x.pes[2].asked = true
	_, err = x.handle(&message{kind: search, to: 2, who: 2, data: mlpe.MaxLoad}, 0)
	require.NoError(t, err)
	require.False(t, x.pes[2].asked)
	require.Zero(t, x.count.Packets)
}

// The operands of a node come to their registers from r1 and r2, whichever these are.
func TestEntryMoves(t *testing.T) {
	for left := range 5 {
		for right := range 5 {
			if left == right && left != 0 {
				continue
			}
			e := &emitter{color: []int{0: left, 1: right}}
			r := map[string]int{"r1": 10, "r2": 20}
			for _, x := range e.entryMoves(&block{in: []reg{0, 1}}) {
				to, a := x.args[0].text(), r[x.args[1].text()]
				if x.name == "xor" {
					a ^= r[x.args[2].text()]
				}
				r[to] = a
			}
			if left != 0 {
				require.Equal(t, 10, r[fmt.Sprint("r", left)], "%d %d", left, right)
			}
			if right != 0 {
				require.Equal(t, 20, r[fmt.Sprint("r", right)], "%d %d", left, right)
			}
		}
	}
}

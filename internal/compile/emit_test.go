package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/isa"
)

// A function with a loop but no calls runs in an instance, not in its caller, so that two calls run in
// parallel.
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
	require.Equal(t, 2, strings.Count(text, "getseg  r3, work\n    send.1! r3, r1, @f.got"), "a third one is where a request finds room on its way")
	require.Contains(t, text, ".template work\n")
}

// entryMoves moves the operands of a node from r1 and r2 to their registers, whichever these are.
func TestEntryMoves(t *testing.T) {
	for left := range 5 {
		for right := range 5 {
			if left == right && left != 0 {
				continue
			}
			e := &emitter{color: []int{left, right}}
			r := map[string]int{"r1": 10, "r2": 20}
			for _, x := range e.entryMoves(&block{in: []reg{0, 1}}) {
				to, a := e.operand(x.args[0]), r[e.operand(x.args[1])]
				if x.op == isa.XOR {
					a ^= r[e.operand(x.args[2])]
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

package compile

import (
	"fmt"

	"emsim/internal/base/plural"
)

// describe says what an instance of a function is.
func (c *compiler) describe(f *function) string {
	text := fmt.Sprintf("%s in and %s out, %s", plural.Of(len(f.params), "word"), outOf(f), c.callsOf(f))
	if len(f.params) > 0 && f.front > 0 {
		text += "; the caller tests whether a call ends at once"
	}
	if f.own != nil {
		text += fmt.Sprintf("; with fewer than %d free segments on a PE, one call after the other on the caller's", 1<<spareBits)
	}
	return text
}

// outOf says what comes out of an instance.
func outOf(f *function) string {
	switch {
	case f.array != nil && f == f.array.access["Stream"]:
		return "a stream"
	case len(f.outs) > 0:
		return plural.Of(len(f.outs), "stream")
	case f.answers():
		if n := f.answerWords(); n > 1 {
			return plural.Of(n, "word")
		}
		return "one word"
	}
	return "nothing"
}

// callsOf says how a function calls.
func (c *compiler) callsOf(f *function) string {
	heavy, self := 0, false
	for _, x := range f.calls {
		if g := c.callee(x); !g.inlined {
			heavy++
			self = self || g == f
		}
	}
	switch {
	case f.fills():
		return "a tree over all PEs, which fill their parts of " + f.array.obj.Name()
	case f.lit != nil && isFloat(f.result):
		return "a tree that halves its range; turns are spread evenly, whatever the policy"
	case f.lit != nil:
		return "a tree over the PEs, which share the turns evenly, whatever the policy"
	case f.array != nil:
		return "on the PE that owns the piece of " + f.array.obj.Name()
	case heavy == 0:
		return "which calls nothing"
	case self && f.loops && !c.streams(f.decl):
		return "which calls itself in a loop, a number of times that its argument decides"
	case self:
		return "which calls itself"
	}
	return "which makes calls"
}

package compile_test

import (
	"runtime"

	"emsim/internal/compile/ir"
)

// A stream is a channel of an interpreted program.
type stream struct {
	items   chan []uint32
	dropped chan struct{} // closed when no more items are wanted
}

// waits does something that other goroutines of the program have to meet.
func (x *interpreter) waits(do func()) {
	x.running.Unlock()
	defer x.running.Lock()
	do()
}

// newStream makes a channel, and returns the word of its receiving end.
func (x *interpreter) newStream() (*stream, uint32) {
	s := &stream{make(chan []uint32), make(chan struct{})}
	x.streams = append(x.streams, s)
	return s, uint32(len(x.streams)) // 0 is none
}

// stream runs an instruction for streams.
func (c *frame) stream(x *ir.Instr, a []uint32) {
	switch x.Op {
	case ir.Open:
		s, end := c.newStream()
		c.sends[x.Channel], c.values[x.Results[0]] = s, end
	case ir.Start:
		g := c.newFrame(x.Callee, a)
		for i, v := range x.Results {
			g.sends[x.Callee.Channels[i]], c.values[v] = c.newStream()
		}
		go func() {
			c.running.Lock()
			defer c.running.Unlock()
			g.run()
		}()
	case ir.Send:
		n := x.Channel.Words
		s, wanted := c.sends[x.Channel], true
		c.waits(func() {
			select {
			case s.items <- a[:n]:
			case <-s.dropped:
				wanted = false
			}
		})
		if !wanted { // Go's sender waits for ever
			c.drop(a[n:])
			runtime.Goexit()
		}
	case ir.Close:
		close(c.sends[x.Channel].items)
	case ir.Leave:
	case ir.Drop:
		c.drop(a)
	default:
		var item []uint32
		there := false
		c.waits(func() { item, there = <-c.streams[a[0]-1].items })
		for len(item) < len(x.Results) {
			item = append(item, 0)
		}
		if x.Op == ir.Next {
			item[len(x.Results)-1] = truthOf(there)
		}
		c.give(x.Results, item)
	}
}

// drop asks no more of some streams.
func (c *frame) drop(ends []uint32) {
	for _, e := range ends {
		if e != 0 {
			close(c.streams[e-1].dropped)
		}
	}
}

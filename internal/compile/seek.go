package compile

import (
	"fmt"
	"slices"
	"strings"
)

// A policy knows nothing about operand segments, and may send many calls to a PE that has none left: ring sends a chain
// of calls round k+1 PEs. So a request that a policy has sent to a PE without room returns to its caller's PE. From
// there it goes along the line of all PEs, until one has room. After the whole line it is at its caller's PE again, and
// the call is made there, in its own form. Then the machine is full, and most likely it still is for the next requests.
// Therefore this PE's next requests do not look for room: as many of them as the machine has PEs. On average, looking
// for room then costs a request one or two visits at most [derived]. A PE has at most mostSeeking requests on the way,
// and sends others back. Without this limit, a tree of calls that fills the machine would have hundreds on the way
// before the first one finds no room.
//
// A function without an own form, which uses channels, looks for room if it calls itself, or if a loop starts it. Its
// request is not sent back, but stops the run after the whole line.

// mostSeeking is the greatest number of requests of a PE that look for room at a time [chosen: with 4 some of many
// chains are sent back; with 16 fib 22 takes 1 % longer on 4 PEs, which it fills].
const mostSeeking = 6

// seeks reports whether requests for instances of a function look for room.
func (c *compiler) seeks(f *function) bool {
	return (f.place == "policy" || f.place == "mlpe") && f.array == nil && !f.inlined && (f.own != nil || len(f.many) > 0 || c.reaches(f, f))
}

// seeking reports whether requests for instances of any function look for room.
func (c *compiler) seeking() bool {
	return slices.ContainsFunc(c.order, func(f *function) bool { return c.seeks(f) && c.isCalled(f) })
}

// systemLabel returns the line of a system block's label.
func systemLabel(name, comment string) string { return fmt.Sprintf("%-40s ; %s", name+":", comment) }

// servers returns the blocks that serve requests for instances of a function. There is one for each node that receives
// a segment, so a request carries nothing but the segment of the waiting instance.
func (c *compiler) servers(f *function) (out []string) {
	elsewhere := "back." + f.name
	if c.seeks(f) {
		elsewhere = "seek." + f.name
	}
	for _, u := range slices.Concat(c.units, c.roots) {
		for _, b := range u.entries {
			if b.node.gets != f {
				continue
			}
			name, short := b.node.name, f.own != nil || c.seeks(f)
			out = append(out, systemLabel("new."+name, "who asks for an instance"))
			if short {
				out = append(out, f.shortLines("short."+name)...)
			}
			out = append(out, assemblyLine("getseg", "r3, "+f.name), assemblyLine("send.1!", "r3, r1, @"+name), "")
			if short {
				out = append(out, systemLabel("short."+name, "back to who asks"), assemblyLine("cont.1", "r3, r1, @"+name), assemblyLine("send.d!", "r3, r1, "+elsewhere), "")
			}
		}
	}
	if out != nil && c.seeks(f) {
		out = append(out, f.seekLines()...)
	}
	return out
}

// shortLines returns the lines that jump to a label if the PE has no segment to spare. For a function without an own
// form, even the last segment is to spare.
func (f *function) shortLines(to string) []string {
	out := []string{assemblyLine("rds", "r3, segs")}
	if f.own != nil {
		out = append(out, assemblyLine("shr", fmt.Sprintf("r3, r3, %d", spareBits)))
	}
	return append(out, assemblyLine("beq", "r3, r0, "+to))
}

// seekLines returns the blocks that look for a PE with room.
func (f *function) seekLines() []string {
	short, begin, found, failed := strings.Join(f.shortLines("next."+f.name), "\n"), "", "send!   r3, r1, 0", "getseg  r3, "+f.name+"\n    send!   r3, r1, 0"
	if f.own != nil {
		begin, found, failed = fmt.Sprintf("    seek_begin back.%s\n", f.name), "send    r3, r1, 0\n    send.d! r0, r1, own.found", "seek_failed\n    jmp     back."+f.name
	}
	return strings.Split(fmt.Sprintf(seekText, f.name, short, returnedBits, begin, found, failed), "\n")
}

// seekText has the blocks that pass a request along the line of PEs.
const seekText = `seek.%[1]s:                              ; the node that waits for a segment
%[4]s    movpe   r3, line, 1
    send.d! r1, r3, room.%[1]s
room.%[1]s:                              ; is there room?
%[2]s
    getseg  r3, %[1]s
    %[5]s
next.%[1]s:
    rds     r3, pe
    xor     r3, r3, r1
    shr     r3, r3, %[3]d
    beq     r3, r0, nowhere.%[1]s
    movpe   r3, line, 1
    send.d! r1, r3, room.%[1]s
nowhere.%[1]s:
    %[6]s
`

// foundText is the block of a PE whose request has found a segment.
const foundText = `own.found:
    ld      r3, r0, own.seeks
    add     r3, r3, 1
    st!     r3, r0, own.seeks
`

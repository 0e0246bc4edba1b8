package compile

import (
	"fmt"
	"slices"
	"strings"
)

// A policy knows nothing of operand segments, and may send one call after the other to a PE
// that has none: ring sends a chain of calls round k+1 PEs. So a request that a policy has
// sent to a PE without room goes back to its caller's PE, and from there along the line of
// all PEs, until one has room. Behind the whole line it is at its caller's PE again, and is
// called there, in its own form. Then the machine is full, and most likely it is for the
// next requests, too: as many as there are PEs do not look for room, so that looking for it
// costs a request no more than a visit or two in the mean [derived]. A PE has mostSeeking
// requests on the way at a time, and sends others back: when a tree of calls fills the
// machine, hundreds would be on the way before the first one has found that out.
//
// A function without an own form, which uses channels, looks for room if it begins itself
// again, or if a loop starts it. Its request is not sent back, but ends the run behind the whole line.

// mostSeeking is how many requests of a PE look for room at a time [chosen: with 4 some of
// many chains are sent back; with 16 fib 22 takes 1 % longer on 4 PEs, which it fills].
const mostSeeking = 6

// seeks reports whether requests for an instance look for room.
func (c *compiler) seeks(f *function) bool {
	return (f.place == "policy" || f.place == "mlpe") && f.array == nil && !f.inlined && (f.own != nil || len(f.many) > 0 || c.reaches(f, f))
}

// seeking reports whether requests for any instance do.
func (c *compiler) seeking() bool {
	return slices.ContainsFunc(c.order, func(f *function) bool { return c.seeks(f) && c.isCalled(f) })
}

// systemLabel returns the line of a system block's label.
func systemLabel(name, comment string) string { return fmt.Sprintf("%-40s ; %s", name+":", comment) }

// servers returns the blocks that serve requests for instances of a function: one for each
// node where the segment goes, so that the request has nothing to say but whose node it is.
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

// shortLines returns the lines that leave a block if the PE has no segment to give away. Without an own form it
// gives away the last one.
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

// seekText has the blocks that follow the line.
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

package debug

import (
	"fmt"
	"strings"
	"testing"

	"emsim/internal/dev/golden"
)

// transcript is a session while fib(8) runs on 12 PEs with four-word FIFOs. It has every command that shows something,
// both when there is something to show and when there is not.
var transcript = `
where; program; links; network; segments; queues; registers; units; list
until +40; where; units 0.0; registers; segments; queues; links; callers; list
pe 1.1; units; registers; segments; links; queues
until +300; where; loads; loads fifo; loads mib; loads segments; loads operands; network
pe 0.0; units; registers; segments; segments 1; links; queues; queues 0.0 1; callers; list; list start 6; x 0 4; x 0x30000 3
pe 1; units; registers; segments; links; queues; callers
pe 2.1; units; registers; segments; links; queues; callers
pe 3.2; units; registers; segments; links; queues
tree; tree 0.0; tree all depth 3 lines 8
break got1; continue; where; finish; step 3; back; back 2; goto +100; where; goto +350; where
watch load 0.0; continue; stops; disable 1; enable 1; delete; stops
symbols st
continue; where; units; links; network; back; where
`

// The whole transcript is recorded, so that a missing or extra line is noticed.
func TestTranscript(t *testing.T) {
	s := spec("fib", "8")
	s.Sets = []string{"fifo_words=4"}
	b := newBench(t, s)
	var out strings.Builder
	for _, line := range strings.FieldsFunc(transcript, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimSpace(line)
		fmt.Fprintf(&out, "> %s\n%s", line, b.do(line))
	}
	golden.Check(t, "transcript.txt", []byte(out.String()))
}

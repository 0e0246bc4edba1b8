package debug

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/plural"
	"emsim/packet"
)

// Units that the prototype lacks are shown on machines that have them: the output packet buffer, and the queue of
// urgent packets.
func TestRemediesAreShown(t *testing.T) {
	s := spec("fib", "15")
	s.Sets = []string{"out_packets=4", "ibu_priority=2", "switch_priority=2", "inject_clocks=8"}
	s.Params = map[string]string{"mlpe": "on"}
	b := newBench(t, s)
	behind, urgent := false, false
	for range 3000 {
		b.do("step")
		for pe := range b.s.Config().PEs {
			p := b.peAt(pe)
			var out []string
			p.EachBuffered(func(pk *packet.Packet) { out = append(out, "    "+b.packet(pk)+"\n") })
			if len(out) > 1 && p.Pins().OutFull && !behind {
				behind = true
				links := b.do(fmt.Sprintf("links %v", b.address(pe)))
				require.Contains(t, links, "  from the buffer      "+b.packet(&p.Pins().Out))
				require.Contains(t, links, "  after it in the output buffer of 4 packets\n"+strings.Join(out, ""))
				require.Contains(t, b.do(fmt.Sprintf("units %v", b.address(pe))),
					fmt.Sprintf("  OUT  %d of 4 packets in the output buffer\n", len(out)+1))
			}
			if n := p.IBU().UrgentWords() / 2; n > 0 && p.IBU().FIFOWords() > 0 && !urgent {
				urgent = true
				queues := b.do(fmt.Sprintf("queues %v", b.address(pe)))
				require.Contains(t, queues,
					fmt.Sprintf("urgent packets of %v: %s, ahead of all others\n  ", b.address(pe), plural.Of(n, "packet")))
				first, rest, found := strings.Cut(queues, "FIFO of ")
				require.True(t, found)
				require.Equal(t, n+1, strings.Count(first, "\n"))
				require.Contains(t, rest, fmt.Sprintf(": %d of 32 words\n", p.IBU().FIFOWords()))
				require.Contains(t, b.do(fmt.Sprintf("units %v", b.address(pe))), ", "+plural.Of(n, "urgent packet"))
			}
		}
	}
	require.True(t, behind, "no output buffer held several packets")
	require.True(t, urgent, "no input buffer held an urgent packet")
}

// MLPE packets count as MLPE on every circuit, and answers as data.
func TestKindsOfRemedies(t *testing.T) {
	for _, route := range []string{"reverse", "group", "both"} {
		s := spec("fib", "9")
		s.Sets = []string{"mlpe_route=" + route, "switch_priority=2"}
		s.Params = map[string]string{"mlpe": "on"}
		b := newBench(t, s)
		require.Regexp(t, `makes packet .* mlpe for \[\d,\d\] \w+: least load \d+, of \[\d,\d\], at `,
			b.do("until packet mlpe made"), route)
		for b.do("break packet data made"); ; {
			b.do("continue")
			require.False(t, b.s.Current.Ended(), "no answer stopped it")
			if b.peAt(b.pe).Pins().Out.Kind == packet.Answer {
				break
			}
		}
	}
}

package em4_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/packet"
)

// Arbitration is in turn, and yet a packet that can move again and again can be overtaken for as long as others send: three
// loops of three instructions delay one packet, which takes 11 to 13 clocks in other phases, until they end. The paper gives no rule of
// arbitration; this is a property of the chosen one, which is weakly fair.
func TestAPacketCanBeOvertakenWithoutBound(t *testing.T) {
	for _, run := range []struct {
		packets, phase int
		clocks         uint64
	}{{250, 100, 1070}, {1000, 100, 4820}, {250, 101, 13}} {
		m := overtaken(t, run.packets)
		m.Net.CountOvertakings()
		x, err := m.Run(context.Background(), []uint64{uint64(run.phase)}, em4.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, []uint64{run.clocks}, x.Words, "%d packets a stream, phase %d", run.packets, run.phase)
		most := m.Net.Overtakings(m.Clock()).Most
		if run.clocks > 100 { // the bank opens every five clocks, each time for a packet of the same stream
			require.Equal(t, packet.PE{GA: 0, CA: 2}, most.Packet.Dest)
			require.InDelta(t, most.Clocks/5, most.Times, 3)
			require.Greater(t, most.Clocks, run.clocks-50)
		} else {
			require.True(t, most.Packet.ToHost) // in this phase the answer itself waits for the streams to end
			require.InDelta(t, most.Clocks/5, most.Times, 3)
		}
	}
}

func overtaken(t *testing.T, packets int) *em4.Machine {
	o, _, err := asm.Assemble("testdata/overtaken.s", asm.Options{Open: os.ReadFile, Params: map[string]string{"packets": fmt.Sprint(packets)}})
	require.NoError(t, err)
	return build(t, machine(80), o)
}

// A run that reaches its limit names the packet that starves, where it stands, and who goes before it.
func TestAStarvingPacketIsNamed(t *testing.T) {
	_, err := overtaken(t, 4000).Run(context.Background(), []uint64{100}, em4.RunOptions{MaxClocks: 5000})
	require.ErrorContains(t, err, "  starving: ")
	require.Regexp(t, `starving: \S+ \[0,2\] .* (at the port|in bank \d of the [a-z-]+ input) of the switch of PE \[\d,\d\]: \d+ clocks, overtaken, last by `, err.Error())
	_, err = overtaken(t, 4000).Run(context.Background(), []uint64{101}, em4.RunOptions{MaxClocks: 5000})
	require.ErrorContains(t, err, "starving: host word 13 in bank 0 of the in-group input of the switch of PE [0,4]: ")
	_, err = overtaken(t, 4000).Run(context.Background(), []uint64{100}, em4.RunOptions{MaxClocks: 1000}) // not yet for long
	require.NotContains(t, err.Error(), "starving")
}

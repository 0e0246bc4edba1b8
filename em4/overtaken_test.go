package em4_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
)

// Arbitration is in turn. Even so, a packet that can move again and again can be overtaken for as long as others send:
// three loops of three instructions delay the answer until they end. With streams of one packet it does not wait at
// all. The paper gives no rule of arbitration. This is a property of the chosen rule, which is weakly fair.
func TestAPacketCanBeOvertakenWithoutBound(t *testing.T) {
	for packets, clocks := range map[int]uint64{1: 0, 250: 1277, 1000: 5777} {
		m := overtaken(t, packets)
		m.Net.CountOvertakings()
		_, err := m.Run(context.Background(), []uint64{100}, em4.RunOptions{})
		require.NoError(t, err)
		most := m.Net.Overtakings(m.Clock()).Most
		require.Equal(t, clocks, most.Clocks, "%d packets a stream", packets)
		if clocks > 0 { // the bank opens every six clocks, each time for a packet of the same stream
			require.True(t, most.Packet.ToHost)
			require.InDelta(t, clocks/6, most.Times, 3)
		}
	}
}

func overtaken(t *testing.T, packets int, knobs ...func(*em4.Config)) *em4.Machine {
	o, _, err := asm.Assemble("testdata/overtaken.s",
		asm.Options{Open: os.ReadFile, Params: map[string]string{"packets": fmt.Sprint(packets)}})
	require.NoError(t, err)
	return build(t, machine(80, knobs...), o)
}

// With reservations, the wait of the same packet does not depend on the number of packets in the streams.
func TestAFairSwitchBoundsTheWait(t *testing.T) {
	for _, packets := range []int{250, 1000} {
		m := overtaken(t, packets, func(c *em4.Config) { c.FairSwitch = true })
		m.Net.CountOvertakings()
		_, err := m.Run(context.Background(), []uint64{100}, em4.RunOptions{})
		require.NoError(t, err)
		x := m.Net.Overtakings(m.Clock())
		require.Equal(t, [2]uint64{1, 7}, [2]uint64{x.Most.Times, x.Longest.Clocks}, "%d packets a stream: %v, %v",
			packets, x.Most, x.Longest)
	}
}

// The error of a run that reaches its limit names the packet that starves, its place, and the packet that went before
// it.
func TestAStarvingPacketIsNamed(t *testing.T) {
	_, err := overtaken(t, 4000).Run(context.Background(), []uint64{100}, em4.RunOptions{MaxClocks: 5000})
	require.ErrorContains(t, err, "starving: host word 17 in bank 0 of the in-group input of the switch of PE [0,4]: "+
		"4,749 clocks, overtaken, last by data/one [0,1] ")
	_, err = overtaken(t, 4000).Run(context.Background(), []uint64{100},
		em4.RunOptions{MaxClocks: 1000}) // it has not waited long yet
	require.NotContains(t, err.Error(), "starving")
}

package engine

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Texts of the debugger and of the machine give clocks of the run, and so do typed commands.
func TestClocksAreOfTheRun(t *testing.T) {
	s := &Session{start: 69}
	for _, x := range [][2]string{
		{"clock 600 (+531) [0,0] runs a+1", "clock 531 [0,0] runs a+1"},
		{"  clock 98     leaves", "  clock 29     leaves"},
		{"clock 90 is over: the machine is at 100", "clock 21 is over: the machine is at 31"},
		{"the first clock is 69: you can", "the first clock is 0: you can"},
		{"[1,2] fib, clock 45: start = 3", "[1,2] fib, clock -24: start = 3"},
		{"clocks 70, clockwork 70, 70 clocks", "clocks 70, clockwork 70, 70 clocks"},
		{"clock 99999999999999999999", "clock 99999999999999999999"},
	} {
		require.Equal(t, x[1], s.inRun(x[0]))
	}
	for _, x := range [][2]string{
		{"goto 500", "goto +500"},
		{"goto +500", "goto +500"},
		{"until 7; units ;  goto 9", "until +7; units ;  goto +9"},
		{"u 5", "u +5"},
		{"until block 7", "until block 7"},
		{"step 5", "step 5"},
		{"back 10", "back 10"},
		{"until 5x", "until 5x"},
	} {
		require.Equal(t, x[1], ofRun(x[0]))
	}
}

// Errors have the data of packets and operands as numbers of the program, and addresses in hexadecimal.
func TestDataAreNumbers(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"3"}, PEs: 12})
	require.Equal(t, "segment 0x30000: the left operand 7 waits: data/left [0,1] node 0x30001 data -1",
		s.inNumbers("segment 0x30000: the left operand 0x7 waits: data/left [0,1] node 0x30001 data 0xffffffff"))
}

// At any time, no reported clock is later than the clock that the run has reached, as a clock of the machine would be.
// The length of a run is the time to its result.
func TestOneClock(t *testing.T) {
	for _, sets := range []map[string]string{nil, {"banks": "1"}} {
		s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12, Sets: sets})
		named := regexp.MustCompile(`clock"?:? +"?(-?\d+)`)
		seen := 0
		look := func(latest uint64, all ...any) {
			for _, x := range all {
				text, err := json.Marshal(x)
				require.NoError(t, err)
				for _, m := range named.FindAllStringSubmatch(string(text), -1) {
					n, err := strconv.Atoi(m[1])
					require.NoError(t, err)
					require.LessOrEqual(t, n, int(latest)+3*s.batch().Config().HopClocks,
						"%s in %s", m[0], text) // of events in progress
					seen++
				}
			}
		}
		for clock := uint64(3); clock < 60; clock += 3 {
			x := do(t, s, "goto "+strconv.FormatUint(clock, 10)+"; where; units; links; follow host.1; tree")
			require.Equal(t, clock, x.Frame.Clock)
			in, err := s.Inside(0)
			require.NoError(t, err)
			require.Equal(t, clock+s.start, in.Clock)
			look(clock, x.Text, x.Error, in.Why, in.Units, in.Slots)
			require.Zero(t, x.Frame.Length)
		}
		require.Greater(t, seen, 100)
		end := do(t, s, "continue")
		look(end.Frame.Clock, end.Text, end.Frame.Failure, end.Hits)
		var way struct {
			Stations []struct{ Clock uint64 }
		}
		require.NoError(t, json.Unmarshal(s.Call(context.Background(), "follow", []byte(`"host.1"`)),
			&struct{ Value any }{&way}))
		require.Less(t, way.Stations[0].Clock, uint64(20))
		if sets == nil {
			require.Equal(t, end.Frame.Result.Clocks, end.Frame.Length)
			require.Less(t, end.Frame.Length, end.Frame.Clock, "it comes to rest after its result")
			require.Equal(t, end.Frame.Length, do(t, s, "goto 5").Frame.Length, "it stays known")
		} else {
			require.Zero(t, do(t, s, "goto 5").Frame.Length)
		}
	}
}

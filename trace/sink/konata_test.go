package sink

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/trace"
)

// kanataOp is an operation of a Kanata file.
type kanataOp struct {
	label   string
	stages  []string
	clocks  []uint64 // the clocks at which the stages begin, and the clock at which the last one ends
	open    bool
	retired bool
	wakers  []int
}

// readKanata parses a file, and checks the rules of the format.
func readKanata(t *testing.T, text string) []*kanataOp {
	t.Helper()
	var ops []*kanataOp
	var now uint64
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	require.Equal(t, "Kanata\t0004", lines[0])
	require.True(t, strings.HasPrefix(lines[1], "C=\t"))
	retired := 0
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		number := func(i int) int {
			n, err := strconv.Atoi(f[i])
			require.NoError(t, err, line)
			return n
		}
		op := func(i int) *kanataOp {
			require.Less(t, number(i), len(ops), line)
			return ops[number(i)]
		}
		switch f[0] {
		case "C=":
			require.Zero(t, i)
			now = uint64(number(1))
		case "C":
			require.Positive(t, number(1), "time goes forward")
			now += uint64(number(1))
		case "I":
			require.Equal(t, len(ops), number(1))
			require.Len(t, f, 4)
			ops = append(ops, &kanataOp{})
		case "L":
			if number(2) == 0 {
				op(1).label += f[3]
			}
		case "S":
			o := op(1)
			require.False(t, o.open || o.retired, line)
			o.stages, o.clocks, o.open = append(o.stages, f[3]), append(o.clocks, now), true
		case "E":
			o := op(1)
			require.True(t, o.open)
			require.Equal(t, o.stages[len(o.stages)-1], f[3])
			o.open = false
		case "R":
			o := op(1)
			require.False(t, o.open || o.retired)
			require.Equal(t, retired, number(2))
			retired++
			o.retired = true
			o.clocks = append(o.clocks, now)
		case "W":
			require.False(t, op(1).retired)
			op(1).wakers = append(op(1).wakers, number(2))
		default:
			t.Fatalf("no command: %q", line)
		}
	}
	return ops
}

// follows maps a stage to the stages that may follow it.
var follows = map[string][]string{
	"": {"SU", "IBU", "MIB", "FMU", "OPW", "EXU"}, "SU": {"IBU", ""}, "IBU": {"MIB", "FMU", ""}, "MIB": {"IBU", ""},
	"FMU": {"OPW", "EXU", ""}, "OPW": {""}, "EXU": {""},
}

// Every packet is an operation with the stages that the packet went through, at their clocks. In a whole run, each
// operation begins in the switch and retires.
func TestKonataReadsBack(t *testing.T) {
	jobs(t, func(t *testing.T, all *events, info trace.Info) {
		ops := readKanata(t, string(write(t, "konata", all, info)))
		whole := len(info.Traced) == len(info.PEs)
		byName := map[string]*kanataOp{}
		for _, o := range ops {
			name, _, _ := strings.Cut(o.label, " ")
			require.NotContains(t, byName, name)
			byName[name] = o
			at := ""
			for _, s := range o.stages {
				require.Contains(t, follows[at], s, o.label)
				at = s
			}
			if whole {
				require.True(t, o.retired, o.label)
				require.Equal(t, "SU", o.stages[0])
				require.Contains(t, follows[at], "")
			}
		}
		made := 0
		for i := range all.list {
			e := &all.list[i]
			o := byName[info.PacketName(trace.IDOf(&e.Packet))]
			begins := func(stage string, clock uint64) {
				for i, s := range o.stages {
					if s == stage && o.clocks[i] == clock {
						return
					}
				}
				t.Fatalf("%s: no stage %s at clock %d: %v %v", o.label, stage, clock, o.stages, o.clocks)
			}
			switch e.Kind {
			case trace.Made:
				made++
				begins("SU", e.Clock+1)
			case trace.Moved:
				if e.Out == trace.Own && !e.Packet.ToHost {
					begins("IBU", e.Clock+1)
				}
			case trace.Spilled:
				begins("MIB", e.Clock+1)
			case trace.Refilled:
				begins("IBU", e.Clock+1)
			case trace.Taken:
				begins("FMU", e.Clock)
			case trace.Stored:
				begins("OPW", e.Clock+1)
			case trace.Begun:
				begins("EXU", e.Clock)
			}
		}
		if whole {
			require.Len(t, ops, made+entered(all))
		}
	})
}

func entered(all *events) int {
	n := 0
	for i := range all.list {
		if all.list[i].Kind == trace.Entered {
			n++
		}
	}
	return n
}

// The packets of the small program have their stages, one by one.
func TestKonataStages(t *testing.T) {
	all, info := add(t).record(t)
	var got []string
	for _, o := range readKanata(t, string(write(t, "konata", all, info))) {
		name, _, _ := strings.Cut(o.label, " ")
		got = append(got, name+" "+strings.Join(o.stages, " "))
	}
	require.Equal(t, []string{
		"host.1 SU IBU FMU EXU", "host.2 SU IBU FMU EXU", "[0,0].1 SU IBU FMU EXU", "[0,0].2 SU IBU FMU EXU",
		"[0,0].3 SU IBU FMU EXU", "[0,0].4 SU IBU FMU OPW", "[0,1].1 SU IBU FMU EXU", "[0,0].5 SU",
	}, got)
}

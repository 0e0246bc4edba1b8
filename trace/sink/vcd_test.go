package sink

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/vcdread"
	"emsim/trace"
)

// The file has every status and level at its clock, by name, and no other changes.
func TestVCDReadsBack(t *testing.T) {
	jobs(t, func(t *testing.T, all *events, info trace.Info) {
		signals := vcdread.Read(t, string(write(t, "vcd", all, info)))
		require.Len(t, signals, len(info.Traced)*(vcdCount-1))
		want := map[string][]vcdread.Change{}
		begun := map[uint32]bool{} // a block may have begun before the window
		for i := range all.list {
			e := &all.list[i]
			pe := fmt.Sprintf("em4.pe_%d_%d.", info.PEs[e.PE].GA, info.PEs[e.PE].CA)
			switch {
			case e.Kind == trace.Levelled:
				pe += e.Level.String()
				want[pe] = append(want[pe], vcdread.Change{At: e.Clock, Value: fmt.Sprint(e.Value)})
			case e.Kind == trace.Changed && e.Unit == trace.SU:
				pe += "su_" + trace.SlotName(e.Slot)
				want[pe] = append(want[pe], vcdread.Change{At: e.Clock, Value: e.Status.String()})
			case e.Kind == trace.Changed:
				pe += map[trace.Unit]string{
					trace.PE: "state", trace.IBU: "ibu", trace.FMU: "fmu",
					trace.EXU: "exu",
				}[e.Unit]
				want[pe] = append(want[pe], vcdread.Change{At: e.Clock, Value: e.Status.String()})
			case e.Kind == trace.Begun:
				begun[e.PE] = true
				require.Equal(t, info.Where(e.PC), vcdread.At(signals[pe+"node"], e.Clock))
			case e.Kind == trace.Ended && begun[e.PE]:
				require.NotEqual(t, "none", vcdread.At(signals[pe+"node"], e.Clock))
			case e.Kind == trace.Fetched:
				require.Equal(t, fmt.Sprint(e.PC), vcdread.At(signals[pe+"pc"], e.Clock))
			}
		}
		for path, got := range signals {
			if strings.HasSuffix(path, ".pc") || strings.HasSuffix(path, ".node") {
				continue
			}
			if got[0].At == info.From && (len(want[path]) == 0 || want[path][0].At != info.From) {
				require.Contains(t, []string{"idle", "0"}, got[0].Value)
				got = got[1:]
			}
			require.Equal(t, len(want[path]), len(got), path)
			for i := range got {
				require.Equal(t, want[path][i], got[i], path)
			}
		}
	})
}

// gtkwave's tools read the file, and write the same changes back.
func TestVCDRoundTrip(t *testing.T) {
	jobs(t, func(t *testing.T, all *events, info trace.Info) { vcdread.RoundTrip(t, write(t, "vcd", all, info)) })
}

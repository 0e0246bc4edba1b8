//go:build slow

package verify

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// The sensitivity table in docs is up to date; otherwise "emsim calibrate
// --csv docs/sensitivity.csv" measures it anew.
func TestSensitivityTableIsCurrent(t *testing.T) {
	f, err := os.Open("../docs/sensitivity.csv")
	require.NoError(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	published := map[string]string{}
	for _, l := range lines[1:] {
		published[l[0]+"="+l[1]+" "+l[3]] = l[6]
	}
	list, err := Sensitivity003(context.Background(), Standard003(), UncertainKnobs003(), runtime.NumCPU(), nil)
	require.NoError(t, err)
	for _, s := range list {
		for _, r := range s.Rows {
			want := ""
			if r.Deviation != nil {
				want = strconv.FormatFloat(*r.Deviation, 'g', 6, 64)
			}
			key := fmt.Sprintf("%s=%s %s", s.Knob, s.Value, r.ID)
			require.Equal(t, want, published[key], key)
		}
	}
}

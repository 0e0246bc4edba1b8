package play

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
	"emsim/programs"
)

// At 100 random clocks of every program, the engine in the browser has the same state as the engine here.
func testStatesInTheBrowser(t *testing.T, b *tab) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, p := range programs.List() {
		s := &engine.Session{}
		setup := engine.Setup{Main: p.Name + ".s", PEs: 12}
		for _, v := range p.Small[len(p.Small)-1] {
			setup.Args = append(setup.Args, fmt.Sprint(v))
		}
		x := s.Open(context.Background(), setup)
		require.Empty(t, x.Error)
		end, err := s.Do(context.Background(), "continue")
		require.NoError(t, err)
		var clocks []uint64
		for range 100 {
			clocks = append(clocks, x.Frame.Clock+random.Uint64N(end.Frame.Clock-x.Frame.Clock+1))
		}
		slices.Sort(clocks)
		var want []string
		for _, clock := range clocks {
			_, err := s.Do(context.Background(), fmt.Sprintf("goto %d", clock))
			require.NoError(t, err)
			h, err := s.Hash()
			require.NoError(t, err)
			want = append(want, fmt.Sprintf("%016x", h))
		}
		question, err := json.Marshal(setup)
		require.NoError(t, err)
		list, err := json.Marshal(clocks)
		require.NoError(t, err)
		got := eval[[]string](t, b, fmt.Sprintf(`(async () => {
			await emsim.engine.call("open", %s);
			const list = [];
			for (const clock of %s) {
				await emsim.engine.call("do", "goto " + clock);
				list.push(await emsim.engine.call("hash"));
			}
			return list;
		})()`, question, list))
		require.Equal(t, want, got, p.Name)
	}
}

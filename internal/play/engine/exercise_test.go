package engine

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/exercise"
)

// Every exercise begins with a machine, and is checked by the rules of 'emsim grade'. The initial program is rejected.
func TestExercises(t *testing.T) {
	list := TheCatalogue().Exercises
	require.Len(t, list, len(exercise.Own()))
	check := func(h handedIn) *exercise.Verdict {
		v, err := h.check((&Session{}).guard(context.Background()))
		require.NoError(t, err)
		text, err := json.Marshal(h)
		require.NoError(t, err)
		html, err := methods["check"](context.Background(), &Session{}, text)
		require.NoError(t, err)
		require.Contains(t, html, map[bool]string{true: "<b>Right.</b>", false: "<b>Not yet.</b>"}[v.Passed])
		return v
	}
	for _, x := range list {
		o := (&Session{}).Open(context.Background(), x.Setup)
		require.Empty(t, o.Error, x.Name)
		v := check(handedIn{Name: x.Name, Setup: x.Setup})
		require.False(t, v.Passed, x.Name)
		require.NotEmpty(t, v.Reason)
	}
	of := func(name string) handedIn {
		for _, x := range list {
			if x.Name == name {
				return handedIn{Name: name, Setup: x.Setup}
			}
		}
		panic(name)
	}
	h := of("spills")
	h.Setup.Sets = map[string]string{"fifo_words": "40"}
	require.True(t, check(h).Passed)
	h.Setup.PEs = 32
	require.Contains(t, check(h).Reason, "your machine has 32 PEs")
	h = of("instances")
	h.Answers = map[string]string{"instances": "25", "answer": "[0,0]"}
	require.True(t, check(h).Passed)
	h = of("lost")
	h.Setup.Files = map[string]string{"lost.s": "addd"}
	require.Contains(t, check(h).Reason, `"addd"`)
	h.Setup.Sets = map[string]string{"hop_clocks": "1"}
	h.Setup.Files["lost.s"] = ".start x\nx: out! r0\n"
	require.Contains(t, check(h).Reason, "change only the text of the program")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := h.check((&Session{}).guard(ctx))
	require.NoError(t, err, "it is refused before it runs")
	h.Setup.Sets = nil
	_, err = h.check((&Session{}).guard(ctx))
	require.ErrorContains(t, err, "stopped while it was checked")
	_, err = (&handedIn{Name: "nothing"}).check(nil)
	require.Error(t, err)
}

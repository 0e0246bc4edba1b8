package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/exercise"
)

// Every exercise begins with a machine, and is checked by the rules of 'emsim grade'. The initial program is rejected.
func TestExercises(t *testing.T) {
	list := TheCatalogue().Exercises
	require.Len(t, list, len(exercise.Own()))
	check := func(h handedIn) *exercise.Verdict {
		text, err := json.Marshal(h)
		require.NoError(t, err)
		v, err := methods["check"](context.Background(), &Session{}, text)
		require.NoError(t, err)
		return v.(*exercise.Verdict)
	}
	begin := func(x *exercise.Exercise) Setup { // like page/exercise.js
		s := Setup{Main: x.Program, PEs: x.PEs, Params: x.Params, Sets: map[string]string{}}
		maps.Copy(s.Sets, x.Set)
		for _, a := range x.Case[0].Args {
			s.Args = append(s.Args, fmt.Sprint(a))
		}
		if s.Files = map[string]string{x.Program: x.Text}; x.Text == "" {
			s.Main, s.Files = x.Program+".s", nil
		}
		return s
	}
	for _, x := range list {
		o := (&Session{}).Open(context.Background(), begin(x))
		require.Empty(t, o.Error, x.Name)
		v := check(handedIn{Name: x.Name, Setup: begin(x)})
		require.False(t, v.Passed, x.Name)
		require.NotEmpty(t, v.Reason)
	}
	of := func(name string) handedIn {
		for _, x := range list {
			if x.Name == name {
				return handedIn{Name: name, Setup: begin(x)}
			}
		}
		panic(name)
	}
	h := of("spills")
	h.Setup.Sets["fifo_words"] = "40"
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
	require.Contains(t, check(h).Reason, "only the text of the program is yours to change")
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

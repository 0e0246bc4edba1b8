package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/inspect/debug"
)

// Every method answers in JSON; for wrong arguments the error says what was expected.
func TestCall(t *testing.T) {
	s := &Session{}
	call := func(name, args string) Reply {
		var r Reply
		require.NoError(t, json.Unmarshal(s.Call(context.Background(), name, []byte(args)), &r))
		return r
	}
	for name := range methods {
		if name != "catalogue" && name != "open" && name != "restore" && name != "share" && name != "complete" &&
			name != "text" && name != "check" {
			for _, args := range []string{"null", "0", `"step"`, "{}", "true", "["} {
				require.NotNil(t, call(name, args).Error, "%s %s: there is no machine", name, args)
			}
		}
	}
	require.Contains(t, call("opne", "").Error.Message, `did you mean "open"?`)
	require.Equal(t, "usage", call("open", `{"mian":"fib.s"}`).Error.Kind)
	text, err := json.Marshal(fib)
	require.NoError(t, err)
	require.Nil(t, call("open", string(text)).Error)
	require.Nil(t, call("do", `"step 100"`).Error) // first, so that there are packets to follow
	for name, args := range map[string]string{
		"do": `"step 100"`, "goto": `{"clock":300}`, "pe": "3", "series": "null", "called": "1", "tree": "true",
		"follow": `"host.1"`, "hash": "null",
		"frame": "null", "catalogue": "null", "complete": `"unt"`, "text": `"lib/place.s"`,
	} {
		r := call(name, args)
		require.Nil(t, r.Error, "%s: %v", name, r.Error)
		require.NotNil(t, r.Value, name)
	}
	require.Equal(t, []any{"until"}, call("complete", `"unt"`).Value)
	require.Contains(t, call("do", `"sepp"`).Value.(map[string]any)["error"], "there is no command")
	require.Contains(t, call("do", `"quit"`).Value.(map[string]any)["text"], "close its tab")
	require.Nil(t, call("goto", `{"clock":0}`).Value.(map[string]any)["error"])
	methods["defect"] = func(context.Context, *Session, []byte) (any, error) { panic("broken") }
	defer delete(methods, "defect")
	require.Contains(t, call("defect", "").Error.Message, "emsim has a defect: broken")
	require.Contains(t, call("do", `"step"`).Error.Message, "no program")
}

// ask calls a method and parses its answer into v. It returns the error.
func ask(t *testing.T, s *Session, name, args string, v any) *Error {
	t.Helper()
	var r struct {
		Value json.RawMessage
		Error *Error
	}
	in := json.NewDecoder(bytes.NewReader(s.Call(context.Background(), name, []byte(args))))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(&r))
	if r.Error == nil {
		require.NoError(t, json.Unmarshal(r.Value, v))
	}
	return r.Error
}

// A method returns the answer of its function.
func TestAnswers(t *testing.T) {
	s := opened(t, fib)
	var moved Moved
	require.Nil(t, ask(t, s, "do", `"step 250"`, &moved))
	require.EqualValues(t, 250, moved.Frame.Clock)
	require.Nil(t, ask(t, s, "goto", fmt.Sprintf(`{"clock":%d}`, 120), &moved))
	require.EqualValues(t, 120, moved.Frame.Clock)
	var frame Frame
	require.Nil(t, ask(t, s, "frame", "", &frame))
	require.Equal(t, s.Frame(), &frame)
	var in Inside
	require.Nil(t, ask(t, s, "pe", "3", &in))
	require.Equal(t, 3, in.Number)
	var hash, text string
	require.Nil(t, ask(t, s, "hash", "", &hash))
	h, err := s.Hash()
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%016x", h), hash)
	require.Nil(t, ask(t, s, "text", `"<emsim>/lib/place.s"`, &text))
	require.Contains(t, text, ".macro place_init")
	var blocks Blocks
	require.Nil(t, ask(t, s, "blocks", "3", &blocks))
	require.NotEmpty(t, blocks.List)
	var way map[string]any
	require.Nil(t, ask(t, s, "follow", `"host.1"`, &way))
	require.NotEmpty(t, way)
	var link string
	require.Nil(t, ask(t, s, "share", `{"setup":{"main":"fib.s"},"clock":7}`, &link))
	var v View
	require.Nil(t, ask(t, s, "restore", `"`+link+`"`, &v))
	require.Equal(t, View{Setup: Setup{Main: "fib.s", PEs: 80}, Clock: 7}, v)
	var c Catalogue
	require.Nil(t, ask(t, s, "catalogue", "", &c))
	got, err := json.Marshal(c)
	require.NoError(t, err)
	want, err := json.Marshal(TheCatalogue())
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got))
	var series seriesAnswer
	require.Nil(t, ask(t, s, "series", "", &series))
	require.Zero(t, series.Clocks[0])
	require.Len(t, series.States, len(series.Clocks))
}

// The tree shows ended instances on request, and is limited.
func TestTree(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12})
	var none, live, all debug.Tree
	require.NotNil(t, ask(t, &Session{}, "tree", "true", &none))
	do(t, s, "step 700")
	require.Nil(t, ask(t, s, "tree", "false", &live))
	require.Len(t, live.Instances, live.Live)
	do(t, s, "continue")
	require.Nil(t, ask(t, s, "tree", "false", &live))
	require.Empty(t, live.Instances)
	require.Nil(t, ask(t, s, "tree", "true", &all))
	require.Equal(t, 500, mostInstances)
	require.Len(t, all.Instances, mostInstances)
	require.Equal(t, all.Total-mostInstances, all.Cut)
	deepest, pes := 0, map[int]bool{}
	for _, x := range all.Instances {
		deepest = max(deepest, x.Level)
		pes[x.PE] = true
	}
	require.Greater(t, deepest, 8)
	require.Len(t, pes, 12)

	called := make([]int, 12)
	for pe := range 12 {
		var list []int
		require.Nil(t, ask(t, s, "called", fmt.Sprint(pe), &list))
		for to, n := range list {
			called[to] += n
		}
	}
	sum := 0
	for _, n := range called {
		sum += n
	}
	require.Equal(t, all.Total-1, sum, "every instance but the first was called by another")
}

// Errors have a kind, and say what was expected.
func TestWrongQuestions(t *testing.T) {
	s := opened(t, fib)
	for _, c := range []struct{ name, args, kind, want string }{
		{"nothing", "", "usage", `there is no method "nothing"`},
		{"pe", "12", "usage", "there is no PE 12: the machine has 0 to 11"},
		{"pe", `"x"`, "usage", "the question is not what was expected: json"},
		{"called", "-1", "usage", "there is no PE -1"},
		{"blocks", "12", "usage", "there is no PE 12"},
		{"goto", `{"clock":1,"pe":2}`, "usage", `unknown field "pe"`},
		{"text", `"no.s"`, "usage", `there is no file "no.s"`},
		{"restore", `"1.!"`, "usage", "the link is broken"},
		{"follow", `"x"`, "", "x"},
	} {
		e := ask(t, s, c.name, c.args, nil)
		require.NotNil(t, e, c.name)
		require.Contains(t, e.Message, c.want)
		if c.kind != "" {
			require.Equal(t, c.kind, e.Kind)
		}
	}
	for _, name := range []string{"frame", "tree", "follow", "called", "series", "hash"} {
		e := ask(t, &Session{}, name, map[string]string{"tree": "true", "follow": `"host.1"`, "called": "1"}[name], nil)
		require.Equal(t, &Error{"usage", "no program is assembled"}, e, name)
	}
	methods["defect"] = func(context.Context, *Session, []byte) (any, error) { panic("broken") }
	defer delete(methods, "defect")
	require.Equal(t, "defect", ask(t, s, "defect", "", nil).Kind)
	require.Nil(t, s.d)
}

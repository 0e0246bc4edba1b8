package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
		without := []string{"catalogue", "open", "restore", "share", "complete", "check", "runs", "change"}
		if !slices.Contains(without, name) {
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
		"do": `"step 100"`, "pe": "3", "called": "1", "calls": "3",
		"follow": `"host.1"`, "hash": "null", "result": "null", "tokens": `[{"packet":"host.1","links":1}]`,
		"frame": "null", "catalogue": "null", "complete": `"unt"`,
	} {
		r := call(name, args)
		require.Nil(t, r.Error, "%s: %v", name, r.Error)
		require.NotNil(t, r.Value, name)
	}
	require.Equal(t, map[string]any{"line": "until "}, call("complete", `"unt"`).Value)
	require.Equal(t, map[string]any{"line": "s", "words": "step  stops  symbols  segments  screen"},
		call("complete", `"s"`).Value)
	require.Contains(t, call("do", `"sepp"`).Value.(map[string]any)["error"], "there is no command")
	require.Contains(t, call("do", `"quit"`).Value.(map[string]any)["text"], "close its tab")
	require.Nil(t, call("do", `"goto 0"`).Value.(map[string]any)["error"])
	methods["defect"] = func(context.Context, *Session, []byte) (any, error) { panic("broken") }
	defer delete(methods, "defect")
	require.Contains(t, call("defect", "").Error.Message, "this is a bug in emsim: broken")
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
	require.Nil(t, ask(t, s, "do", `"goto 120"`, &moved))
	require.EqualValues(t, 120, moved.Frame.Clock)
	var frame Frame
	require.Nil(t, ask(t, s, "frame", "", &frame))
	require.Equal(t, s.Frame(), &frame)
	var in Inside
	require.Nil(t, ask(t, s, "pe", "3", &in))
	require.Equal(t, 3, in.Number)
	var hash string
	require.Nil(t, ask(t, s, "hash", "", &hash))
	h, err := s.Hash()
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%016x", h), hash)
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
}

// The calls are those from the first caller to the instance that runs on the PE, or else all that are live, up to a
// limit.
func TestCalls(t *testing.T) {
	s := opened(t, through(t, Setup{Main: "fib.go", Args: []string{"14"}, PEs: 12}))
	do(t, s, "break fib.go:15 if n == 4; continue")
	pe := s.d.Chosen()
	html, err := s.Calls(context.Background(), pe)
	require.NoError(t, err)
	wellFormed(t, html)
	require.Contains(t, html, fmt.Sprintf("<h2>Variables on %s</h2>", s.batch().PE(pe).Address()))
	require.Contains(t, html, "<dt>n</dt><dd>4</dd>")
	require.Regexp(t, `>fib\(14\) .*>fib\(4\) `, html)
	require.Equal(t, 1, strings.Count(html, `class="instance runs"`))
	caller := regexp.MustCompile(`<div class="instance[^>]*>(?:&ensp;)*<button [^>]*>fib\((\d+)\)`)
	callers := caller.FindAllStringSubmatch(html, -1)
	for i := 1; i < len(callers); i++ {
		n, _ := strconv.Atoi(callers[i-1][1])
		m, _ := strconv.Atoi(callers[i][1])
		require.Contains(t, []int{1, 2}, n-m, "a caller calls with n - 1 and n - 2")
	}
	require.Greater(t, len(callers), 3)

	do(t, s, "goto 700")
	t.Log(s.Calls(context.Background(), 0))
	tree, err := s.d.Tree(context.Background(), debug.TreeOptions{PE: -1, Depth: 1 << 30, Lines: 1 << 30})
	require.NoError(t, err)
	for pe := range 12 {
		html, err = s.Calls(context.Background(), pe)
		require.NoError(t, err)
		wellFormed(t, html)
		require.Contains(t, html, fmt.Sprintf("Calls: %d live of %d", tree.Live, tree.Total))
		if !strings.Contains(html, `instance runs`) {
			require.Equal(t, min(tree.Live, mostInstances), strings.Count(html, `class="instance"`))
		}
	}
	_, err = s.Calls(context.Background(), 12)
	require.ErrorContains(t, err, "there is no PE 12")
}

// wellFormed checks that HTML is well-formed, as XML is.
func wellFormed(t *testing.T, html string) {
	t.Helper()
	html = regexp.MustCompile(`<(?:br|input[^>]*)>`).ReplaceAllString(html, "")
	html = strings.NewReplacer("&ensp;", " ", " selected>", ">", "data-begin ", "", "data-check ", "").Replace(html)
	in := xml.NewDecoder(strings.NewReader("<all>" + html + "</all>"))
	for {
		_, err := in.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err, html)
	}
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
		{"ends", `{"width":1,"pe":2}`, "usage", `unknown field "pe"`},
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
	for _, name := range []string{"frame", "calls", "result", "follow", "called", "hash"} {
		e := ask(t, &Session{}, name, map[string]string{"calls": "1", "follow": `"host.1"`, "called": "1"}[name], nil)
		require.Equal(t, &Error{"usage", "no program is assembled"}, e, name)
	}
	methods["defect"] = func(context.Context, *Session, []byte) (any, error) { panic("broken") }
	defer delete(methods, "defect")
	require.Equal(t, "defect", ask(t, s, "defect", "", nil).Kind)
	require.Nil(t, s.d)
}

package engine

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine/compiler"
)

// drawn returns the picture of a program, as the page gets it.
func drawn(t *testing.T, x Setup) *compiler.Graph {
	t.Helper()
	text, err := json.Marshal(compiler.Question{Main: x.Main, Files: x.Files, Params: x.Params})
	require.NoError(t, err)
	var p *compiler.Graph
	require.NoError(t, json.Unmarshal(compiler.Draw(text), &p))
	return p
}

// panels matches the functions of a picture.
var panels = regexp.MustCompile(`role="group" aria-label="func (\w+), line`)

// Every block of a compiled program that begins outside system code has a box. The opened PE's block is the block of
// its instruction, and instances begin as often as the run counts calls.
func TestBlocks(t *testing.T) {
	for _, name := range []string{"fib", "queens", "stream", "pi", "matmul", "sort"} {
		x := through(t, Setup{Main: name + ".go", Args: fewPEs[name], PEs: 12})
		boxes := map[string]string{} // the function of each label
		functions := map[string]bool{}
		picture := drawn(t, x)
		wellFormed(t, picture.SVG)
		require.Equal(t, len(picture.Boxes), strings.Count(picture.SVG, `<g class="box`))
		for _, p := range panels.FindAllStringSubmatch(picture.SVG, -1) {
			functions[p[1]] = true
		}
		for _, b := range picture.Boxes {
			require.Equal(t, b.Call && functions[b.Name], b.Function >= 0)
			for _, label := range b.Begins {
				require.NotContains(t, boxes, label, name)
				boxes[label], _, _ = strings.Cut(label, ".")
				require.Contains(t, functions, boxes[label])
			}
		}
		s := opened(t, x)
		seen := map[string]bool{}
		for range 40 {
			do(t, s, "step 11")
			for pe := range 12 {
				in, err := s.Inside(pe)
				require.NoError(t, err)
				b, err := s.Blocks(context.Background(), pe)
				require.NoError(t, err)
				if b.When != "" || in.Code.When == "now" { // only blocks that have begun are listed
					require.Equal(t, in.Code.When, b.When)
				}
				if f := boxes[b.Opened]; f != "" && !strings.Contains(in.Code.Label, ".panic") {
					seen[b.When] = true
					require.True(t, strings.HasPrefix(in.Code.Label, f+"."), "%s: %s in the block %s", name,
						in.Code.Label, b.Opened)
				}
				for _, one := range b.List {
					require.Equal(t, one.Label == b.Opened && b.When == "now", slices.Contains(one.PEs, pe),
						"%s %s", name, one.Label)
					if f, _, _ := strings.Cut(one.Label, "."); functions[f] {
						require.Contains(t, boxes, one.Label, name)
					}
				}
			}
		}
		require.True(t, seen["now"] && seen["last"], "%s %v", name, seen)
		end := do(t, s, "continue").Frame
		b, err := s.Blocks(context.Background(), 0)
		require.NoError(t, err)
		if name == "fib" {
			for _, one := range b.List {
				if one.Label == "fib.start" {
					require.EqualValues(t, end.Result.Calls, one.Times)
				}
			}
		}
	}
}

// A program with errors has no picture, and without a machine there is no answer.
func TestNoBlocks(t *testing.T) {
	require.Nil(t, drawn(t, Setup{Main: "a.go", Files: map[string]string{"a.go": "package main\n"}}))
	_, err := (&Session{}).Blocks(context.Background(), 0)
	require.ErrorContains(t, err, "no program is assembled")
	s := opened(t, fib)
	_, err = s.Blocks(context.Background(), 12)
	require.ErrorContains(t, err, "there is no PE 12")
	do(t, s, "continue")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = s.Blocks(ctx, 0)
	require.Error(t, err)
}

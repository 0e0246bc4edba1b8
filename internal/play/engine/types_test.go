package engine

import (
	"context"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/internal/play/engine/compiler"
)

// questions maps every method to an argument (nil: none) and its answer; 'graph' is a method of the compiler.
var questions = map[string][2]any{
	"ahead":     {uint64(200), &Ahead{}},
	"blocks":    {0, &Blocks{}},
	"called":    {0, []int{}},
	"catalogue": {nil, &Catalogue{}},
	"calls":     {0, ""},
	"change":    {changes{}, &Setup{}},
	"check":     {handedIn{Name: "instances"}, ""},
	"compared":  {0, ""},
	"complete":  {"", &Completion{}},
	"do":        {"goto 200", &Moved{}},
	"ends":      {room{}, ""},
	"follow":    {"[0,0].3", &Way{}},
	"frame":     {nil, &Frame{}},
	"hash":      {nil, ""},
	"open":      {Setup{Main: "fib.s", Args: []string{"4"}, PEs: 12}, &Opened{}},
	"part":      {uint64(200), &Parting{}},
	"pe":        {0, &Inside{}},
	"restore":   {"", &View{}},
	"result":    {nil, ""},
	"runs":      {"", &Runs{}},
	"share":     {View{}, ""},
	"strip":     {nil, &Strip{}},
	"tokens":    {[]arrow{}, []Token{}},
}

// typed collects types for the check of the page's JavaScript.
type typed struct {
	names      map[string]reflect.Type
	interfaces map[string]string
}

func (w typed) name(t reflect.Type) string {
	switch {
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return "string"
	case t.Implements(reflect.TypeFor[json.Marshaler]()):
		panic(t.String() + " writes itself")
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.name(t.Elem())
	case reflect.Slice:
		return w.name(t.Elem()) + "[]"
	case reflect.Array:
		return "[" + strings.Repeat(", "+w.name(t.Elem()), t.Len())[2:] + "]"
	case reflect.Map:
		return "Record<" + w.name(t.Key()) + ", " + w.name(t.Elem()) + ">"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Struct:
		return w.add(t)
	}
	return "number"
}

// add adds an interface for a struct, and returns its name.
func (w typed) add(t reflect.Type) string {
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	own := title(t.Name())
	if w.names[own] != nil && w.names[own] != t {
		own = title(filepath.Base(t.PkgPath())) + own
	}
	if w.names[own] == t {
		return own
	}
	w.names[own] = t
	var b strings.Builder
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() || f.Anonymous {
			continue
		}
		if name == "" {
			name = f.Name
		}
		optional := ""
		if strings.Contains(options, "omit") {
			optional = "?"
		}
		fmt.Fprintf(&b, "    %s%s: %s\n", name, optional, w.name(f.Type))
	}
	w.interfaces[own] = b.String()
	return own
}

// The types for the check of the page's JavaScript match the engine's answers.
func TestTypesOfThePage(t *testing.T) {
	require.ElementsMatch(t, slices.Collect(maps.Keys(methods)), slices.Collect(maps.Keys(questions)))
	s := NewPair()[0]
	s.pair.sessions[1].Open(context.Background(), questions["open"][0].(Setup))
	link, err := (&View{Setup: questions["open"][0].(Setup)}).Link()
	require.NoError(t, err)
	names := append([]string{"open"}, slices.Sorted(maps.Keys(questions))...)
	w := typed{map[string]reflect.Type{}, map[string]string{}}
	var calls strings.Builder
	for i, name := range names {
		argument, answer := questions[name][0], reflect.TypeOf(questions[name][1])
		if name == "restore" {
			argument = link
		}
		text, err := json.Marshal(argument)
		require.NoError(t, err)
		got, err := methods[name](context.Background(), s, text)
		require.NoError(t, err, name)
		require.Equal(t, answer, reflect.TypeOf(got), name)
		if i > 0 {
			in := "null"
			if argument != nil {
				in = w.name(reflect.TypeOf(argument))
			}
			fmt.Fprintf(&calls, "    %s: [%s, %s]\n", name, in, w.name(answer))
		}
	}
	fmt.Fprintf(&calls, "    graph: [Setup, %s]\n", w.name(reflect.TypeFor[compiler.Graph]()))
	text := "// What the engine is asked, and its answers. Written by go test ./internal/play/engine -run " +
		"TypesOfThePage -update.\ndeclare namespace Emsim {\n  // Questions are an argument and an answer, by " +
		"name.\n  interface Questions {\n" + calls.String() + "  }\n"
	for _, name := range slices.Sorted(maps.Keys(w.interfaces)) {
		text += "  interface " + name + " {\n" + w.interfaces[name] + "  }\n"
	}
	text += "}\n"
	file := filepath.Join("..", "check", "engine.d.ts")
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	}
	there, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(there), text, "go test ./internal/play/engine -run TypesOfThePage -update")
}

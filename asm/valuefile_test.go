package asm

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// A parameter whose values name files also takes a file of the user. This file is read separately from the program
// and may include files next to it.
func TestValueFiles(t *testing.T) {
	library := fstest.MapFS{
		"lib/place.s":    {Data: []byte(".param way, left, right, \"*.s\"\n.include way\n")},
		"lib/way/left.s": {Data: []byte(".word 1\n")}, "lib/way/right.s": {Data: []byte(".word 2\n")},
	}
	users := map[string]string{
		"my/up.s": ".include \"far.inc\"\n", "my/far.inc": ".word 3 + way\n", "my/bad.s": "oops\n",
		"left.s": ".word 9\n",
	}
	opt := Options{Library: library, OpenValue: func(name string) ([]byte, error) {
		if text, ok := users[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}}
	program := map[string]string{"src/main.s": ".include \"lib/place.s\"", "my/far.inc": ".word 8\n"}
	for value, want := range map[string]uint64{
		"": 1, "left": 1, "right": 2, "my/up.s": 5, "./my//up.s": 5,
		"left.s": 9,
	} {
		opt.Params = map[string]string{"way": value}
		if value == "" {
			opt.Params = nil
		}
		words, _, err := includeWords(t, program, opt)
		require.NoError(t, err, value)
		require.Equal(t, []uint64{want}, words, value)
	}
	for value, want := range map[string]string{
		"my/bad.s": "my/bad.s:1:1", "none.s": "there is no file none.s", "a b.s": "there is no file a b.s",
		"a\nb.s": `cannot be "a\nb.s": expected left, right`,
		"up.txt": "expected left, right", "up": "expected left, right",
	} {
		opt.Params = map[string]string{"way": value}
		_, _, err := includeWords(t, program, opt)
		require.ErrorContains(t, err, want)
	}
	_, _, err := includeWords(t, map[string]string{"src/main.s": ".param n = 1, 0, 2\n.include n"}, Options{})
	require.ErrorContains(t, err, "expected a file name between double quotes", "a number names no file")
	_, _, err = includeWords(t, map[string]string{"src/main.s": ".param mode, on, off\n"},
		Options{Params: map[string]string{"mode": "my/up.s"}})
	require.ErrorContains(t, err, "expected on, off", "not every parameter takes a file")
}

// The object contains the file's name without its folder, and a run may give this name again.
func TestValueFileInAnObject(t *testing.T) {
	opt := textOptions(".param way, left, \"*.s\"\n.include way\n.start x\nx: nop!\n")
	opt.OpenValue = func(string) ([]byte, error) { return []byte(".word 7\n"), nil }
	for _, name := range []string{"two words.s", "it's, \"1\".s", "=1%#.s", "-x.s", "프로그램.s", "up-1.s"} {
		opt.Params = map[string]string{"way": "my/" + name}
		o, _, err := Assemble("x.s", opt)
		require.NoError(t, err)
		require.Equal(t, name, o.Chosen()["way"])
		read, err := Unmarshal(o.Marshal())
		require.NoError(t, err)
		require.Equal(t, o, read)
	}
	o, _, err := Assemble("x.s", opt)
	require.NoError(t, err)
	require.NoError(t, o.agree(map[string]string{"way": "up-1.s"}))
	require.ErrorContains(t, o.agree(map[string]string{"way": "left"}), "the object was assembled with way = up-1.s")
}

// Check reports words by their addresses; errors show how the words got into the program.
func TestCheck(t *testing.T) {
	opt := textOptions(".start x\n.macro two\n nop\n out! r1\n.endm\n.space 3\nx: two\n")
	opt.Check = func(o *Object, report func(addr uint32, message string)) {
		require.NotNil(t, o.Start)
		report(*o.Start+1, "not here")
		report(1, "nor here")
	}
	_, _, err := Assemble("x.s", opt)
	var wrong Errors
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "x.s:6:1: nor here", wrong.List[0].Error())
	require.Equal(t, "x.s:4:2: not here", wrong.List[1].Error())
	require.Equal(t, "two", wrong.List[1].Chain[0].Macro)
}

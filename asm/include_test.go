package asm

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// includeWords assembles a program of several files. It returns its words and the files that it was made of.
func includeWords(t *testing.T, files map[string]string, opt Options) ([]uint64, []string, error) {
	t.Helper()
	opt.Open = func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	o, _, err := Assemble("src/main.s", opt)
	if err != nil {
		return nil, nil, err
	}
	return o.Sections[0].Words, o.Files, nil
}

// The folder of the including file comes first, then the folders of Include in
// their order, then the library.
func TestIncludePrecedence(t *testing.T) {
	library := fstest.MapFS{
		"lib/x.s":   {Data: []byte(".include \"y.s\"\n.word 40\n")},
		"lib/y.s":   {Data: []byte(".word 41\n")},
		"lib/top.s": {Data: []byte(".include \"../other/z.s\"\n")},
		"other/z.s": {Data: []byte(".word 42\n")},
	}
	files := map[string]string{
		"src/main.s":  `.include "lib/x.s"`,
		"src/lib/x.s": ".word 10", "a/lib/x.s": ".word 20", "b/lib/x.s": ".word 30",
		"src/y.s": ".word 50", "lib/y.s": ".word 51", // next to the program, not next to the library's file
	}
	opt := Options{Include: []string{"a", "b"}, Library: library}
	for _, step := range []struct {
		without string
		words   []uint64
		files   []string
	}{
		{"src/lib/x.s", []uint64{10}, []string{"src/lib/x.s"}},
		{"a/lib/x.s", []uint64{20}, []string{"a/lib/x.s"}},
		{"b/lib/x.s", []uint64{30}, []string{"b/lib/x.s"}},
		{"", []uint64{41, 40}, []string{"<emsim>/lib/y.s", "<emsim>/lib/x.s"}},
	} {
		words, names, err := includeWords(t, files, opt)
		require.NoError(t, err)
		require.Equal(t, step.words, words)
		require.Equal(t, append(step.files, "src/main.s"), names, "a file without words is among them, as the last")
		delete(files, step.without)
	}
	files["src/main.s"], files["a/k.s"] = ".include \"k.s\"\n.word k", ".equ k, 7"
	words, names, err := includeWords(t, files, opt)
	require.NoError(t, err)
	require.Equal(t, []uint64{7}, words)
	require.Equal(t, []string{"src/main.s", "a/k.s"}, names, "one that only defines names is among them, too")
	files["src/main.s"] = `.include "lib/top.s"`
	words, _, err = includeWords(t, files, opt)
	require.NoError(t, err)
	require.Equal(t, []uint64{42}, words, "within the library .. leads to its other folders")
}

// In a macro, an included file is relative to the file that defines the macro.
func TestIncludeInMacro(t *testing.T) {
	files := map[string]string{
		"src/main.s": ".include \"lib/m.s\"\n fetch", "src/value.s": ".word 1",
	}
	library := fstest.MapFS{
		"lib/m.s":     {Data: []byte(".macro fetch\n.include \"value.s\"\n.endm\n")},
		"lib/value.s": {Data: []byte(".word 2\n")},
	}
	words, _, err := includeWords(t, files, Options{Library: library})
	require.NoError(t, err)
	require.Equal(t, []uint64{2}, words)
}

func TestIncludeErrors(t *testing.T) {
	library := fstest.MapFS{
		"lib/place.s": {Data: []byte(".word 1\n")},
		"lib/loop.s":  {Data: []byte(".include \"loop.s\"\n")},
		"lib/bad.s":   {Data: []byte("\x7fELF")},
	}
	for text, want := range map[string]string{
		`.include "place.s"`:                `cannot find the file "place.s"; searched: the folder of src/main.s, a (-I), the library of emsim; did you mean "lib/place.s"?`,
		`.include "lib/plaice.s"`:           `the library of emsim; did you mean "lib/place.s"?`,
		`.include "nothing-like-it.s"`:      `the library of emsim`,
		`.include "../../../lib/nowhere.s"`: `cannot find the file "../../../lib/nowhere.s"`,
		`.include "/lib/place.s"`:           `there is no file /lib/place.s`,
		`.include "lib/loop.s"`:             `<emsim>/lib/loop.s includes itself`,
		`.include "lib/bad.s"`:              `cannot read the included file: <emsim>/lib/bad.s is `,
	} {
		_, _, err := includeWords(t, map[string]string{"src/main.s": text},
			Options{Include: []string{"a"}, Library: library})
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "names another folder", "the user knows -I")
	}
	_, _, err := includeWords(t, map[string]string{"src/main.s": `.include "x.s"`}, Options{})
	require.ErrorContains(t, err, `searched: the folder of src/main.s; -I DIR names another folder`)
	require.NotContains(t, err.Error(), "library")
}

// The first file with the name is used, even if it cannot be read.
func TestIncludeStopsAtTheFirstFile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("lib/place.s", 0o777))
	require.NoError(t, os.WriteFile("main.s", []byte(`.include "lib/place.s"`), 0o666))
	_, _, err := Assemble("main.s", Options{Library: fstest.MapFS{"lib/place.s": {Data: []byte(".word 1\n")}}})
	require.ErrorContains(t, err, "cannot read the included file: lib/place.s is a directory")
}

func TestIncludeForAnObject(t *testing.T) {
	o, _, err := Assemble("x.s", textOptions(".start x\nx: out! r1\n"))
	require.NoError(t, err)
	_, err = Load("x.emo", Options{
		Include: []string{"a"},
		Open:    func(string) ([]byte, error) { return o.Marshal(), nil },
	})
	require.ErrorContains(t, err, "-I has no effect: x.emo is an object file")
	require.ErrorAs(t, err, new(*Usage))
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const goAgain = "write it again: go generate ."

// The notices contain every linked module, with its version and its licence from the module cache.
func TestNoticesAreCurrent(t *testing.T) {
	data, err := os.ReadFile("../../THIRD_PARTY_NOTICES.md")
	require.NoError(t, err)
	have := string(data)
	modules, err := linked()
	require.NoError(t, err)
	require.Greater(t, len(modules), 10)
	for _, m := range modules {
		require.True(t, strings.Contains(have, "| "+m.Path+" | "+m.Version+" | "),
			"THIRD_PARTY_NOTICES.md lacks %s %s, which is linked; %s", m.Path, m.Version, goAgain)
		texts, err := m.texts()
		require.NoError(t, err)
		for _, text := range texts {
			require.True(t, strings.Contains(have, "\n## "+m.Path+", "+text.name+"\n"),
				"%s of %s is missing; %s", text.name, m.Path, goAgain)
			require.True(t, strings.Contains(have, "~~~~text\n"+text.body+"~~~~\n"),
				"%s of %s has changed; %s", text.name, m.Path, goAgain)
		}
	}
	file := filepath.Join(t.TempDir(), "notices.md")
	var errs strings.Builder
	require.Zero(t, run([]string{file}, &errs), errs.String())
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), info.Mode().Perm(), "everybody may read it")
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), have), "THIRD_PARTY_NOTICES.md is stale; "+goAgain)
}

// The page contains Go's licence.
func TestLicenceOfGo(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	have, err := noticesPage()
	require.NoError(t, err)
	for _, name := range []string{"LICENSE", "PATENTS"} {
		require.Contains(t, have, "\n## Go, "+name+"\n")
		if body, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)),
			name)); err == nil { // some distributions omit it
			require.Contains(t, have, tidied(string(body)), "take Go's licence from another module than %s", goLicence)
		}
	}
}

// Every handwritten remark is about a linked module.
func TestHandwritten(t *testing.T) {
	modules, err := linked()
	require.NoError(t, err)
	paths := map[string]*module{}
	for _, m := range modules {
		paths[m.Path] = m
	}
	require.NotNil(t, paths[goLicence])
	for path := range remarks {
		require.NotNil(t, paths[path], "%s is not linked any more", path)
	}
	for path := range further {
		require.NotNil(t, paths[path], "%s is not linked any more", path)
	}
	for file := range passedOver {
		module, name, ok := strings.Cut(file, "/licenses/")
		require.True(t, ok)
		require.NotNil(t, paths[module], "%s is not linked any more", module)
		require.FileExists(t, filepath.Join(paths[module].Dir, "licenses", name))
	}
}

const (
	mit = "Permission is hereby granted, free of\r\ncharge, to any person\t\r\n\r\nTHE SOFTWARE IS PROVIDED " +
		"\"AS IS\"\r\n\r\n"
	gpl = "GNU GENERAL PUBLIC LICENSE\nVersion 2, June 1991\n"
)

// made returns a module with the given files, whose packages a and b/c are linked.
func made(t *testing.T, path string, files map[string]string) *module {
	t.Helper()
	m := &module{
		Path: path, Version: "v1.2.3", Dir: filepath.Join(t.TempDir(), "m@v1.2.3"),
		packages: map[string]bool{},
	}
	for _, dir := range []string{"a", "b/c"} {
		m.packages[filepath.Join(m.Dir, filepath.FromSlash(dir))] = true
		require.NoError(t, os.MkdirAll(filepath.Join(m.Dir, filepath.FromSlash(dir)), 0o755))
	}
	for name, body := range files {
		file := filepath.Join(m.Dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(body), 0o644))
	}
	return m
}

// The licences in the directories of the linked packages apply, and the licences in their parent directories.
func TestTexts(t *testing.T) {
	m := made(t, "example.org/m", map[string]string{
		"../LICENSE": "of nobody", "LICENSE": mit, "license.txt": "1", "Licence-of-data": "2", "COPYING": "3",
		"NOTICE.md": "4", "PATENTS": "5",
		"licenses/x": "6", "THIRD_PARTY_LICENSES/y": "7", "a/LICENSE": "8", "b/LICENSE": "9", "b/c/COPYING": "10",
		"other/LICENSE": "not linked", "LICENSES.go": "code", "a/notices": "other", "README": "more",
	})
	texts, err := m.texts()
	require.NoError(t, err)
	var got []string
	for _, text := range texts {
		got = append(got, text.name)
	}
	require.Equal(t, []string{
		"COPYING", "LICENSE", "Licence-of-data", "NOTICE.md", "PATENTS", "THIRD_PARTY_LICENSES/y", "a/LICENSE",
		"b/LICENSE", "b/c/COPYING",
		"license.txt", "licenses/x",
	}, got)
	require.Equal(t, "Permission is hereby granted, free of\ncharge, to any person\n\nTHE SOFTWARE IS "+
		"PROVIDED \"AS IS\"\n", texts[1].body)
	require.Equal(t, "10\n", texts[8].body)

	_, err = made(t, "example.org/m", map[string]string{"README": "free"}).texts()
	require.ErrorContains(t, err, "example.org/m v1.2.3 has no licence file")

	texts, err = made(t, "github.com/golang/freetype",
		map[string]string{"licenses/gpl.txt": gpl, "licenses/ftl.txt": "The FreeType Project LICENSE"}).texts()
	require.NoError(t, err)
	require.Len(t, texts, 1)
	require.Equal(t, "licenses/ftl.txt", texts[0].name)
}

// An unknown licence is an error.
func TestLicence(t *testing.T) {
	m := &module{Path: "example.org/m", Version: "v1.2.3"}
	name, err := m.licence([]text{
		{"LICENSE", mit},
		{"LICENSE-SIL", "SIL OPEN FONT LICENSE Version 1.1"},
		{"LICENSE.md", mit},
		{"PATENTS", "x"},
		{"LICENSE-link.txt", "x"},
		{"a/LICENSE", "x"},
	})
	require.NoError(t, err)
	require.Equal(t, "MIT, OFL-1.1", name)
	_, err = m.licence([]text{{"LICENSE", mit}, {"COPYING", gpl}})
	require.ErrorContains(t, err, "example.org/m v1.2.3: its file COPYING has not been read yet")
	for want, body := range map[string]string{
		"":             "Permission is hereby granted, free of charge, to anybody but you",
		"BSD-2-Clause": "Redistribution and use in source\nand binary forms",
		"BSD-3-Clause": "Redistribution and use in source and binary forms. Do not endorse or promote",
		"Apache-2.0":   "Apache License\nVersion 2.0, January 2004",
		"CC-BY-4.0":    "Creative Commons Attribution 4.0 International Public License",
		"FTL":          "The FreeType Project LICENSE",
	} {
		require.Equal(t, want, licenceKind(body))
	}
}

// The packages in the output of go list give the modules.
func TestCollect(t *testing.T) {
	all := map[string]*module{}
	require.NoError(t, collect(all, strings.NewReader(`
{"Dir": "/go/src/fmt"}
{"Dir": "/x/cmd", "Module": {"Path": "emsim", "Main": true}}
{"Dir": "/m/a", "Module": {"Path": "example.org/m", "Version": "v1.0.0", "Dir": "/m"}}
{"Dir": "/m/b", "Module": {"Path": "example.org/m", "Version": "v1.0.0", "Dir": "/m"}}
`)))
	require.Equal(t, map[string]*module{"example.org/m": {
		Path: "example.org/m", Version: "v1.0.0", Dir: "/m", packages: map[string]bool{"/m/a": true, "/m/b": true},
	}}, all)
	require.ErrorContains(t, collect(all,
		strings.NewReader(`{"Module": {"Path": "example.org/m", "Replace": {"Path": "../m"}}}`)),
		"example.org/m is replaced by ../m")
	require.ErrorContains(t, collect(all, strings.NewReader(`{"Dir": `)), "the output of go list: ")
}

// A wrong command line gives status 2, and a file that cannot be written gives status 1.
func TestRun(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}} {
		var errs strings.Builder
		require.Equal(t, 2, run(args, &errs))
		require.Equal(t, "usage: notices FILE (run it as: go generate .)\n", errs.String())
	}
	var errs strings.Builder
	require.Equal(t, 1, run([]string{filepath.Join(t.TempDir(), "no", "file")}, &errs))
	require.Contains(t, errs.String(), "no such file or directory")
	t.Setenv("PATH", "")
	errs.Reset()
	require.Equal(t, 1, run([]string{filepath.Join(t.TempDir(), "file")}, &errs))
	require.Contains(t, errs.String(), "go list of the module emsim: ")
}

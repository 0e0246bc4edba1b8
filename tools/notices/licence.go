package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A text is a module's licence file.
type text struct {
	name string // relative to the module
	body string
}

// legal matches the names of files that every copy must include.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// folders lists folders with licence files under other names.
var folders = []string{"THIRD_PARTY_LICENSES", "licenses"}

// passedOver maps licence files that do not apply here to the reasons.
var passedOver = map[string]string{
	"github.com/golang/freetype/licenses/gpl.txt": "the FreeType licence is chosen of the two that are offered",
}

// further lists files with licence texts that no pattern matches, by module.
var further = map[string][]string{
	"golang.org/x/image": {"font/gofont/ttfs/README"}, // its fonts, which go-latex links
}

// texts returns the licence files that apply to the linked packages of a module. They are in the packages' directories
// and in the parent directories up to the module's own.
func (m *module) texts() ([]text, error) {
	var files []string
	seen := map[string]bool{}
	for _, dir := range slices.Sorted(maps.Keys(m.packages)) {
		for ; !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			entries, err := os.ReadDir(dir)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				if !e.IsDir() && legal.MatchString(e.Name()) {
					files = append(files, filepath.Join(dir, e.Name()))
				}
			}
			if dir == m.Dir {
				break
			}
		}
	}
	for _, folder := range folders {
		more, err := filepath.Glob(filepath.Join(m.Dir, folder, "*"))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	for _, name := range further[m.Path] {
		files = append(files, filepath.Join(m.Dir, filepath.FromSlash(name)))
	}
	return m.readTexts(files)
}

// readTexts returns the contents of the files, sorted by name, without the files in passedOver.
func (m *module) readTexts(files []string) ([]text, error) {
	slices.Sort(files)
	var out []text
	for _, file := range files {
		name, err := filepath.Rel(m.Dir, file)
		if err != nil {
			return nil, err
		}
		name = filepath.ToSlash(name)
		if passedOver[m.Path+"/"+name] != "" {
			continue
		}
		body, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		out = append(out, text{name, tidied(string(body))})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s %s has no licence file: ask its authors, or do without it", m.Path, m.Version)
	}
	return out, nil
}

// tidied removes invisible differences: line ends of other systems and trailing blanks.
func tidied(body string) string {
	lines := strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}

// kinds lists the phrases by which licences are recognised. A text must have all phrases of a licence, and the first
// licence that fits counts.
var kinds = []struct {
	name    string
	phrases []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}},
	{"OFL-1.1", []string{"SIL OPEN FONT LICENSE Version 1.1"}},
	{"CC-BY-4.0", []string{"Creative Commons Attribution 4.0 International Public License"}},
	{"FTL", []string{"The FreeType Project LICENSE"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "endorse or promote"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	{"MIT", []string{"Permission is hereby granted, free of charge", "THE SOFTWARE IS PROVIDED \"AS IS\""}},
}

// licenceKind returns the SPDX name of a text's licence, or "".
func licenceKind(body string) string {
	body = strings.Join(strings.Fields(body), " ")
	for _, k := range kinds {
		if !slices.ContainsFunc(k.phrases, func(p string) bool { return !strings.Contains(body, p) }) {
			return k.name
		}
	}
	return ""
}

// licence returns the names of a module's licences. They come from the files in its own directory, except patent grants
// and svgo's link to its licence.
func (m *module) licence(texts []text) (string, error) {
	if m.Path == "github.com/golang/freetype" {
		return "FTL", nil // the file LICENSE only names the two choices
	}
	var names []string
	for _, t := range texts {
		if strings.Contains(t.name, "/") || t.name == "PATENTS" || t.name == "LICENSE-link.txt" {
			continue
		}
		name := licenceKind(t.body)
		if name == "" {
			return "", fmt.Errorf("%s %s: its file %s has not been read yet; if its licence allows what emsim does, "+
				"add it to kinds in tools/notices/licence.go", m.Path, m.Version, t.name)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", "), nil
}

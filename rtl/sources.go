package rtl

import (
	"embed"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed *.sv sim formal
var files embed.FS

// Sources maps the names of the SystemVerilog files, and of the simulation around them, to their texts.
type Sources map[string]string

// Embedded returns the project's own sources.
func Embedded() Sources {
	s, err := readSources(files)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return s
}

// readSources reads the sources of a folder.
func readSources(files fs.FS) (Sources, error) {
	s := Sources{}
	return s, fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".sv") && !strings.HasPrefix(path, "sim/") {
			return err
		}
		text, err := fs.ReadFile(files, path)
		s[path] = string(text)
		return err
	})
}

// SourcesEnv is an environment variable that names a folder with sources to test instead of the embedded ones.
const SourcesEnv = "EMSIM_RTL"

// benches is the folder with the test benches of the formal properties, which are not part of the chip.
const benches = "formal/"

// Modules returns the names of the SystemVerilog files except the benches, packages first.
func (s Sources) Modules() []string {
	var packages, modules []string
	for _, name := range s.names() {
		if strings.HasPrefix(name, benches) {
			continue
		}
		if strings.HasSuffix(name, "_pkg.sv") {
			packages = append(packages, name)
		} else if strings.HasSuffix(name, ".sv") {
			modules = append(modules, name)
		}
	}
	return append(packages, modules...)
}

func (s Sources) names() []string { return slices.Sorted(maps.Keys(s)) }

// Write writes all files into a folder.
func (s Sources) Write(dir string) error {
	for _, name := range s.names() {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(s[name]), 0o600); err != nil {
			return err
		}
	}
	return nil
}

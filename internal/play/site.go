package play

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"emsim"
	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
	"emsim/internal/play/engine"
)

//go:embed page/*
var page embed.FS

//go:embed lessons/*
var lessons embed.FS

// Site is the files of the page by their paths, which are relative to it.
type Site map[string][]byte

// NewSite puts the page together with an engine's files. It begins with a program;
// nil means one of its own choice.
func NewSite(engineFiles map[string][]byte, first *engine.Setup) (Site, error) {
	s := Site{"emsim.js": []byte(emsim.Syntax)}
	maps.Copy(s, engineFiles)
	for _, from := range []struct {
		files  embed.FS
		folder string
		to     string
	}{{page, "page", ""}, {lessons, "lessons", "lessons"}} {
		err := fs.WalkDir(from.files, from.folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := from.files.ReadFile(name)
			s[path.Join(from.to, strings.TrimPrefix(name, from.folder+"/"))] = text
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	bundle, err := unpack(s["codemirror-js.gz"])
	if err != nil {
		return nil, fmt.Errorf("page/codemirror-js.gz: %w", err)
	}
	delete(s, "codemirror-js.gz")
	s["codemirror.js"] = bundle
	delete(s, "codemirror-licences.txt")
	s["licences.txt"] = licences()
	if s["start.json"], err = json.Marshal(first); err != nil {
		return nil, err
	}
	return s, nil
}

// licences are emsim's own and those of what the page carries: in the engine Go and a
// reader of machine files, and CodeMirror.
func licences() []byte {
	text := emsim.Licence
	for part := range strings.SplitSeq(emsim.Notices, "\n~~~~\n") {
		if head, licence, _ := strings.Cut(part, "\n~~~~text\n"); carried.MatchString(head) {
			text += strings.Repeat("-", 72) + "\n" + strings.Join(carried.FindAllString(head, -1), "\n") + "\n\n" + licence + "\n"
		}
	}
	return []byte(text)
}

var carried = regexp.MustCompile(`(?m)^## (Go, .*|github.com/pelletier/go-toml.*|CodeMirror)$`)

// Export writes the site into a folder, which it makes if need be. It returns the
// number of bytes.
func (s Site) Export(dir string) (bytes int, err error) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return bytes, simerr.Usagef("--export: %w", err)
		}
		if err := wholefile.WriteFile(file, s[name], 0o666); err != nil {
			return bytes, simerr.Usagef("--export: %w", err)
		}
		bytes += len(s[name])
	}
	return bytes, nil
}

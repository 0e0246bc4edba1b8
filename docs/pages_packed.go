//go:build packed

package docs

import (
	"archive/zip"
	_ "embed"
	"io/fs"
	"strings"
)

// pages are the pages, compressed, as .ci/release packs them for a program of a release.
//
//go:embed pages.zip
var pages string

// Pages returns the pages of the documentation.
func Pages() (fs.FS, error) { return zip.NewReader(strings.NewReader(pages), int64(len(pages))) }

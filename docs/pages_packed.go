//go:build packed

package docs

import (
	"archive/zip"
	_ "embed"
	"io/fs"
	"strings"
)

// pages holds the pages as a zip file, as .ci/release packs them for a release.
//
//go:embed pages.zip
var pages string

// Pages returns the file system with the pages of the documentation.
func Pages() (fs.FS, error) { return zip.NewReader(strings.NewReader(pages), int64(len(pages))) }

//go:build !packed

package docs

import (
	"embed"
	"io/fs"
)

//go:embed *.md
var pages embed.FS

// Pages returns the file system with the pages of the documentation.
func Pages() (fs.FS, error) { return pages, nil }

package play

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
)

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

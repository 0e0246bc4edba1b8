//go:build slow

package main

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
)

// All pages, except most pages of source code, can be read on a phone, in both colour schemes, and do not scroll
// sideways.
func TestPhone(t *testing.T) {
	b := browser.Open(t, 390, 844, 3*time.Minute)
	b.Prefer(t, "prefers-reduced-motion", "reduce")
	for name := range pages(t) {
		if dir := path.Dir(name); dir != "." && dir != "docs" && dir != "commands" && !strings.HasPrefix(dir, "api") &&
			name != "emcr/exu.go.html" && name != "programs/fib.s.html" {
			continue
		}
		show(t, b, name)
		for _, theme := range []string{"light", "dark"} {
			b.Prefer(t, "prefers-color-scheme", theme)
			require.Empty(t, browser.Eval[[]string](t, b, "[..."+browser.Texts+".problems]"), "%s, %s", name, theme)
		}
		require.LessOrEqual(t, browser.Eval[int](t, b, "document.documentElement.scrollWidth"), 390, name)
	}
}

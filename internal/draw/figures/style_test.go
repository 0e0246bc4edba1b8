package figures

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
)

// keptDrawings were made once, by hand or with an earlier kit.
var keptDrawings = []string{"em4-packet", "em4-mlpe", "em4-prefetch", "em4-fallback", "em4-load", "machine"}

// Every picture of the documentation has a title with a number from the result, and below it a
// line on what is drawn. It has the page's font and follows the theme, and a map has a bar of
// colours. Texts stay inside, even in a wider font.
func TestEveryPicture(t *testing.T) {
	files, err := filepath.Glob("../../../docs/img/*.svg")
	require.NoError(t, err)
	require.Greater(t, len(files), 55)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".svg")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			svg := string(data)
			if name == "machine" || name == "own-motion" { // not of the kit
				return
			}
			require.Contains(t, svg, "font-family='"+fontStack+"'")
			require.Contains(t, svg, "@media(prefers-color-scheme:dark){svg{--")
			require.NotContains(t, svg, "Serif")
			s := readSketch(t, data)
			high := number64(t, svgHeight.FindStringSubmatch(svg)[1])
			wide := number64(t, regexp.MustCompile(`viewBox="0 0 (\S+) `).FindStringSubmatch(svg)[1])
			for _, w := range s.texts {
				if w.turned {
					continue
				}
				long := sansStyle(vg.Length(w.size), 0, 0).Width(w.text).Points()
				if name != "go-blocks" { // names of the program
					require.NotContains(t, w.text, "_", "names of columns are for files")
				}
				require.True(t, w.x > -2 && w.y > 0 && w.y < high, "%q leaves the picture", w.text)
				if !slices.Contains(keptDrawings, name) {
					require.Less(t, w.x+long-w.anchor*long*(1-1/spare), wide+4,
						"%q leaves the picture with a wider font", w.text)
				}
			}
			if slices.Contains(keptDrawings, name) || name == "go-blocks" { // its title is its program
				return
			}
			require.Equal(t, 13.0, s.texts[0].size, "the title: %q", s.texts[0].text)
			heading, about := "", ""
			for _, w := range s.texts {
				if w.size == 13 {
					heading += w.text + " "
				} else if w.size == 9.5 {
					about += w.text + " "
				}
			}
			require.Regexp(t, `\d`, heading, "a title says what came out")
			require.NotEmpty(t, about, "the second line")
			if strings.Contains(svg, "<image") {
				bar := strings.Count(svg, `stroke="#787878" class="s-c787878" stroke-width="0.4"`)
				require.Positive(t, bar, "a map has a bar of colours")
			}
		})
	}
}

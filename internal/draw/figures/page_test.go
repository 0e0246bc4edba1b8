package figures

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/FIGURES.md shows every figure with its command, and nothing else. A
// slow test of internal/command checks that the commands make the pictures.
func TestFiguresPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/FIGURES.md")
	require.NoError(t, err)
	shown := map[string]string{}
	for _, m := range regexp.MustCompile(`!\[([^\]]*)\]\(img/([\w-]+)\.svg\)`).FindAllStringSubmatch(string(page), -1) {
		shown[m[2]] = m[1]
	}
	for _, f := range OwnFigures() {
		name := "own-" + f.Name
		require.Equal(t, f.Title, shown[name])
		delete(shown, name)
		require.Regexp(t, `(?m)^    emsim plot `+f.Name+` fib 14 .* -o `+name+`\.svg$`, string(page))
		_, err := os.Stat("../../../docs/img/" + name + ".svg") // internal/command checks its content
		require.NoError(t, err)
	}
	for _, f := range MachineFigures() {
		name := "machine-" + f.Name
		require.Equal(t, f.Title, shown[name])
		delete(shown, name)
		require.Regexp(t, `(?m)^    emsim \w+ plot `+f.Name+` .*-o `+name+`\.svg$`, string(page))
		require.FileExists(t, "../../../docs/img/"+name+".svg")
	}
	// A test of internal/command redraws these.
	for _, name := range []string{"own-speedup", "own-motion", "own-knowledge", "machine-slow", "go-blocks"} {
		require.Contains(t, shown, name)
		delete(shown, name)
	}
	all := All()
	for _, f := range all {
		require.Equal(t, f.Title, shown[f.Name], "the text of the picture of %s", f.Name)
		require.Contains(t, string(page), "    emsim plot "+f.Name+" -o "+f.Name+".svg\n")
		_, err := os.Stat("../../../docs/img/" + f.Name + ".svg")
		require.NoError(t, err, "'emsim plot %s' makes it", f.Name)
	}
	require.Len(t, shown, len(all))
}

//go:build slow

package run

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/df"
)

// With plain 'go run' and package df, the policies choose the same places, for PEs of three machines.
func TestPoliciesAsPlainGo(t *testing.T) {
	dir := t.TempDir()
	writePolicies(t, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ask.s"), []byte(asker(40)), 0o666))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "emsim-df", "df"), df.Sources))
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("go.mod", "module x\n\ngo 1.24\n\nrequire emsim v0.0.0\n\nreplace emsim => ./emsim-df\n")
	write("emsim-df/go.mod", "module emsim\n\ngo 1.24\n")
	at := [][4]int{{12, 2, 2, 1}, {80, 4, 13, 0}, {80, 4, 15, 4}, {1024, 7, 77, 3}}
	for name, text := range inGo {
		write("plain/"+name+"/policy.go", "package main\n\nimport \"emsim/df\"\n\n"+text)
		write("plain/"+name+"/main.go", fmt.Sprintf(`package main

import (
	"fmt"

	"emsim/df"
)

func main() {
	pe := df.NewPE(&df.Facts{K: 0, Seed: 7})
	for _, at := range %#v {
		pe = df.NewPE(&df.Facts{K: int32(at[1]), Group: int32(at[2]), Column: int32(at[3]), Seed: 7})
		%s
		setup(pe)
		for i := range 40 {
			fmt.Print(choose(pe, 1+int32(i%%2)), " ")
		}
		fmt.Println()
	}
}
`, at, map[bool]string{true: "turn = 0"}[strings.Contains(text, ", turn")]))
		command := exec.Command("go", "run", "./plain/"+name)
		command.Dir = dir
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		lines := strings.Split(string(out), "\n")
		for i, a := range at {
			list, _ := words(t, &Spec{
				Program: filepath.Join(dir, "ask.s"),
				Args:    []string{fmt.Sprint((a[2]<<3 | a[3]) << 18)}, Params: map[string]string{"policy": name},
				Seed:    7,
				Machine: Machine{PEs: &a[0]},
			})
			var want []string
			for _, w := range list {
				want = append(want, fmt.Sprint(int32(w)))
			}
			require.Equal(t, want, strings.Fields(lines[i]), "%s on %v", name, a)
		}
	}
}

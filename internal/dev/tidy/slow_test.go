package tidy

import (
	"go/build/constraint"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// .ci/slow runs every test file that needs the tag slow.
func TestSlowIsReached(t *testing.T) {
	r, err := load(os.DirFS("../../.."))
	require.NoError(t, err)
	var want []string
	for _, s := range r.goFiles((*source).isTest) {
		if needsSlow(s) {
			want = append(want, s.path)
		}
	}
	require.NotEmpty(t, want)
	out, err := exec.Command("bash", "../../../.ci/slow", "--list").Output()
	require.NoError(t, err)
	require.ElementsMatch(t, want, strings.Fields(string(out)))
}

// needsSlow reports whether a file can be built only with the tag slow, whatever the other tags are.
func needsSlow(s *source) bool {
	for _, group := range s.code.Comments {
		for _, c := range group.List {
			if x, err := constraint.Parse(c.Text); err == nil && group.Pos() < s.code.Package {
				without := x.Eval(func(tag string) bool { return tag != "slow" })
				with := x.Eval(func(string) bool { return true })
				return with && !without
			}
		}
	}
	return false
}

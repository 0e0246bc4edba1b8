package command

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	flagWord    = regexp.MustCompile(`--[a-z][-a-z0-9]*[a-z0-9]`)
	commandPath = regexp.MustCompile(`emsim((?: [a-z]+)+)`)
)

// Every flag that the help of a command names exists: on that command, or on another whose path the help names.
func TestHelpNamesFlags(t *testing.T) {
	named := 0
	eachCommandOf(&app{}, func(path string, cmd *cobra.Command) {
		if strings.HasPrefix(path, "completion ") { // of other programs
			return
		}
		text := cmd.Long + "\n" + cmd.Example
		has := []*cobra.Command{cmd}
		for _, other := range commandPath.FindAllStringSubmatch(text, -1) {
			if c, _, err := cmd.Root().Find(strings.Fields(other[1])); err == nil {
				has = append(has, c)
			}
		}
		for _, flag := range flagWord.FindAllString(text, -1) {
			known := slices.ContainsFunc(has, func(c *cobra.Command) bool { return c.Flag(flag[2:]) != nil })
			assert.True(t, known || flag == "--help" || strings.Contains(text, "--sbatch-arg="+flag),
				"the help of '%s' names %s", path, flag)
			named++
		}
	})
	require.Greater(t, named, 100)
}

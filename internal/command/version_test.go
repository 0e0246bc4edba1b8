package command

import (
	"bytes"
	"encoding/json"
	"os"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/answer/terminal"
	"emsim/internal/machine/fingerprint"
)

func TestVersion(t *testing.T) {
	var out, errs bytes.Buffer
	require.Zero(t, command([]string{"version", "--json"}, nil, &out, &errs), errs.String())
	var b build
	require.NoError(t, json.Unmarshal(out.Bytes(), &b))
	require.Equal(t, fingerprint.Recorded, b.Fingerprint)
	require.Equal(t, Release, b.Version)
	for file, line := range map[string]string{
		"CITATION.cff": "\nversion: " + Release + "\n",
		"CHANGELOG.md": "\n## " + Release,
	} {
		text, err := os.ReadFile("../../" + file)
		require.NoError(t, err)
		require.Contains(t, string(text), line, file)
	}

	b.readSettings([]debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef"},
		{Key: "vcs.time", Value: "2026-11-23T08:00:00Z"},
		{Key: "vcs.modified", Value: "true"},
	})
	b.Go, b.OS, b.Arch = "go1.26", "plan9", "arm"
	out.Reset()
	terminal.Write(&out, b.said(), terminal.Layout{})
	require.Equal(t, "emsim "+Release+`
  revision: 0123456789ab with changes, 2026-11-23T08:00:00Z
  built with: go1.26 for plan9/arm
  fingerprint of the models: `+fingerprint.Recorded+`
`, out.String())
	require.Equal(t, "not recorded by this build", build{}.dated())
	require.Equal(t, "0123456789ab", build{Revision: "0123456789abcdef"}.dated())
}

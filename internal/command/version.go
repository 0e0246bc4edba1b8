package command

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"emsim/internal/machine/fingerprint"
)

// Release is the version of this source, released or next: the newest in CHANGELOG.md.
const Release = "0.1.0"

// build identifies this program; it is the JSON of 'emsim version'.
type build struct {
	Version     string `json:"version"`
	Revision    string `json:"revision"` // of the source; empty if the build did not record it
	Modified    bool   `json:"modified"` // the source had uncommitted changes
	Time        string `json:"time"`     // of the revision
	Go          string `json:"go"`
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	Fingerprint string `json:"fingerprint"` // of the models
}

// thisBuild returns the data that the Go compiler recorded about this program.
func thisBuild() build {
	b := build{
		Version: Release, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Fingerprint: fingerprint.Recorded,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.readSettings(info.Settings)
	}
	return b
}

func (b *build) readSettings(settings []debug.BuildSetting) {
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		case "vcs.time":
			b.Time = s.Value
		}
	}
}

// revision returns the revision in short form, or "" if unknown.
func (b build) revision() string {
	switch {
	case len(b.Revision) < 12:
		return ""
	case b.Modified:
		return b.Revision[:12] + " with changes"
	}
	return b.Revision[:12]
}

func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Annotations: aboutEmsim,
		Short: "Say which emsim this is, and whether it models what it should",
		Long: `version prints the version, the revision of the sources, Go and the system, and
the fingerprint of the models: a digest of what a few short runs do on every
machine, clock by clock. Two programs with the same fingerprint model alike. It
is measured by this command; if it is not the recorded one, this build is
broken, and the exit status is 1.`,
		Example: "  emsim version\n  emsim version --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := thisBuild()
			measured, err := fingerprint.Measure(cmd.Context())
			if err != nil {
				return err
			}
			b.Fingerprint = measured
			if err := a.answer(b, b.print); err != nil {
				return err
			}
			if measured != fingerprint.Recorded {
				fmt.Fprintf(a.err, "this build does not model what version %s does: its fingerprint is %s, the "+
					"recorded one %s\n", Release, measured, fingerprint.Recorded)
				return errCheckFailed
			}
			return nil
		},
	}
}

func (b build) print(w io.Writer) {
	revision := b.revision()
	if revision == "" {
		revision = "not recorded by this build"
	} else if b.Time != "" {
		revision += ", " + b.Time
	}
	fmt.Fprintf(w, "emsim        %s\nrevision     %s\nbuilt with   %s for %s/%s\nfingerprint  %s  of the models\n",
		b.Version, revision, b.Go, b.OS, b.Arch, b.Fingerprint)
}

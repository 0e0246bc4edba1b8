package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/machine/fingerprint"
)

// Release is the version of this source, released or next: the newest in CHANGELOG.md.
const Release = "0.1.0"

// build identifies this program.
type build struct {
	Version, Revision string
	Modified          bool
	Time              string
	Go, OS, Arch      string
	Fingerprint       string
}

// said returns the answer of 'emsim version'. The revision is "" if the build did not record it.
func (b build) said() *answer.Answer {
	x := &answer.Answer{Title: "emsim " + b.Version, Says: []string{
		"revision: " + b.dated(),
		fmt.Sprintf("built with: %s for %s/%s", b.Go, b.OS, b.Arch),
		"fingerprint of the models: " + b.Fingerprint,
	}}
	return x.SayAll("version", b.Version, "revision", b.Revision, "modified", b.Modified, "time", b.Time, "go", b.Go,
		"os", b.OS, "arch", b.Arch, "fingerprint", b.Fingerprint)
}

// thisBuild describes this program: its version, its fingerprint, and what the go command recorded about the build.
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
			if err := a.tell(b.said()); err != nil {
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

// dated returns the revision with its time, or says that it is unknown.
func (b build) dated() string {
	switch revision := b.revision(); {
	case revision == "":
		return "not recorded by this build"
	case b.Time == "":
		return revision
	default:
		return revision + ", " + b.Time
	}
}

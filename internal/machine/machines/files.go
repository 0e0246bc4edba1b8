package machines

import (
	"slices"

	"emsim/internal/base/input"
	"emsim/internal/machine/machinefile"
)

// A File is a file of a user's own that a machine takes.
type File struct {
	Flag string // of the command that runs the machine, without dashes
	Name string // of the file, as the user wrote it
	Path string // where it is
	Text []byte
}

// FileKind is what a machine does with such a file.
type FileKind struct {
	Flag    string
	Doc     string // help of the flag
	Want    input.Want
	Decides []string // knobs that the file leaves nothing to say

	use func(config any, f File) error // gives the file to a machine that lacks only this one and those behind it in the list
}

func textFile(what string, most int64, why string) input.Want {
	return input.Want{What: what, Kinds: []input.Kind{input.Text}, Most: most, Why: why}
}

// FileKinds lists the files that a machine takes; each may depend on those before
// it.
func FileKinds(machine string) []FileKind {
	if x := models[machine]; x != nil {
		return x.Files
	}
	return nil
}

// ReadFile reads the file of a flag.
func ReadFile(machine, flag, name string) ([]byte, error) {
	all := FileKinds(machine)
	return all[slices.IndexFunc(all, func(k FileKind) bool { return k.Flag == flag })].Want.Read(name)
}

// GiveFiles gives files to a machine whose knobs are set, and checks it as
// machinefile.Machine.Check does. The error is a *simerr.Usage.
func GiveFiles(m *machinefile.Machine, files []File) error {
	if err := m.CheckRanges(); err != nil {
		return err
	}
	for _, k := range FileKinds(m.Kind.Name) {
		for _, f := range files {
			if f.Flag != k.Flag {
				continue
			}
			if err := k.use(m.Config, f); err != nil {
				return err
			}
		}
	}
	return m.Validate()
}

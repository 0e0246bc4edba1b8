package command

import (
	"os"
	"path/filepath"

	"emsim/internal/machine/run"
	"emsim/internal/study/sweep"
)

// sweepVersion says which emsim this is.
func sweepVersion() sweep.Version {
	b := thisBuild()
	v := sweep.Version{Revision: b.revision(), Go: b.Go, System: b.OS + "/" + b.Arch}
	if name := executable(); name != "" {
		v.Executable, _ = sweep.SHA256File(name)
	}
	return v
}

// sweepStore is the directory of the results. The recipe names what the sweep reads.
func (a *app) sweepStore(f *sweepFlags, plan *sweep.Plan) *sweep.Store {
	for _, name := range plan.Reads() {
		a.made.reads(name, run.Relative(name, []string{filepath.Dir(plan.File)}))
	}
	return &sweep.Store{Dir: f.dir, Version: sweepVersion()}
}

// executable is the file that this process runs, even if it has been replaced
// or removed since, where the system can tell.
func executable() string {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self
	}
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	return name
}

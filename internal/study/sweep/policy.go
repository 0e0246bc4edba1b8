package sweep

import (
	"path/filepath"
	"slices"

	"emsim/internal/base/tomlfile"
	"emsim/programs"
)

// policyKey is the parameter whose value may be a file.
const policyKey = "policy"

// policy records the file of a policy and returns its path. The table has only the file's name without its folder, so
// this name must be unique.
func (r *reader) policy(path string, at tomlfile.Range) string {
	name := filepath.Base(path)
	if other, ok := r.policies[name]; ok && other != path {
		r.Failf(at, "two policies are called %s, %s and %s: rename one, because the table has only the name", name,
			other, path)
	}
	r.policies[name] = path
	return path
}

// addPolicies adds the policy files that were given to Load to the policies of a grid.
func (r *reader) addPolicies(g *grid) {
	axes := &g.axes[ofProgram]
	for _, file := range r.added {
		at := slices.IndexFunc(*axes, func(a axis) bool { return a.name == policyKey })
		if at < 0 {
			usual := setting{policyKey, programs.Policies()[0], g.at}
			at, *axes = len(*axes), append(*axes, axis{policyKey, g.at, []setting{usual}})
		}
		s := setting{policyKey, r.policy(file, g.at), g.at}
		if !slices.ContainsFunc((*axes)[at].values, func(x setting) bool { return x.value == s.value }) {
			(*axes)[at].values = append((*axes)[at].values, s)
		}
	}
}

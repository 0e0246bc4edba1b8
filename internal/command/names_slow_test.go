//go:build slow && unix

package command

import "testing"

// All names in all lines, and in Slurm.
func TestEveryName(t *testing.T) {
	for _, name := range strangeNames {
		t.Run(name, func(t *testing.T) { everyNamed(t, name) })
		t.Run("Slurm "+name, func(t *testing.T) { namedInSlurm(t, name) })
	}
}

//go:build slow && unix

package command

import "testing"

// TestAnyName with all names and all lines, and with Slurm.
func TestEveryName(t *testing.T) {
	for _, name := range strangeNames {
		t.Run(name, func(t *testing.T) { everyNamed(t, name) })
		t.Run("Slurm "+name, func(t *testing.T) { namedInSlurm(t, name) })
	}
}

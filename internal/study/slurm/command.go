package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"emsim/internal/base/simerr"
)

// missing is one of Slurm's commands that this computer does not have.
type missing string

func (m missing) Error() string {
	return string(m) + ", a command of Slurm, is not on this computer"
}

// findCommands looks for commands in the PATH.
func findCommands(commands ...string) error {
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			return missing(c)
		}
	}
	return nil
}

// Ready reports whether this computer can submit.
func Ready() error {
	if err := findCommands("sbatch", "squeue", "scancel"); err != nil {
		return simerr.Usagef("%w: submit from one where sbatch works, usually a login node. Without Slurm, start the shares yourself with --share (docs/SWEEP.md)", err)
	}
	return nil
}

// runCommand runs one of Slurm's commands. No shell sees the arguments.
func runCommand(ctx context.Context, input, command string, args ...string) (string, error) {
	if err := findCommands(command); err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, command, args...)
	var out, errs bytes.Buffer
	c.WaitDelay = time.Second // what it started may outlive it
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &errs
	err := c.Run()
	switch said := strings.TrimSpace(errs.String()); {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case said != "":
		return "", errors.New(said)
	}
	return "", fmt.Errorf("%s: %w", command, err)
}

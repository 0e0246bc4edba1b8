package main

import (
	"os"

	"emsim/internal/wholefile"
)

// output is a file that a command line asks for.
type output struct {
	flag string // as the user writes it
	name string // "" when the file is not wanted
	over string // what is read and may be replaced all the same
}

// claim refuses, before any work is done, files that cannot be written, that
// are one and the same, or that would replace what the command reads.
func claim(outputs []output, reads ...string) error {
	for i, o := range outputs {
		if o.name == "" {
			continue
		}
		for _, other := range outputs[:i] {
			if wholefile.Same(o.name, other.name) {
				return usagef("%s and %s want different files", other.flag, o.flag)
			}
		}
		for _, in := range reads {
			if in != o.over && replaces(o.name, in) {
				return usagef("%s would replace the file %s, which this command reads: choose another name", o.flag, o.name)
			}
		}
		if err := wholefile.Probe(o.name); err != nil {
			return usagef("%s: %w", o.flag, err)
		}
	}
	return nil
}

// spare refuses outputs that would replace a file that a program includes,
// which is known when it has been read.
func spare(outputs []output, files []string) error {
	for _, o := range outputs {
		for _, in := range files {
			if o.name != "" && in != o.over && replaces(o.name, in) {
				return usagef("%s would replace the file %s, which the program includes: choose another name", o.flag, o.name)
			}
		}
	}
	return nil
}

// replaces reports whether an output would take the place of a file that is
// there.
func replaces(out, in string) bool {
	_, err := os.Stat(in)
	return err == nil && wholefile.Same(out, in)
}

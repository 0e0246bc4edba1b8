// Package machinefile reads and writes machines as TOML files, each of the
// five kinds from its own table of knobs.
//
//	kind.go    the five kinds of machines, each with its table; the EM-4 machines that have a name
//	read.go    a file, checked: every unknown key, wrong type and wrong range with its place
//	choose.go  a machine from a file and --set, and as an annotated file
//
// A file is a flat list of "key = value" lines, one for each knob. The key
// machine says which kind of machine it is; a file without it has the kind
// that the command runs. Knobs left out have their defaults.
package machinefile

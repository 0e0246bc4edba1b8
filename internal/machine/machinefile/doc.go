// Package machinefile reads and writes machines of each kind as TOML files. Each kind has its own table of knobs.
//
//	kind.go    the kinds of machines, each with its table; the named EM-4 machines
//	read.go    a file and its errors: every unknown key, wrong type and wrong range with its place
//	choose.go  a machine from a file and --set; a machine as an annotated file
//
// A file is a flat list of "key = value" lines, one for each knob. The key machine names the kind of machine; a file
// without it has the kind that the command runs. Missing knobs have their defaults.
package machinefile

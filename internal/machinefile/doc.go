// Package machinefile reads and writes EM-4 machines as TOML files.
//
//	preset.go  the machines that have a name
//	read.go    a file, checked: every unknown key, wrong type and wrong range with its place
//	write.go   a machine as an annotated file that reads back as the same machine
//
// A file is a flat list of "key = value" lines, one for each field of
// em4.Config; em4.Knobs documents them. Keys left out have the prototype's
// value.
package machinefile

//go:build !unix

package command

func errorsNotSignals() {}

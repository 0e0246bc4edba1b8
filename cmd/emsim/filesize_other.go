//go:build !unix

package main

func errorsNotSignals() {}

// Package study measures what paper 004 reports, and more. Commands, claims
// and figures take their numbers from here.
//
//	case.go        the ten machines
//	costs.go       the cost table; the reference hypothesis of 1/4 and 1/3
//	calibrate.go   the coefficients of the cost function, from the packet model
//	patterns.go    the networks of the contention patterns
//	runtime.go     run times; cost and port load as predictors of them
//	noise.go       table 1: run times that scatter
//	invariants.go  random runs against the sequential oracle
//	exits.go       where the cells leave the banyan
//	stats.go       mean, standard deviation, correlation
package study

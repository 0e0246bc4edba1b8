//go:build !slow

package command

// everyNthFlag says that TestEveryFlagIsUsed tries one flag in 23: a prime, so that the commands of several machines
// try different flags. With -tags slow it tries all.
const everyNthFlag = 23

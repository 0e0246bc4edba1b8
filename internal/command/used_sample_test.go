//go:build !slow

package command

// everyNthFlag is the share of the flags that TestEveryFlagIsUsed tries: a prime, so that the
// commands of several machines have different ones. With -tags slow it tries all.
const everyNthFlag = 23

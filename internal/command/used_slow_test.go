//go:build slow

package command

const everyNthFlag = 1

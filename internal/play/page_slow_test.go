//go:build slow

package play

// slowToo says that the slow tests of the page run as well.
const slowToo = true

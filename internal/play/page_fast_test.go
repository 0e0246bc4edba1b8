//go:build !slow

package play

// thorough says which tests of the page run.
const thorough = false

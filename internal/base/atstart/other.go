//go:build !(cgo && unix)

package atstart

// Known says whether this executable looks: not without a C compiler.
const Known = false

// OutputClosed reports false.
func OutputClosed() bool { return false }

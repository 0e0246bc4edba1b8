//go:build cgo && unix

// Package closedout knows whether the process was started with a closed standard
// output, as by '>&-' in a shell. Go puts /dev/null in its place before any Go code
// runs, and others open that in the same way on purpose: so C has to look earlier.
package closedout

// #include <fcntl.h>
//
// static int closed;
//
// __attribute__((constructor)) static void look(void) { closed = fcntl(1, F_GETFD) == -1; }
//
// static int was_closed(void) { return closed; }
import "C"

// Known says whether this executable can tell.
const Known = true

// Closed reports whether standard output was closed.
func Closed() bool { return C.was_closed() != 0 }

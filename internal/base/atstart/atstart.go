//go:build cgo && unix

// Package atstart looks at the process in C, before any Go code runs. Afterwards it
// is too late: Go puts /dev/null in place of a closed standard output, and ends in a
// dump of its stacks if it may not reserve the address space that it begins with.
package atstart

/*
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// The address space that Go takes before and while it runs nothing [measured: from
// 1.4 GB on it starts, with up to 16 cores].
#define LEAST (1600UL << 20)

static int closed;

__attribute__((constructor)) static void look(void) {
	struct rlimit as;
	closed = fcntl(1, F_GETFD) == -1;
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 1); // otherwise every thread reserves 64 MB for what C allocates
#endif
	if (getrlimit(RLIMIT_AS, &as) == 0 && as.rlim_cur < LEAST) {
		fprintf(stderr, "emsim: it needs %lu MiB of address space to start, %lu MiB are available (limit of the process, as of 'ulimit -v')\n",
			LEAST >> 20, (unsigned long)(as.rlim_cur >> 20));
		_exit(1);
	}
}

static int was_closed(void) { return closed; }
*/
import "C"

// Known says whether this executable looks.
const Known = true

// OutputClosed reports whether standard output was closed, as by '>&-' in a shell.
func OutputClosed() bool { return C.was_closed() != 0 }

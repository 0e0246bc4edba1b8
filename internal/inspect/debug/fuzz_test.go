package debug

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
)

// For any input the debugger gives an answer or an error, and continues to work. A motion can be ended at any time.
func FuzzCommands(f *testing.F) {
	for _, s := range []string{
		"step 5; units; back 2", "until got1; registers; x @fp 4", "break send on [0,1]; continue",
		"watch load [1,2]; c", "goto 300; tree all depth 3",
		"until +100000000000000000000", "x 0xffffffffff 99999999999 [9,9]", "list nosuch -5", "pe [0", "delete 1 2 x",
		"loads segments extra", "units units",
		"break", "watch r99", "# only a comment", ";;;", "queues 1 0", "segments [0,0] -1", "callers 11",
		"finish 3; network", "help help",
		"break got1 if r1 == 3 on [2,*] times 2; c", "until if load > 2 && !([fp+2] | -1 ^ 0x7fffffff)",
		"break packet data if data = 3", "watch memory 0x30001 read on *.1; c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		b := newBench(t, spec("fib", "4"))
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		var wrong *simerr.Usage
		if err := b.Do(ctx, line); err != nil && !errors.As(err, &wrong) && !interrupt.Ended(err) {
			t.Fatalf("%q: %T: %v", line, err, err)
		}
		if wrong != nil && wrong.Error() == "" {
			t.Fatalf("%q: an error without words", line)
		}
		if b.out.Len() > 1<<22 {
			t.Fatalf("%q: an answer of %d bytes", line, b.out.Len())
		}
		b.out = new(bytes.Buffer)
		b.quit = false
		b.do("where")
	})
}

package command

import (
	"compress/gzip"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"emsim/internal/base/wholefile"
	"emsim/internal/machine/run"
	"emsim/packet"
	"emsim/trace/sink"
)

// traceFile is the file of -o, compressed if its name says so, or standard
// output. Its first error ends the run, as the rest would be lost.
type traceFile struct {
	counting
	to   io.Writer       // counting, or zip before it
	zip  io.WriteCloser  // nil if not compressed
	file *wholefile.File // nil for standard output
}

func createTrace(name string, stdout io.Writer, stop func()) (*traceFile, error) {
	t := &traceFile{counting: counting{w: stdout, failed: stop}}
	t.to = &t.counting
	if name == "" {
		return t, nil
	}
	file, err := wholefile.Create(name)
	if err != nil {
		return nil, usagef("-o: %w", err)
	}
	t.file, t.w = file, file
	switch _, ending := sink.Plain(name); ending {
	case ".gz":
		t.zip = gzip.NewWriter(&t.counting)
	case ".zst":
		t.zip, _ = zstd.NewWriter(&t.counting, zstd.WithEncoderConcurrency(1)) // an error is only of wrong options
	default:
		return t, nil
	}
	t.to = t.zip
	return t, nil
}

// close finishes the file: its contents so far replace an older file, unless
// a write failed.
func (t *traceFile) close() error {
	if t.zip != nil {
		_ = t.zip.Close() // Commit reports every error
	}
	if t.file == nil {
		return t.err
	}
	if err := t.file.Commit(); err != nil {
		return usagef("-o: %w", err)
	}
	return nil
}

// discard drops the file: an older one of its name stays.
func (t *traceFile) discard() {
	if t.file != nil {
		t.file.Abort()
	}
}

// counting counts the bytes that pass through it.
type counting struct {
	w      io.Writer
	bytes  int64
	err    error
	failed func() // called on an error
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.bytes += int64(n)
	if err != nil {
		c.err = err
		c.failed()
	}
	return n, err
}

// peItem is one item of --pe: [GA,CA], GA.CA, a number or a range of numbers.
var peItem = regexp.MustCompile(`^(?:\[(\d+),(\d+)\]|(\d+)\.(\d+)|(\d+)(?:-(\d+))?)(?:[, ]+|$)`)

// readPEs reads the PEs of --pe; if there are none it returns all.
func readPEs(list string, t *run.Target) ([]int, error) {
	chosen := map[int]bool{}
	for rest := strings.TrimSpace(list); rest != ""; {
		m := peItem.FindStringSubmatch(rest)
		if m == nil {
			return nil, usagef("--pe: %q is not a list of PEs: expected [GA,CA], GA.CA, a number or a range of numbers, separated by commas", rest)
		}
		item := strings.TrimRight(m[0], ", ")
		rest = rest[len(m[0]):]
		number := func(i int) int {
			n, err := strconv.Atoi(m[i])
			if err != nil {
				return -1 // absent or too large
			}
			return n
		}
		from, to := number(5), number(6)
		if m[6] == "" {
			to = from
		}
		if m[5] == "" {
			g, c := max(number(1), number(3)), max(number(2), number(4))
			if g < 0 || c < 0 || g >= t.Net.Groups || c >= t.Net.Members {
				return nil, usagef("--pe %s: the machine has groups 0..%d with members 0..%d", item, t.Net.Groups-1, t.Net.Members-1)
			}
			from = t.Net.Index(packet.PE{GA: uint16(g), CA: uint8(c)})
			to = from
		}
		if from < 0 || to < from || to >= t.Config().PEs {
			return nil, usagef("--pe %s: the machine's PEs have the numbers 0..%d", item, t.Config().PEs-1)
		}
		for i := from; i <= to; i++ {
			chosen[i] = true
		}
	}
	var pes []int
	for i := range t.Config().PEs {
		if len(chosen) == 0 || chosen[i] {
			pes = append(pes, i)
		}
	}
	return pes, nil
}

package main

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"emsim/packet"
	"emsim/session"
)

// traceFile is the file of -o, compressed when its name says so.
type traceFile struct {
	io.Writer
	closers []io.Closer // innermost first
	bytes   int64
}

func createTrace(name string, stdout io.Writer) (*traceFile, error) {
	t := &traceFile{Writer: stdout}
	if name == "" {
		return t, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, usagef("cannot write the file of -o: %w", err)
	}
	t.Writer, t.closers = &counting{file, &t.bytes}, []io.Closer{file}
	if strings.HasSuffix(strings.ToLower(name), ".gz") {
		z := gzip.NewWriter(t.Writer)
		t.Writer, t.closers = z, []io.Closer{z, file}
	}
	return t, nil
}

func (t *traceFile) close() error {
	var all error
	for _, c := range t.closers {
		all = errors.Join(all, c.Close())
	}
	return all
}

// counting counts the bytes that it passes on.
type counting struct {
	w io.Writer
	n *int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	*c.n += int64(n)
	return n, err
}

// peItem is one item of --pe: [GA,CA], GA.CA, a number or a range of numbers.
var peItem = regexp.MustCompile(`^(?:\[(\d+),(\d+)\]|(\d+)\.(\d+)|(\d+)(?:-(\d+))?)(?:[, ]+|$)`)

// readPEs reads the PEs of --pe; without them it returns all.
func readPEs(list string, t *session.Target) ([]int, error) {
	chosen := map[int]bool{}
	for rest := strings.TrimSpace(list); rest != ""; {
		m := peItem.FindStringSubmatch(rest)
		if m == nil {
			return nil, usagef("--pe: %q is no list of PEs: expected [GA,CA], GA.CA, a number or a range of numbers, separated by commas", rest)
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
		if from < 0 || to < from || to >= t.PEs {
			return nil, usagef("--pe %s: the machine's PEs have the numbers 0..%d", item, t.PEs-1)
		}
		for i := from; i <= to; i++ {
			chosen[i] = true
		}
	}
	var pes []int
	for i := range t.PEs {
		if len(chosen) == 0 || chosen[i] {
			pes = append(pes, i)
		}
	}
	return pes, nil
}

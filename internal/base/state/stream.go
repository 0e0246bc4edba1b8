package state

import (
	"errors"
	"io"
)

// streamChunk is how many bytes of a stream a codec holds.
const streamChunk = 1 << 16

// stream connects a codec to a file, so that it need not hold the whole state. The memories of a large machine take
// gigabytes.
type stream struct {
	out     io.Writer
	in      io.Reader
	rest    int    // unread bytes of in
	readBuf []byte // buffer for reading
}

// Writer returns a codec that saves to w. Finish it with Flush.
func Writer(w io.Writer) *Codec { return &Codec{stream: stream{out: w}} }

// Reader returns a codec that restores from r, which holds size bytes.
func Reader(r io.Reader, size int) *Codec {
	return &Codec{loading: true, stream: stream{in: r, rest: size}}
}

// Flush writes the bytes that a Writer's codec still holds, and returns the first write error.
func (c *Codec) Flush() error {
	c.drain()
	return c.err
}

func (c *Codec) drain() {
	if c.err == nil {
		_, c.err = c.out.Write(c.buf)
	}
	c.buf = c.buf[:0]
}

// fillBuffer reads until n bytes are available, and reports whether they are.
func (c *Codec) fillBuffer(n int) bool {
	if c.err != nil || c.BytesLeft() < n {
		c.endsEarly()
		return false
	}
	if c.readBuf == nil {
		c.readBuf = make([]byte, streamChunk)
	}
	held := copy(c.readBuf, c.buf)
	next := c.readBuf[:min(streamChunk, held+c.rest)]
	got, err := io.ReadFull(c.in, next[held:])
	c.buf, c.rest = next[:held+got], c.rest-got
	if err == nil {
		return true
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = ErrTruncated
	}
	c.err = err
	return false
}

// endsEarly makes a restore fail because its bytes end too early.
func (c *Codec) endsEarly() {
	if c.err == nil {
		c.err = ErrTruncated
	}
	c.buf, c.rest = nil, 0
}

package rtl

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os/exec"

	"emsim/omega"
)

// These are the commands of sim/pipe.h.
const (
	cmdRun       = 'R'
	cmdDump      = 'D'
	cmdHost      = 'H'
	cmdHostWords = 'W'
)

// chips is a running simulation of verilated chips.
type chips struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	to     *bufio.Writer
	from   *bufio.Reader
	errors *limited
	count  int // number of chips
	err    error
}

// startChips starts a simulation. The caller must then send its first words.
func startChips(ctx context.Context, count int, exe string) (*chips, error) {
	c := &chips{cmd: exec.CommandContext(ctx, exe), count: count, errors: &limited{}}
	c.cmd.Stderr = c.errors
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.to, c.from = in, bufio.NewWriterSize(in, 1<<16), bufio.NewReaderSize(out, 1<<16)
	return c, c.cmd.Start()
}

// close ends the simulation.
func (c *chips) close() {
	c.in.Close()
	c.cmd.Wait() // the program ends when its input ends
}

// sendNumbers sends numbers, each with the width of its type. It keeps the first error.
func (c *chips) sendNumbers(values ...any) {
	for _, v := range values {
		if c.err == nil {
			c.check(binary.Write(c.to, binary.LittleEndian, v))
		}
	}
}

// receive receives a number, or all numbers of a slice.
func (c *chips) receive(v any) {
	if c.err == nil {
		c.check(c.to.Flush())
	}
	if c.err == nil {
		c.check(binary.Read(c.from, binary.LittleEndian, v))
	}
}

// check keeps an error of a pipe to the simulation, together with the error output of the simulation.
func (c *chips) check(err error) {
	if err != nil {
		c.close() // now the error output is complete
		c.err = fmt.Errorf("the simulation of the chips has ended: %w %s", err, c.errors.text)
	}
}

// runClocks simulates clocks, and returns the digest after each clock.
func (c *chips) runClocks(clocks int) []uint64 {
	digests := make([]uint64, clocks)
	c.sendNumbers(uint8(cmdRun), uint32(clocks))
	c.receive(digests)
	return digests
}

// dumpProbes returns the probes of all chips.
func (c *chips) dumpProbes(words int) []Probe {
	all := make([]uint64, c.count*words)
	c.sendNumbers(uint8(cmdDump))
	c.receive(all)
	probes := make([]Probe, c.count)
	for i := range probes {
		copy(probes[i][:], all[i*words:(i+1)*words])
	}
	return probes
}

// hostPacket gives the host one more packet to send.
func (c *chips) hostPacket(address, data uint64) { c.sendNumbers(uint8(cmdHost), address, data) }

// hostWords returns the words that the host has received.
func (c *chips) hostWords() []omega.HostWord {
	var n uint32
	c.sendNumbers(uint8(cmdHostWords))
	c.receive(&n)
	words := make([]omega.HostWord, n)
	c.receive(words)
	return words
}

// limited keeps the beginning of a program's error output.
type limited struct{ text string }

func (l *limited) Write(b []byte) (int, error) {
	if left := 2000 - len(l.text); left > 0 {
		l.text += string(b[:min(left, len(b))])
	}
	return len(b), nil
}

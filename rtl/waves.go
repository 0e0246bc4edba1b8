package rtl

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
)

// Waves simulates the run on both machines and writes the registers of one PE
// as a value change dump: those of the model and those of the chip side by side,
// and for each register a signal that is 1 while they differ. One unit of time
// is a clock. exe is a WavesTarget that Build has made; it writes all signals
// inside the chip to the file named chip.
func (r *Run) Waves(ctx context.Context, exe string, pe int, w io.Writer, chip string) (clocks uint64, err error) {
	m, err := newModel(r)
	if err != nil {
		return 0, err
	}
	if pe < 0 || pe >= m.Net.N {
		return 0, fmt.Errorf("there is no PE %d in a machine of %d", pe, m.Net.N)
	}
	c, err := m.connect(ctx, exe, fmt.Sprint(pe), chip)
	if err != nil {
		return 0, err
	}
	defer c.close()
	dump := newDump(w)
	var probes []Probe // of the model, clock by clock
	m.seen = func(all []Probe) { probes = append(probes, all[pe]) }
	err = m.drive(ctx, 0, func(x message) bool {
		if x.args {
			_, err = r.follow(c, m, x)
			return err == nil
		}
		for i := range x.digests {
			c.runClocks(1)
			clocks++
			dump.clock(clocks, &probes[i], &c.dumpProbes(totalWords)[pe])
		}
		probes = probes[:0]
		return c.err == nil
	})
	return clocks, cmp.Or(err, c.err, dump.w.Flush())
}

// dump writes changes of registers.
type dump struct {
	w    *bufio.Writer
	last map[string]uint64
}

// The three signals of a register.
var sides = [...]string{"model", "chip", "differs"}

func newDump(w io.Writer) *dump {
	d := &dump{w: bufio.NewWriter(w), last: map[string]uint64{}}
	fmt.Fprint(d.w, "$timescale 1 ns $end\n")
	for s, side := range sides {
		fmt.Fprintf(d.w, "$scope module %s $end\n", side)
		for i, f := range fields {
			width := f.width
			if s == 2 {
				width = 1
			}
			fmt.Fprintf(d.w, "$var reg %d %s %s $end\n", width, signal(s, i), strings.NewReplacer(" ", "_", "(", "", ")", "").Replace(f.name))
		}
		fmt.Fprint(d.w, "$upscope $end\n")
	}
	fmt.Fprint(d.w, "$enddefinitions $end\n")
	return d
}

// signal is the identifier of a register's signal.
func signal(side, field int) string { return fmt.Sprintf("%c%d", 'a'+side, field) }

// clock writes what has changed.
func (d *dump) clock(t uint64, model, chip *Probe) {
	fmt.Fprintf(d.w, "#%d\n", t)
	for i, f := range fields {
		mask := ^uint64(0) >> (64 - f.width)
		a, b := model[f.word]>>f.low&mask, chip[f.word]>>f.low&mask
		for s, v := range [...]uint64{a, b, boolBit(a != b)} {
			name := signal(s, i)
			if old, known := d.last[name]; !known || old != v {
				d.last[name] = v
				fmt.Fprintf(d.w, "b%b %s\n", v, name)
			}
		}
	}
}

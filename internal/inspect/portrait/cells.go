package portrait

// Timeline holds the states of every PE over the run as cells of Per clocks, two bits each. Per is 1 except in long
// runs. A cell of several clocks has one of their states, chosen so that the shares over several cells are as close to
// the true shares as possible.
type Timeline struct {
	Per   uint64   // clocks in a cell
	Cells int      // number of cells of a PE; the last one may have fewer clocks
	Bits  [][]byte // by PE: four cells in a byte, the first in the lowest two bits

	pes []dither
}

// dither chooses the states of a PE's cells by error diffusion.
type dither struct {
	owed [States]int64 // clocks in each state that no cell has shown yet
	in   uint64        // clocks in the current cell
	cell int
}

func (t *Timeline) init(pes int, clocks, most uint64) {
	t.Per = max(1, round((clocks*uint64(pes)+most-1)/most))
	t.Cells = int((clocks + t.Per - 1) / t.Per)
	t.Bits, t.pes = make([][]byte, pes), make([]dither, pes)
	for i := range t.Bits {
		t.Bits[i] = make([]byte, (t.Cells+3)/4)
	}
}

// addClocks adds clocks of a PE in one state.
func (t *Timeline) addClocks(pe uint32, state uint8, clocks uint64) {
	d := &t.pes[pe]
	for clocks > 0 {
		n := min(clocks, t.Per-d.in)
		d.owed[state] += int64(n)
		d.in += n
		clocks -= n
		if d.in == t.Per {
			t.endCell(pe)
		}
	}
}

// endCell ends the current cell of a PE: it gets the state with the most clocks owed.
func (t *Timeline) endCell(pe uint32) {
	d := &t.pes[pe]
	most := 0
	for s := range d.owed {
		if d.owed[s] > d.owed[most] {
			most = s
		}
	}
	d.owed[most] -= int64(d.in)
	t.Bits[pe][d.cell/4] |= byte(most) << (d.cell % 4 * 2)
	d.cell++
	d.in = 0
}

// finish ends the last cells.
func (t *Timeline) finish() {
	for pe := range t.pes {
		if t.pes[pe].in > 0 {
			t.endCell(uint32(pe))
		}
	}
}

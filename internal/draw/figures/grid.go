package figures

import (
	"math"

	"emsim/omega"
)

// grid has the places of PEs and links, as in figure 1 of paper 003: groups are rows, members
// columns, and the first column is repeated at the right, where the links of the last one end.
// The page of emsim play has the same places, and a test compares the two. Lengths are in the
// unit of newGrid's size; y counts downward.
type grid struct {
	omega.Topology
	rows, wide     float64 // groups in a block, and its width
	left, top      float64
	pitchX, pitchY float64
	box, tall      float64 // of a PE
}

// ghostPitch is the distance of the repeated column from the last column, as a part of pitchX [chosen].
const ghostPitch = 0.66

// newGrid lays out a machine in a size. More than 16 groups may be cut into 2, 4, 8 ... blocks side
// by side, if more blocks make the PEs more than a quarter larger.
func newGrid(t omega.Topology, w, h float64) grid {
	const bottom, top = 8, 26
	var best grid
	worth := 0.0
	most := 1
	if t.Groups > 16 {
		most = t.Groups
	}
	for blocks := 1; blocks <= most; blocks *= 2 {
		rows, wide, left := float64(t.Groups/blocks), w/float64(blocks), 10.0
		if blocks < 3 {
			left = []float64{40, 34}[blocks-1]
		}
		right, again := 4.0, 0.1
		if blocks < 3 {
			right, again = 10, 0.36
		}
		pitchX := (wide - left - right) / (float64(t.Members-1) + ghostPitch + again)
		pitchY, box := (h-top-bottom)/rows, min(float64(pitchX*0.5), 230)
		limit := 44.0
		if rows <= 4 {
			limit = 78
		}
		share := 0.5
		if box < 22 {
			share = 0.8
		}
		tall := min(float64(pitchY*0.72), float64(box*share), limit)
		this := min(box, float64(2*tall))
		if best.rows > 0 && this <= 1.25*worth {
			continue
		}
		worth = this
		best = grid{t, rows, wide, left, top, pitchX, min(pitchY, max(float64(tall*2.6), 14)), box, tall}
	}
	return best
}

// point is a place in a grid.
type point struct{ x, y float64 }

// corner returns the upper left corner of a PE.
func (g grid) corner(i int) point {
	group, member := i/g.Members, i%g.Members
	block, row := math.Floor(float64(group)/g.rows), math.Mod(float64(group), g.rows)
	return point{
		float64(block*g.wide) + g.left + float64(float64(member)*g.pitchX),
		g.top + float64(row*g.pitchY) + (g.pitchY-g.tall)/2,
	}
}

// again returns the x of the repeated first PE of a row, whose last PE is i.
func (g grid) again(i int) float64 { return g.corner(i).x + float64(g.pitchX*ghostPitch) }

// next returns the PE to which the link from an output leads.
func (g grid) next(i, port int) int { return g.Index(g.Next(g.Address(i), port)) }

// link returns the four points of the curve from an output of a PE to the next PE.
func (g grid) link(i, port int) [4]point {
	from, to := g.corner(i), g.corner(g.next(i, port))
	high := float64(g.tall * []float64{0.32, 0.68}[port])
	x1, x2 := from.x+g.box, to.x
	if i%g.Members == g.Members-1 {
		x2 = g.again(i)
	}
	bend := float64((x2 - x1) * 0.45)
	return [4]point{{x1, from.y + high}, {x1 + bend, from.y + high}, {x2 - bend, to.y + high}, {x2, to.y + high}}
}

// waiting returns the place of the n-th packet that waits before input in of PE i, or in the PE (omega.Own). size is
// half the size of a packet.
func (g grid) waiting(i, in, n int, size float64) point {
	at := g.corner(i)
	if in == omega.Own {
		return point{at.x + g.box - float64(size*0.2), at.y + g.tall/2}
	}
	high := float64(g.tall * []float64{0.32, 0.68}[in])
	return point{at.x - float64(size*1.1) - float64(1.7*float64(float64(n)*size)), at.y + high}
}

// along returns the point of a Bézier curve at its parameter t, 0 to 1.
func along(c [4]point, t float64) point {
	s := 1 - t
	a, b, d, e := float64(s*s*s), float64(3*s*s*t), float64(3*s*t*t), float64(t*t*t)
	sum := func(w, x, y, z float64) float64 { return float64(a*w) + float64(b*x) + float64(d*y) + float64(e*z) }
	return point{sum(c[0].x, c[1].x, c[2].x, c[3].x), sum(c[0].y, c[1].y, c[2].y, c[3].y)}
}

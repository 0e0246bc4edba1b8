package rhinet

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// scripted returns the cluster described by "run key=value ...".
func scripted(t *testing.T, g golden.Case) Config {
	c := Default()
	c.Nodes, c.SOR.Rows, c.Every = 8, 160, 30
	c.Host.RowCost *= 50 // few rows, but as much work as the paper's 8192
	for _, a := range g.Args {
		n, _ := strconv.Atoi(a.Value)
		switch a.Key {
		case "net":
			c.Network = Network(a.Value)
		case "alg":
			c.Policy = Policy(a.Value)
		case "load":
			c.Load = Load(a.Value)
		case "app":
			c.Application = Application(a.Value)
		case "nodes":
			c.Nodes = n
		case "group":
			c.Group = n
		case "rows":
			c.SOR.Rows = n
		case "every":
			c.Every = n
		case "exchange":
			c.SOR.Exchange = n
		case "gapfrom":
			c.Host.GapFrom = n
		case "move":
			c.Host.MoveEvery = time.Duration(n) * time.Millisecond
		case "seed":
			c.Seed = uint64(n)
		default:
			t.Fatalf("%s: what is %s?", g.Place, a.Key)
		}
	}
	c.Heat = HeatParams{Rows: c.SOR.Rows, Columns: 3000, Steps: 95, Courant: 0.2, RowCost: c.Host.RowCost / 2}
	return c
}

// Whole runs match their records to the tick: the use of rank 0's time, the end of every rank, and the rows after the
// first phases and the last.
func TestRuns(t *testing.T) {
	golden.Script(t, "runs.txt", func(g golden.Case) string {
		c := scripted(t, g)
		r, err := Run(context.Background(), c)
		if err != nil {
			return err.Error()
		}
		var b strings.Builder
		n := r.Ranks[0]
		fmt.Fprintf(&b, "%d loops, %d packets, a header waited up to %d ticks; rank 0: calc %d, balancing %d, "+
			"waiting %d, finish %d\n", r.Iterations, r.Packets, r.HeaderWait, n.Calc, n.LB, n.Wait, n.Finish)
		b.WriteString("finish:")
		for _, n := range r.Ranks {
			fmt.Fprintf(&b, " %d", n.Finish)
		}
		for i, e := range r.Epochs {
			if i < 4 || i == len(r.Epochs)-1 {
				fmt.Fprintf(&b, "\nafter loop %d: rows %s from %s on", e.Loop, strings.Trim(fmt.Sprint(e.Rows), "[]"),
					strings.Trim(fmt.Sprint(e.First), "[]"))
			}
		}
		return b.String()
	})
}

// The ranks have the recorded operations: the trees of the collectives, the reports of a balancing phase with their
// senders and receivers, and the numbers of bytes.
func TestPrograms(t *testing.T) {
	golden.Script(t, "programs.txt", func(g golden.Case) string {
		c := scripted(t, g)
		s, err := newSim(c)
		require.NoError(t, err)
		var b strings.Builder
		for i := range s.ranks {
			r := &s.ranks[i]
			switch g.Cmd {
			case "allreduce":
				r.allreduce()
			case "exchange":
				r.exchange(&s.cfg)
			case "loop":
				s.app.beginLoop(s, r)
			case "phase":
				s.balance(r)
			case "second-phase":
				s.balance(r)
				r.ops = nil
				s.balance(r)
			}
			fmt.Fprintf(&b, "%2d:", i)
			for _, o := range r.ops {
				b.WriteString(" " + opText(o))
			}
			b.WriteString("\n")
		}
		return b.String()
	})
}

// opText formats an operation: ">3 block 160" sends 160 bytes to rank 3.
func opText(o op) string {
	about := [...]string{"change", "block", "edge", "rows", "loads", "split", "end"}[o.what]
	switch o.kind {
	case opSend:
		text := fmt.Sprintf(">%d %s", o.peer, about)
		if o.what == loads {
			text += fmt.Sprintf("(%d+%d)", o.first, o.count)
		}
		return fmt.Sprintf("%s %d,", text, o.bytes)
	case opRecv:
		return fmt.Sprintf("<%d %s,", o.peer, about)
	case opBurn:
		return fmt.Sprintf("burn %d,", o.ticks)
	}
	return [...]string{
		"compute", "", "probe", "", "", "test", "publish", "phase", "decide", "adopt", "resume",
		"done",
	}[o.kind] + ","
}

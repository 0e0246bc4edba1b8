package pdes

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A packet of each kind holds a port for the right time. An LP's packet takes one clock for two bytes, rounded up,
// and never less than a control packet.
func TestPacketLengths(t *testing.T) {
	timing := Timing{Cell: 300, Null: 75, Credit: 17, Control: 19}
	for kind := range foreign {
		want := map[Kind]int64{Cell: 300, Null: 75, Credit: 17}[kind]
		if want == 0 {
			want = 19
		}
		require.Equal(t, want, timing.length(&message{kind: kind}), kind)
	}
	for bytes, want := range map[int64]int64{0: 19, 38: 19, 39: 20, 40: 20, 41: 21, 1000: 500} {
		require.Equal(t, want, timing.length(&message{kind: State, bytes: bytes}), "%d bytes", bytes)
	}
}

// An LP in transit counts 64 bytes, and 16 for every cell and message it holds.
func TestBytesOfAnLP(t *testing.T) {
	m := banyan.Default(1)
	m.Load, m.Queue = 1, 0
	p := newProcess(banyanProgram(&m), 0, 8)
	p.in = make([]input, 2)
	require.EqualValues(t, 64, p.bytes())
	for range 20 {
		p.Take(nil, make([]banyan.Slot, 2))
	}
	queued := int64(p.Queued())
	require.Positive(t, queued)
	require.Equal(t, 64+16*queued, p.bytes())
	for i := range 5 {
		p.in[i%2].Push(banyan.Slot{})
	}
	p.in[1].PopOldest()
	require.Equal(t, 64+16*(queued+4), p.bytes())
}

// migrating returns a machine in the middle of a migration, with every PP stopped.
func migrating(t *testing.T) *Machine {
	m, err := New(config(t, network.HXB, "4x4", 3, 100))
	require.NoError(t, err)
	m.stopAll(&m.pps[0])
	for i := range m.pps {
		m.pps[i].mover.stopped = true
		m.pps[i].out, m.pps[i].work = nil, 0
	}
	return m
}

// The minimiser gets the same traffic by channel and work by LP whatever the order of the reports, and each kernel
// restarts its counts after its report.
func TestCountsAreSorted(t *testing.T) {
	m := migrating(t)
	m.cfg.Migrate = &Migration{Weights: mapping.Reference()}
	for i := range m.pps {
		for _, lp := range m.pps[i].hosted {
			q := m.pps[i].procs[lp]
			q.used = int64(100 + lp)
			for k := range q.out {
				q.out[k].traffic, q.out[k].packets = int64(10*lp)+int64(k), 4
			}
		}
	}
	var all body
	for i := range m.pps {
		b := m.traffic(&m.pps[i])
		all.traffic, all.work = append(all.traffic, b.traffic...), append(all.work, b.work...)
	}
	want := m.problem(&all)
	require.Len(t, want.Graph.Edges, 16)
	require.Equal(t, mapping.Edge{From: 5, To: m.program.channels[11].to, Traffic: 51}, want.Graph.Edges[11])
	load := want.WorkOf(mapping.Conventional(12, 16))
	require.InDelta(t, 100+2*(400+100), load[0], 1e-9,
		"its slots; four packets sent on each output, and a credit received")
	require.InDelta(t, 105+2*(400+100)+2*(400+100), load[5], 1e-9)
	slices.Reverse(all.traffic)
	slices.Reverse(all.work)
	require.Equal(t, want, m.problem(&all))
	for _, b := range []*body{m.traffic(&m.pps[0]), m.traffic(&m.pps[5])} {
		require.Zero(t, b.work[0].clocks)
		require.Zero(t, b.traffic[0].traffic+b.traffic[0].packets)
	}
}

// LPs leave in the order of the NOTIFY, each after the time to write its bytes, and are stored in the order of their
// numbers.
func TestLPsMoveInOrder(t *testing.T) {
	m := migrating(t)
	from, to := &m.pps[4], &m.pps[13]
	for _, lp := range []int32{9, 5, 7} { // first put them all on PP 4
		q := newProcess(m.program, int(lp), 8)
		q.in[0].Push(banyan.Slot{})
		m.takeIn(from, &message{kind: State, lp: lp, bytes: q.bytes(), body: &body{state: q}})
		require.NoError(t, m.err)
	}
	require.Equal(t, []int32{4, 5, 7, 9}, from.hosted)
	require.EqualValues(t, 3*2*80, from.work, "two clocks a byte")
	require.EqualValues(t, 3, m.migration.report.EarlyStates)

	from.work, from.mover.received = 0, 0
	m.sendAway(from, []move{{7, 13}, {4, 3}, {9, 13}}, 0)
	require.NoError(t, m.err)
	require.Equal(t, []int32{5}, from.hosted)
	require.EqualValues(t, (80+64+80)*2, from.work)
	require.EqualValues(t, 80+64+80, m.migration.report.StateBytes)
	var sent []message
	for _, out := range from.out {
		out.body = nil
		sent = append(sent, out)
	}
	require.Equal(t, []message{
		{kind: State, to: 13, lp: 7, bytes: 80},
		{kind: State, to: 3, lp: 4, bytes: 64},
		{kind: State, to: 13, lp: 9, bytes: 80},
		{kind: Moved, to: 0},
	}, sent, "and MOVED last")
	require.Nil(t, from.procs[7])

	// The receiving PP reports only after both LPs have arrived and it has been notified of them.
	m.takeIn(to, &from.out[2])
	m.sendAway(to, nil, 2)
	require.Empty(t, to.out)
	m.takeIn(to, &from.out[0])
	require.Equal(t, []message{{kind: Moved, to: 0}}, to.out)
	require.Equal(t, []int32{7, 9}, to.hosted)
}

// READY needs the STOP and a FLUSH from every PP except PP 0 and itself;
// START needs an ACK and a READY from every other PP.
func TestWhoWaitsForWhom(t *testing.T) {
	m := migrating(t)
	p := &m.pps[5]
	for range 13 {
		m.control(p, &message{kind: Flush})
	}
	require.Empty(t, p.out)
	m.control(p, &message{kind: Flush})
	require.Equal(t, []message{{kind: Ready, to: 0}}, p.out)
	require.Zero(t, m.migration.report.EarlyFlushes)

	late := &m.pps[6]
	late.mover.stopped = false
	for range 14 {
		m.control(late, &message{kind: Flush})
	}
	require.Empty(t, late.out)
	require.EqualValues(t, 14, m.migration.report.EarlyFlushes)
	m.control(late, &message{kind: Stop})
	require.Len(t, late.out, 16, "ACK, 14 FLUSHes and READY")
	require.Equal(t, []Kind{Ack, Flush}, []Kind{late.out[0].kind, late.out[1].kind})
	require.Equal(t, message{kind: Ready, to: 0}, late.out[15])

	zero := &m.pps[0]
	for range 15 {
		m.control(zero, &message{kind: Ack})
	}
	for range 14 {
		m.control(zero, &message{kind: Ready})
	}
	require.Empty(t, zero.out)
	m.control(zero, &message{kind: Ready})
	require.Len(t, zero.out, 15)
	require.Equal(t, Start, zero.out[0].kind)
}

// One migration takes this course, clock by clock.
func TestCourseOfAMigration(t *testing.T) {
	cfg := config(t, network.Torus, "4x4", 3, 300)
	cfg.Migrate = &Migration{
		At: 50_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	r := run(t, cfg)
	agree(t, cfg, r)
	m := *r.Migrations[0]
	m.PPs = nil
	require.InDelta(t, 1982.2, m.After, 1e-9)
	m.After = 0
	require.Equal(t, Report{
		Triggered: 50_084, Quiet: 56_330, Decided: 59_602, Arrived: 66_538, Ended: 68_748,
		Moves: 8, Swaps: 6, Evaluations: 198, Before: 5283, StateBytes: 1056,
	}, m)
	require.EqualValues(t, 227_736, r.Clocks)
}

// With Apart, each STOP leaves when PP 0 has sent it, and not when it has sent the last one. The result of the
// simulation stays the same.
func TestApart(t *testing.T) {
	var stops, pauses [2][]int64
	var hashes [2]uint64
	for k, apart := range []bool{false, true} {
		c := config(t, network.HXB, "4x4", 3, 100)
		c.Timing.Apart = apart
		c.Migrate = &Migration{
			At: 20_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
			Objective: mapping.ByCost,
		}
		record := &Record{}
		r, err := RunWatched(t.Context(), c, Watch{Record: record})
		require.NoError(t, err)
		m := r.Migrations[0]
		for _, s := range record.Spans {
			if s.Doing == "stop" && s.Peer == 0 {
				stops[k] = append(stops[k], s.Sent-m.Triggered)
			}
		}
		slices.Sort(stops[k])
		pauses[k], hashes[k] = append(pauses[k], m.Clocks()), r.Hash
	}
	require.Equal(t, slices.Repeat([]int64{1500}, 15), stops[0])
	for i := range 15 {
		require.EqualValues(t, 100*(i+1), stops[1][i])
	}
	require.Less(t, pauses[1][0], pauses[0][0])
	require.Equal(t, hashes[0], hashes[1])
}

package omega

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
	"emsim/internal/dev/damage"
)

// damage prints the results of restoring and checking every change in the state of units that hold packets.
func (b *bench) damage(clocks int, out *strings.Builder) {
	b.run(clocks, func() {})
	require.NoError(b.t, b.n.Check(b.clock))
	c := state.Saver(nil)
	b.n.State(c)
	var names damage.Names
	for i := range b.n.N {
		b.names(&names, i)
	}
	names.Add("host words")
	for range b.n.HostWords() {
		names.Add("host clock")
		names.Omit(1)
	}
	for i, name := range names {
		if len(b.words) > 0 &&
			!slices.ContainsFunc(b.words, func(w string) bool { return strings.HasSuffix(name, w) }) {
			names[i] = ""
		}
	}
	near := []uint64{b.clock, b.clock + b.n.bankClocks, b.clock + b.n.hopClocks, b.clock + portClocks, uint64(b.n.N)}
	from := b.clock
	out.WriteString(damage.Table(c.Bytes(), names, near, func(saved []byte) error {
		n := &bench{t: b.t, cfg: b.cfg, clock: from}
		n.cfg.Banks = b.banks
		n.build(b.n.N)
		l := state.Loader(saved)
		n.n.State(l)
		if l.Err() == nil && l.BytesLeft() > 0 {
			return fmt.Errorf("%d words are left over", l.BytesLeft()/8)
		}
		if l.Err() != nil {
			return l.Err()
		}
		if err := n.n.Check(from); err != nil {
			return err
		}
		n.run(40, func() {}) // a state that is accepted must do no harm
		return nil
	}))
}

// names adds the names of the words in each unit and its pins. Units that hold no packet are left out, except the
// first.
func (b *bench) names(names *damage.Names, i int) {
	su, pins := &b.n.su[i], &b.n.pins[i]
	var n damage.Names
	n.Add("full", "at[0]")
	n.Omit(slots - 2)
	n.Add("at[5]", "out[0]")
	n.Omit(slots - 2)
	n.Add("out[5]")
	for s := range slots {
		if su.full>>s&1 == 1 {
			n.Packet(fmt.Sprintf("bank %d", s))
		}
	}
	n.Add("last[0]", "last[1]")
	for _, of := range []string{"winner", "out free", "in free"} {
		n.Add(of + "[0]")
		n.Omit(1)
		n.Add(of + "[2]")
	}
	n.Fields(su.Counters, nil)
	n.Add("at the EXU")
	if pins.OutFull {
		n.Packet("packet at the EXU")
		n.Omit(1) // checked by the PE
	}
	n.Add("at the input buffer")
	if pins.InFull {
		n.Packet("packet at the input buffer")
	}
	n.Add("taken", "in ready")
	n.Omit(1) // the load is not checked
	if i > 0 && su.full == 0 && !pins.OutFull && !pins.InFull {
		names.Omit(len(n))
		return
	}
	for _, name := range n {
		if name != "" {
			name = b.n.Address(i).String() + " " + name
		}
		*names = append(*names, name)
	}
}

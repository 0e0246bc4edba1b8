package em4_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
)

// leakProgram makes an instance of the template t, which answers but does not release its segment. The line that is
// filled in does something with the instance's continuation r3.
const leakProgram = `
	.start go
	.init init
init:	nop!
go:	getseg r3, t
	send.1 r1, r3, @t.answer
%s
	.template t
.answer: out! r1
.sum:	add r1, r1, r2
	nop!
.drop:	relseg! fp
.keep:	.space 1
	.endtemplate
	.template u
	nop!
	.endtemplate
v:	.space 1
`

// A segment counts as leaked only if the program cannot reach it at all.
func TestLeaks(t *testing.T) {
	one := packet.PE{}
	for name, x := range map[string]struct {
		code string
		want []string // the results of Leak.String
		pes  []packet.PE
	}{
		"forgotten": {
			"\tnop!",
			[]string{"1 of template code address 0x%x on PE [0,0]"},
			[]packet.PE{one},
		},
		"released":      {"\tsend.1! r3, r3, @t.drop", nil, nil},
		"prefetched":    {"\twrs! mlpe, r3", nil, nil},
		"in a variable": {"\tst! r3, r0, v", nil, nil},
		"with a node":   {"\tcont.l r3, r3, @t.sum\n\tst! r3, r0, v", nil, nil},
		"as an address": {"\tand r3, r3, 0x1ffff\n\tmov r4, 1\n\tshl r4, r4, 17\n\tor r3, r3, " +
			"r4\n\tst! r3, r0, v", nil, nil},
		"in a structure":             {"\tmov r4, 3\n\tgetstr r4, r4\n\tst! r3, r4, 2", nil, nil},
		"in a segment that is known": {"\tgetseg r4, u\n\tst r3, r4, 5\n\tst! r4, r0, v", nil, nil},
		"in a segment that is not": {
			"\tgetseg r4, u\n\tst! r3, r4, 5",
			[]string{"1 of template code address 0x%x on PE [0,0]", "1 of template code address 0x%x on PE [0,0]"},
			[]packet.PE{one},
		},
		"two that know each other": {
			"\tgetseg r4, t\n\tst r3, r4, @t.keep\n\tst! r4, r3, @t.keep",
			[]string{"2 of template code address 0x%x on PE [0,0]"},
			[]packet.PE{one},
		},
		"where an operand is waiting": {
			"\tsend.l! r1, r3, @t.sum",
			[]string{"1 of template code address 0x%x on PE [0,0], with 1 operand whose partner never came"},
			[]packet.PE{one},
		},
		"a number that only looks so": {
			"\tmov r4, -1\n\tst! r4, r0, v",
			[]string{"1 of template code address 0x%x on PE [0,0]"},
			[]packet.PE{one},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := boot(t, machine(12), source(t, fmt.Sprintf(leakProgram, x.code)))
			_, err := run(m, 0)
			require.NoError(t, err)
			list := m.Leaks()
			require.Len(t, list, len(x.want))
			for i := range list {
				require.Equal(t, fmt.Sprintf(x.want[i], list[i].Template.Code), list[i].String())
				require.Equal(t, x.pes, list[i].PEs)
				require.Zero(t, list[i].MorePEs)
			}
		})
	}
}

// If many PEs leak, the first of them are listed. A continuation may be kept anywhere in the machine.
func TestLeaksOfManyPEs(t *testing.T) {
	const program = `
	.start go
	.init init
init:	getseg r3, t
	getseg r4, t
	getseg r5, u
	rds r6, pe
	beq r6, r0, .first
	nop!
.first:	st! r5, r0, v
go:	out! r1
	.template t
	nop!
	.endtemplate
	.template u
	nop!
	.endtemplate
v:	.space 1
`
	m := boot(t, machine(32), source(t, program))
	_, err := run(m, 0)
	require.NoError(t, err)
	list := m.Leaks()
	n := m.Config().PEs
	require.Len(t, list, 2)
	require.Equal(t, []int{2 * n, n - 1}, []int{list[0].Segments, list[1].Segments})
	require.Equal(t, n, len(list[0].PEs)+list[0].MorePEs)
	require.Equal(t, n-1, len(list[1].PEs)+list[1].MorePEs)
	require.Equal(t, packet.PE{}, list[0].PEs[0])
	require.Equal(t, packet.PE{CA: 1}, list[1].PEs[0])
	require.Contains(t, list[0].String(), fmt.Sprintf("on PEs [0,0], [0,1], [0,2], [0,3] and %d more", n-4))
	four := list[0]
	four.PEs, four.MorePEs = four.PEs[:4], 0
	require.NotContains(t, four.String(), "more")
}

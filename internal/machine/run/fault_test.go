package run

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/simerr"
)

const pairProgram = `	.arg n, 0, 100, go
	.arg m, 0, 100, second
held:	.space 1
go:	st! r1, r0, held
second:	getseg r3, pair
	send.l r1, r3, @pair.sum
	mov r5, 30
.wait:	sub r5, r5, 1
	bne r5, r0, .wait
`

const pairTemplate = `	.template pair
.sum:	add r1, r1, r2
	out! r1
.drop:	relseg! fp
.stop:	nop!
	.endtemplate
`

// A fault names the packet that caused it, the packet's destination and sender, or the contents of the operand
// segments.
func TestFaultsNameTheirPacket(t *testing.T) {
	for name, x := range map[string]struct {
		program string
		args    []string
		says    string // after the first line
	}{
		"a second operand": {
			pairProgram + "again:\tsend.l! r1, r3, @pair.sum\n" + pairTemplate,
			[]string{"1", "2"},
			"\n  the packet is for node pair.sum of template pair (p.s:12)\n  PE [0,0] sent it at again (p.s:10)",
		},
		"from another PE": {
			".start go\ngo: getseg r3, pair\n\tld r4, r0, far\n\trds r5, gapos\n\tshl r4, r4, r5\n\tsend.d! " +
				"r3, r4, there\n" +
				"there:\tsend.l r1, r1, @pair.sum\n\tsend.l! r1, r1, @pair.sum\nfar:\t.word 1\n" + pairTemplate, nil,
			"\n  the packet is for node pair.sum of template pair (p.s:11)\n  PE [1,0] sent it at there+1 (p.s:8)",
		},
		"a segment that is not in use": {
			".start go\ngo: getseg r3, pair\n\trelseg r3\n\tsend.r! r1, r3, @pair.sum\n" + pairTemplate, nil,
			"\n  PE [0,0] sent it at go+2 (p.s:4)",
		},
		"no instruction": {
			".arg n, 0, 9, data\n.arg m, 0, 9, data\n.nocheck\ndata: .word 1\n",
			[]string{"4", "5"},
			"\n  the packet is for data (p.s:4)\n  the host sent it: the argument n",
		},
		"the start packet": {
			".start data\n.nocheck\ndata: .word 1\n", nil,
			"\n  the packet is for data (p.s:3)\n  the host sent it",
		},
		"a block that runs on": { // no packet led to this instruction
			".start go\n.nocheck\ngo: nop\n\t.word 1\n", nil, "the wrong node?",
		},
		"waiting operands": {
			pairProgram + "\tsend.1! r1, r3, @pair.drop\n" + pairTemplate,
			[]string{"1", "2"},
			"\n  an operand waits at pair.sum (p.s:12)",
		},
		"no free segment": {
			".start go\ngo: getseg r3, pair\n\tgetseg r3, one\n\tgetseg r3, one\n\tjmp .end\n.end:\tgetseg r3, " +
				"pair\n\tjmp .end\n.template one\nnop!\n.endtemplate\n" + pairTemplate, nil,
			"\n  2 segments belong to instances of one (p.s:8)\n  894 segments belong to instances of pair " +
				"(p.s:11)\n  full: 1 of 12 PEs, [0,0]; segments free on the others: 9856",
		},
	} {
		t.Run(name, func(t *testing.T) {
			target, err := spec(written(t, x.program), x.args...).Build(t.Context())
			require.NoError(t, err)
			s := New(target, Plan{Runs: 1})
			require.NoError(t, s.Begin())
			saved, clocks := [][]byte{}, []uint64{}
			for err == nil && len(saved) < 300 {
				saved, clocks = append(saved, s.Snapshot()), append(clocks, s.Clock())
				err = s.Advance(t.Context(), s.Current.Clock()+10)
			}
			var fault *emcr.Fault
			require.ErrorAs(t, err, &fault)
			require.Regexp(t, `^PE \[\d+,0\], clock \d+[^\n]*`+regexp.QuoteMeta(x.says)+"$", err.Error())
			for i := range min(len(saved), 20) {
				if clocks[i] >= fault.Clock {
					break
				}
				again, e := s.Fork(saved[i])
				require.NoError(t, e)
				require.EqualError(t, again.Advance(t.Context(), em4.ToEnd), err.Error(), "after a checkpoint")
			}
		})
	}
}

// The JSON error of a fault has these keys.
func TestFaultKeys(t *testing.T) {
	keys := func(program string, args ...string) string {
		target, err := spec(written(t, program), args...).Build(t.Context())
		require.NoError(t, err)
		s := New(target, Plan{Runs: 1})
		require.NoError(t, s.Begin())
		d := simerr.Details(s.Advance(t.Context(), em4.ToEnd))
		delete(d, "clock")
		text, err := json.Marshal(d)
		require.NoError(t, err)
		return string(text)
	}
	require.JSONEq(t, `{"pe": [0,0], "packet": {"address": 196609, "match": "left", "data": 2, "sender": [0,0],
		"node": {"code": 9, "name": "pair.sum", "source": "p.s:12"},
		"template": {"code": 8, "name": "pair", "source": "p.s:11"},
		"at": {"code": 7, "name": "again", "source": "p.s:10"}}}`,
		keys(pairProgram+"again:\tsend.l! r1, r3, @pair.sum\n"+pairTemplate, "1", "2"))
	require.JSONEq(t,
		`{"pe": [0,0], "pc": 1, "name": "data", "source": "p.s:4", "packet": {"address": 1, "match": "one", "data": 4,
		"sender": "host", "argument": "n", "node": {"code": 1, "name": "data", "source": "p.s:4"}, "template": null}}`,
		keys(".arg n, 0, 9, data\n.nocheck\ngo: nop!\ndata: .word 1\n", "4"))
	require.JSONEq(t,
		`{"pe": [0,0], "pc": 11, "name": "pair.drop", "source": "p.s:13",
		"waiting": [{"code": 9, "name": "pair.sum", "source": "p.s:11"}]}`,
		keys(".arg a, 0, 9, second\n"+pairProgram[len("	.arg n, 0, 100, go\n	.arg m, 0, 100, second\n"):]+
			"\tsend.1! r1, r3, @pair.drop\n"+pairTemplate, "2"))
}

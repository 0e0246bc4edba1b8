package diff

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/machine/run"
)

// begun returns a run of a program in progress, at a given clock.
func begun(t *testing.T, spec run.Spec, at uint64) *run.Batch {
	t.Helper()
	spec.Machine.Name = "emc-r"
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	s := run.New(target, run.Plan{Runs: 1, Window: 1})
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(t.Context(), at))
	return s
}

// spot is a part of a machine's data in memory, with the part of the machine to which it belongs.
type spot struct {
	path string
	part Part
}

// injectors lists the parts of a machine by the names of their fields in the model; # stands for the number of a PE.
var injectors = []spot{
	{"pe.#.ibu", Part{0, "IBU"}},
	{"pe.#.fmu", Part{0, "FMU"}},
	{"pe.#.exu", Part{0, "EXU"}},
	{"pe.#.out", Part{0, "OUT"}},
	{"pe.#.mem", Part{0, "memory"}},
	{"pe.#.seg", Part{0, "segments"}},
	{"pe.#.str", Part{0, "structure memory"}},
	{"pe.#.prefetch", Part{0, "MLPE"}},
	{"pe.#.seq", Part{0, "EXU"}},
	{"pe.#.Counters", Part{0, "statistics"}},
	{"Net.su.#", Part{0, "SU"}},
	{"pins.#", Part{0, "OUT"}},
	{"lastMove", Part{-1, "host"}},
	{"hostSent", Part{-1, "host"}},
	{"hostQueue", Part{-1, "host"}},
	{"Net.host", Part{-1, "host"}},
}

// refined maps fields to their part if it is not the part of the enclosing field.
var refined = map[string]string{
	".In": "IBU", ".InFull": "IBU", ".InReady": "SU", ".AcceptedAt": "SU", ".Counters": "statistics",
	".Peak": "statistics",
}

// leaf is a number in the machine's data.
type leaf struct {
	path string
	at   reflect.Value
}

// leaves appends the numbers in a value to list.
func leaves(v reflect.Value, path string, list []leaf) []leaf {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			list = leaves(v.Field(i), path+"."+v.Type().Field(i).Name, list)
		}
	case reflect.Slice, reflect.Array:
		if strings.HasSuffix(path, ".image") {
			return list // belongs to the program, which all PEs share
		}
		for i := range v.Len() {
			list = leaves(v.Index(i), path, list)
		}
	case reflect.Pointer:
		if !v.IsNil() && strings.Contains(path, ".mem.dir") {
			list = leaves(v.Elem(), path, list)
		}
	case reflect.Bool, reflect.Int, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		list = append(list, leaf{path, v})
	}
	return list
}

// flip changes one random bit of the hashed state of a machine, and returns its place.
func flip(r *rand.Rand, m *em4.Machine) (Part, string) {
	before, buf := m.Hash(nil)
	x := injectors[r.IntN(len(injectors))]
	for tries := 1; ; tries++ {
		if tries%400 == 0 { // perhaps no PE has data in this part
			x = injectors[r.IntN(len(injectors))]
		}
		pe := r.IntN(m.Config().PEs)
		v, path := reflect.ValueOf(m).Elem(), ""
		for _, name := range strings.Split(x.path, ".") {
			if v.Kind() == reflect.Pointer {
				v = v.Elem()
			}
			if name == "#" {
				v, path = v.Index(pe), fmt.Sprintf("%s[%d]", path, pe)
			} else {
				v, path = v.FieldByName(name), path+"."+name
			}
		}
		all := leaves(v, path, nil)
		if len(all) == 0 {
			continue
		}
		l := all[r.IntN(len(all))]
		if strings.HasSuffix(l.path, ".total") { // a parameter that determines the load
			continue
		}
		size := int(l.at.Type().Size())
		bit := r.IntN([]int{8, 8 * size}[r.IntN(2)]) // usually a low bit: a high bit often makes a checkpoint invalid
		if count := strings.ToLower(l.path); l.at.Kind() == reflect.Bool || strings.HasSuffix(count, "count") {
			bit = r.IntN(1+
				size/2) % 5 // a Boolean has one bit; a count must keep its packets in memory
		}
		at := (*byte)(unsafe.Add(unsafe.Pointer(l.at.UnsafeAddr()), bit/8))
		*at ^= 1 << (bit % 8)
		forget(m, pe)
		_, ok := hash(m, buf)
		if settled, _ := hash(m, buf); !ok ||
			settled == before { // the count is wrong, or the bit is unused or follows from the rest
			*at ^= 1 << (bit % 8)
			forget(m, pe)
			continue
		}
		part := x.part
		if part.PE == 0 {
			part.PE = pe
		}
		for name, unit := range refined {
			if strings.HasSuffix(l.path, name) || strings.Contains(l.path, name+".") {
				part.Unit = unit
			}
		}
		return part, fmt.Sprintf("%s bit %d", l.path, bit)
	}
}

// hash returns a machine's hash. ok is false if there is none, because a count is beyond its list.
func hash(m *em4.Machine, buf []byte) (sum uint64, ok bool) {
	defer func() { ok = recover() == nil }()
	sum, _ = m.Hash(buf)
	return sum, ok
}

// forget makes a PE recompute the hash of its memory.
func forget(m *em4.Machine, pe int) {
	hashed := reflect.ValueOf(m).Elem().FieldByName("pe").Index(pe).FieldByName("mem").FieldByName("hashed")
	*(*bool)(unsafe.Pointer(hashed.UnsafeAddr())) = false
}

// Every injected change of one bit of state is located. If its effect disappears, the difference is reported as healed,
// at the right clock.
func TestFlips(t *testing.T) { flips(t, 40) }

func flips(t *testing.T, most int) {
	r := rand.New(rand.NewPCG(36, 1))
	const limit = 4000
	type count struct{ located, healed, refused int }
	sum := map[string]*count{}
	for n := 0; n < most; {
		sets := [][]string{nil, {"out_packets=4", "prefetch_registers=3", "fifo_words=4"}}[r.IntN(2)]
		pes := 12
		spec := run.Spec{
			Machine: run.Machine{Sets: sets, PEs: &pes}, Program: "fib", Args: []string{"9"}, Seed: 1,
			Params: map[string]string{"mlpe": "on"},
		}
		base := begun(t, spec, uint64(r.IntN(500)))
		shot := base.Snapshot()
		for range 20 {
			a, err := base.Fork(shot)
			require.NoError(t, err)
			b, err := base.Fork(shot)
			require.NoError(t, err)
			want, where := flip(r, b.Machine)
			if sum[want.Unit] == nil {
				sum[want.Unit] = &count{}
			}
			c := sum[want.Unit]
			n++
			p := NewPair(a, b)
			list := p.compare()
			require.NotEmpty(t, list, where)
			require.Equal(t, want, list[0], where)
			if len(list) > 1 {
				require.Equal(t, []Part{{want.PE, "load"}}, list[1:], "%s: all that follows at once is the load", where)
			}
			c.located++
			fork := func(s *run.Batch) *run.Batch {
				n, err := s.Fork(s.Snapshot())
				if err != nil || s.Check() != nil {
					return nil
				}
				n.Limit(limit)
				return n
			}
			if fork(b) == nil {
				c.refused++
				continue // its checkpoint would be rejected, so the run cannot continue
			}
			twin, other := fork(a), fork(b)
			report, err := NewPair(fork(a), fork(b)).Compare(t.Context())
			require.NoError(t, err, where)
			require.Equal(t, a.Current.Clock(), report.Parted.Clock, where)
			require.Equal(t, want.Unit, report.Parted.Unit, where)
			if want.PE >= 0 {
				require.Equal(t, a.Net.Address(want.PE), *report.Parted.PE, where)
			}
			require.NotEqual(t, report.Parted.A, report.Parted.B, where)
			if strings.Contains(where, ".word bit") {
				require.Regexp(t, `^0x[0-9a-f]+ `, report.Parted.A, "the address")
			}
			clock, healed := hashes(t.Context(), twin, other, true)
			require.Equal(t, healed, report.Healed != nil, where)
			if healed {
				require.Equal(t, clock, *report.Healed, where)
				c.healed++
			}
		}
	}
	for unit, c := range sum {
		t.Logf("%-16s %+v", unit, *c)
	}
}

// hashes returns the first clock at which the hashes of two machines are equal, or differ, if they are compared at
// every clock. It returns false if there is none before both runs end or one fails.
func hashes(ctx context.Context, a, b *run.Batch, equal bool) (uint64, bool) {
	var bufA, bufB []byte
	for {
		var x, y uint64
		x, bufA = a.Hash(bufA)
		y, bufB = b.Hash(bufB)
		now := max(a.Current.Clock(), b.Current.Clock())
		if (x == y) == equal {
			return now, true
		}
		errA, errB := a.Advance(ctx, now+1), b.Advance(ctx, now+1)
		if a.Current.Ended() && b.Current.Ended() || errA != nil || errB != nil {
			return 0, false
		}
	}
}

package programs

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"emsim/asm"
	"emsim/internal/base/plural"
	"emsim/omega"
	"emsim/packet"
)

// Answer computes in Go the words that a built-in program must send to the host for its arguments on a machine of pes
// PEs. o is the assembled program, whose parameters may change the answer. Answer does not depend on how the program
// works, so a run that gives the same words is right.
func Answer(name string, o *asm.Object, args []uint64, pes int) ([]uint64, error) {
	topo, err := omega.ForPEs(pes)
	if err != nil {
		return nil, err
	}
	words, err := FullAnswer(name, o, args, pes)
	if packet.FormatFor(topo.K).DataBits == 32 {
		for i := range words {
			words[i] &= math.MaxUint32
		}
	}
	return words, err
}

// FullAnswer returns Answer's words before the machine truncates them.
func FullAnswer(name string, o *asm.Object, args []uint64, pes int) ([]uint64, error) {
	i := slices.Index(Names(), name)
	if i < 0 {
		return nil, fmt.Errorf("there is no built-in program %q", name)
	}
	if len(args) != len(table[i].Args) {
		return nil, fmt.Errorf("%s takes %s, got %d", name, plural.Of(len(table[i].Args), "argument"), len(args))
	}
	return table[i].answer(run{args: args, pes: pes, params: o.Chosen()}), nil
}

// leaves returns the number of leaves of the tree in lib/tree.s.
func (r run) leaves() uint64 {
	width, _ := strconv.ParseUint(r.params["width"], 10, 64)
	return min(width*uint64(r.pes), 32767)
}

func fibAnswer(n uint64) uint64 {
	a, b := uint64(0), uint64(1)
	for range n {
		a, b = b, a+b
	}
	return a
}

// random returns the number after x from the generator of knapsack's and stream's items.
func random(x uint64) uint64 { return (25173*x + 13849) & 0xffff }

// knapsackAnswer returns the answer of knapsack. It fills a table by weight, item by item.
func knapsackAnswer(n uint64) uint64 {
	x, all := uint64(1), uint64(0)
	var weight, value []uint64
	for range n {
		x = random(x)
		w := 1 + x>>10
		x = random(x)
		weight, value = append(weight, w), append(value, w+x>>12)
		all += w
	}
	best := make([]uint64, all/3+1) // by weight
	for i, w := range weight {
		for left := all / 3; left >= w; left-- {
			best[left] = max(best[left], value[i]+best[left-w])
		}
	}
	return best[all/3]
}

func loopAnswer(n, loops uint64) uint64 {
	sum := uint64(0)
	for j := range loops {
		x, y := j+1, uint64(1)
		for range n {
			x, y = (x+y)&0xffff, (x+2*y)&0xffff
		}
		sum += x + y + n
	}
	return sum
}

// matmulAnswer returns the answer of matmul. It computes in integers and converts the result to a float.
func matmulAnswer(n uint64) uint64 {
	sum := int64(0)
	for i := range n {
		for j := range n {
			c := int64(0)
			for k := range n {
				c += (int64((3*i+5*k)%8) - 3) * (int64((k*j+2*k+j)%8) - 4)
			}
			sum += c * int64((i+2*j)%4+1)
		}
	}
	return uint64(math.Float32bits(float32(sum)))
}

// piAnswer returns pi by Størmer's formula, with 20 additional digits: pi = 24 arctan(1/8) + 8 arctan(1/57) + 4
// arctan(1/239). The program uses Machin's.
func piAnswer(digits uint64) []uint64 {
	scale := new(big.Int).Exp(big.NewInt(10), new(big.Int).SetUint64(digits+20), nil)
	sum := new(big.Int)
	for _, f := range [][2]int64{{24, 8}, {8, 57}, {4, 239}} {
		power := new(big.Int).Mul(scale, big.NewInt(f[0]*f[1]))
		square := big.NewInt(f[1] * f[1])
		for odd := int64(1); power.Sign() != 0; odd += 2 {
			power.Quo(power, square)
			term := new(big.Int).Quo(power, big.NewInt(odd))
			if odd%4 == 1 {
				sum.Add(sum, term)
			} else {
				sum.Sub(sum, term)
			}
		}
	}
	text := sum.String()[1 : digits+1]
	words := []uint64{3}
	for group := range slices.Chunk([]byte(text), 4) {
		v, _ := strconv.ParseUint(string(group), 10, 64)
		words = append(words, v)
	}
	return words
}

// queensAnswer returns the answer of queens. It places queens column by column.
func queensAnswer(n uint64) uint64 {
	var place func(rows []uint64) uint64
	place = func(rows []uint64) uint64 {
		at, ways := uint64(len(rows)), uint64(0)
		if at == n {
			return 1
		}
	next:
		for r := range n {
			for c, q := range rows {
				if q == r || q+at == r+uint64(c) || q+uint64(c) == r+at {
					continue next
				}
			}
			ways += place(append(rows, r))
		}
		return ways
	}
	return place(nil)
}

func sortAnswer(n uint64, keys bool) []uint64 {
	var list []uint64
	for i := range n {
		list = append(list, (i+1)*40503%(1<<16)<<15+i)
	}
	slices.Sort(list)
	if keys {
		return list
	}
	sum := uint64(0)
	for i, k := range list {
		sum += uint64(i+1) * k
	}
	return []uint64{sum}
}

func streamAnswer(n, producers uint64) uint64 {
	sum := uint64(0)
	for x := range producers {
		for range n {
			x = random(x)
			sum += x ^ x>>4
		}
	}
	return sum
}

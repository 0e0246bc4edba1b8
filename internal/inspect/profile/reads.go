package profile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"emsim/asm"
)

// Reads counts the requests for words of an array on other PEs that one source line sent.
type Reads struct {
	Array  string
	Source Row // the line
	Count  uint64
	Owner  int    // the PE that received the most requests; on a tie the lowest
	Asked  uint64 // number of requests that it received
	Busy   uint64 // clocks in which it was not idle
}

// Reads returns the reads of arrays by array and line, in descending order of requests. word must read the memory of
// a PE at the end of the run: all PEs keep their parts at the same address.
func (p *Profile) Reads(word func(addr uint32) uint64) (list []Reads) {
	rows, asked := map[string]int{}, map[[2]int]uint64{}
	for _, r := range slices.SortedFunc(maps.Keys(p.reads),
		func(a, b [3]uint32) int { return slices.Compare(a[:], b[:]) }) {
		pe, x := int(r[0]), Reads{Array: p.arrayAt(r[2], word), Source: p.rowAt(site{r[1], r[1]}, ByLine)}
		i := indexOf(rows, x.Array+" "+x.Source.Source())
		if i == len(list) {
			list = append(list, x)
		}
		asked[[2]int{i, pe}] += p.reads[r]
		list[i].Count += p.reads[r]
		if n := asked[[2]int{i, pe}]; n > list[i].Asked {
			list[i].Owner, list[i].Asked, list[i].Busy = pe, n, p.Clocks()-p.pes[pe].idle
		}
	}
	slices.SortStableFunc(list, func(a, b Reads) int { return cmp.Compare(b.Count, a.Count) })
	return list
}

// arrayAt returns the name of the df array that contains the word at an address.
func (p *Profile) arrayAt(addr uint32, word func(addr uint32) uint64) string {
	for _, s := range p.object.Symbols {
		name, found := strings.CutSuffix(s.Name, ".pieces")
		if label := uint32(s.Value) - 1; found && p.object.NameAt(label) == name {
			size := (word(label+1)/uint64(len(p.pes)) + 1) * word(label+2)
			if at := uint32(word(label)) % asm.MemoryWords; addr >= at && uint64(addr-at) < size {
				return strings.TrimRight(name, "_")
			}
		}
	}
	return "(replaced)" // a later Fill has moved the array
}

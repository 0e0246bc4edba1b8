package debug

import "context"

// Block is a strongly connected block that has begun.
type Block struct {
	Label string `json:"label"` // at which it begins
	Times int    `json:"times"` // how often so far
	PEs   []int  `json:"pes"`   // that execute it
}

// begin is the beginning of a block on a PE.
type begin struct {
	clock uint64
	pe    int32
	block int32 // in family.blocks
}

// begins records that a PE begins a block.
func (f *family) begins(clock uint64, pe int, pc uint32) {
	i, known := f.block[pc]
	if !known {
		i = int32(len(f.blocks))
		f.block[pc] = i
		f.blocks = append(f.blocks, pc)
	}
	f.begun = append(f.begun, begin{clock, int32(pe), i})
}

// Blocks lists the strongly connected blocks that have begun so far, in the order of
// their first times. last is by PE the one that it has begun last, or -1.
func (d *Debugger) Blocks(ctx context.Context) (list []Block, last []int, err error) {
	f, err := d.reach(ctx)
	if err != nil {
		return nil, nil, err
	}
	times := make([]int, len(f.blocks))
	last = make([]int, d.s.Config().PEs)
	for i := range last {
		last[i] = -1
	}
	known := 0
	for _, x := range f.begun {
		if x.clock >= d.clock() {
			break
		}
		times[x.block]++
		last[x.pe] = int(x.block)
		known = max(known, int(x.block)+1)
	}
	list = make([]Block, known)
	for i := range list {
		list[i] = Block{d.label(f.blocks[i]), times[i], []int{}}
	}
	for pe, i := range last {
		if i >= 0 && d.s.PE(pe).EXU().Busy {
			list[i].PEs = append(list[i].PEs, pe)
		}
	}
	return list, last, nil
}

package asm

// Instructions returns a function that prints the instruction at an address
// as Disassemble does, or returns "" if there is none.
func (o *Object) Instructions() func(addr uint32) string {
	d := &disassembler{o: o, templates: o.templates(), names: map[uint32]string{}}
	d.collect()
	return func(addr uint32) string {
		in, ok := o.instructionAt(addr)
		if !ok {
			return ""
		}
		d.at = addr
		return d.instruction(in)
	}
}

package programs

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/isa"
)

// IsPolicyFile reports whether a value of the parameter policy is a file, rather than the name of a policy in
// lib/policy.
func IsPolicyFile(value string) bool { return path.Ext(value) == ".s" || path.Ext(value) == ".go" }

// bench is a program that contains everything that a policy defines, between labels.
const bench = `.include "lib/place.s"
.start chosen
.init init
begin: choose 1
    choose 2
chosen: nop!
init: policy_init
inited: nop!
blocks: policy_blocks
data: place_data
`

// benchFile is the name of bench in messages.
const benchFile = asm.LibraryFolder + "policy.s"

// A policyPart is a part of a policy, between two labels of bench.
type policyPart struct {
	name, from, to string
	writes         []uint8 // registers that it may change; nil: all
	private        bool    // it may read no other registers, because these belong to its caller
}

var policyParts = []policyPart{
	{"choose", "begin", "chosen", []uint8{3, 5, 6, 7}, true},
	{"policy_init", "init", "inited", []uint8{1, 2, 5, 6, 7, 8, 9, 10}, false},
	{"policy_blocks", "blocks", "data", nil, false},
}

// CheckPolicy checks a policy in a file against the rules of docs/POLICY.md: what it may read, and what it must not
// change. The map params holds the parameters of the program that uses the policy. The function open reads the file; if
// it is nil, regular files are read.
func CheckPolicy(params map[string]string, open func(string) ([]byte, error)) error {
	file := params["policy"]
	if !IsPolicyFile(file) {
		return nil
	}
	opt := asm.Options{
		Library: Library(), OpenValue: open, Params: map[string]string{"policy": file}, Check: checkPolicy,
		Open: func(file string) ([]byte, error) {
			if file != benchFile {
				return nil, fs.ErrNotExist
			}
			return []byte(bench), nil
		},
	}
	place, _, err := asm.Assemble(benchFile, opt)
	if err == nil { // again, with the program's parameters that lib/place.s has too
		maps.Copy(opt.Params, params)
		maps.DeleteFunc(opt.Params, func(name, _ string) bool { _, ok := place.Chosen()[name]; return !ok })
		_, _, err = asm.Assemble(benchFile, opt)
	}
	var wrong asm.Errors
	missing := func(e *asm.Error) bool {
		return e.File == benchFile || strings.Contains(e.Message, `called "policy_data"`)
	}
	if errors.As(err, &wrong) && slices.ContainsFunc(wrong.List, missing) {
		says, _, _ := strings.Cut(wrong.List[slices.IndexFunc(wrong.List, missing)].Message, "; did you mean")
		return simerr.Usagef("%s is no policy, which defines the macros choose, policy_init, policy_blocks and "+
			"policy_data ('emsim new --policy NAME' writes one): %s",
			filepath.ToSlash(file), says)
	}
	return err
}

// checkPolicy checks the words of bench.
func checkPolicy(o *asm.Object, report func(addr uint32, message string)) {
	at := map[string]uint32{}
	for _, s := range o.Addresses() {
		at[s.Name] = uint32(s.Value)
	}
	if at["begin"] > 0 {
		report(0, "code and data of a policy stand in its macros: choose, policy_init, policy_blocks and policy_data")
	}
	seen := map[string]bool{}
	for _, part := range policyParts {
		for addr := at[part.from]; addr < at[part.to]; addr++ {
			words := o.SectionAt(addr)
			if words == nil || words.Kind != asm.Code {
				report(addr, "the variables of a policy stand in its macro policy_data")
				continue
			}
			in, _ := isa.Decode(words.Words[addr-words.Start]) // the word is from the assembler
			file, line, _ := o.LineAt(addr)
			if wrong := part.mistake(&in, at); wrong != "" && !seen[fmt.Sprint(file, line, wrong)] {
				seen[fmt.Sprint(file, line, wrong)] = true
				report(addr, wrong)
			}
		}
	}
}

// mistake returns which rule of the part an instruction breaks, or "".
func (p *policyPart) mistake(in *isa.Inst, at map[string]uint32) string {
	row, to := &isa.Table[in.Op], uint32(in.Imm)
	inside := func(from, end string) bool { return at[from] <= to && to < at[end] }
	for _, use := range row.Operands {
		switch r := in.A; {
		case use == isa.LetterD && p.writes != nil && in.D != isa.R0 && !slices.Contains(p.writes, in.D):
			return fmt.Sprintf("%s may not change %s, which its program uses: only %s", p.name, registerNames(in.D),
				registerNames(p.writes...))
		case use == isa.LetterB || use == isa.LetterS && !in.Lit:
			r = in.B
			fallthrough
		case use == isa.LetterA:
			if p.private && r != isa.R0 && !slices.Contains(p.writes, r) {
				return fmt.Sprintf("%s may not read %s, which belongs to the call: a policy knows what its PE knows, "+
					"its own variables and what packets brought", p.name, registerNames(r))
			}
		}
	}
	switch {
	case in.Op == isa.RELSTR && in.A == isa.R0: // a policy in Go uses this to panic
	case in.End && p.writes != nil:
		return p.name + " does not end the block, which continues after it: leave out the !"
	case row.Class == isa.ClassBranch && !inside(p.from, p.to) && to != at[p.to]:
		return p.name + " may not jump out of itself"
	case row.Class == isa.ClassSegment, in.Op == isa.OUT, in.Op == isa.MLPE, in.Op == isa.WRS, in.Op == isa.RDS &&
		isa.Special(in.Imm) == isa.SpecialMLPE:
		return fmt.Sprintf("%s is not for a policy: it chooses a PE, and leaves segments, searches and the "+
			"host to the program", row.Name)
	case row.Class == isa.ClassSend && (isa.Form(in.D) != isa.FormDirect || !inside("blocks", "data")):
		return "a policy sends packets to its own blocks, which stand in policy_blocks: send.d VALUE, PE, BLOCK"
	case (row.Class == isa.ClassLoad || row.Class == isa.ClassStore) && in.A == isa.R0 &&
		(in.Imm < 0 || to < at["data"]):
		return "a policy has its own variables, which stand in policy_data, and the ones in place_data"
	}
	return ""
}

// registerNames returns the names of registers as the assembler writes them.
func registerNames(list ...uint8) string {
	names := lists.Of(list, func(r uint8) string { return fmt.Sprintf("r%d", r) })
	return strings.ReplaceAll(strings.Join(names, ", "), "r15", "fp")
}

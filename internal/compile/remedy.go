package compile

import "go/types"

// typeName returns a type as the program names it.
func (c *compiler) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == c.pkg {
			return ""
		}
		return p.Name()
	})
}

// remedy says why a type has no translation, and what to write instead.
func remedy(t types.Type) string {
	if _, ok := spreadElem(t); ok {
		return "an array of package df has its words on all PEs. Declare it outside of the functions, var NAME df.Array[TYPE]"
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		return "a slice grows, and an instance has the words that its function declares. Write an array, [N]T, or df.Array for data on all PEs"
	case *types.Map:
		return "a map grows, and an instance has the words that its function declares. Write an array, whose index is the key"
	case *types.Pointer:
		return "an instance cannot reach into the memory of another PE. Pass values, and return what has changed"
	case *types.Signature:
		return "functions are called by their names, and literals are arguments of df.Sum and Fill alone. Declare a function"
	case *types.Interface:
		return "words have no room for a type at run time. Use one type of the program"
	}
	return "a value is an int32, uint32, float32 or bool, or a structure or an array of them"
}

// builtinRemedy says why a built-in function has no translation, and what to write instead.
func builtinRemedy(name string) string {
	switch name {
	case "append", "copy", "cap":
		return remedy(&types.Slice{})
	case "make", "clear", "delete":
		return "it is for slices and maps, and an instance has the words that its function declares. Write an array, [N]T, whose words are 0 at first; a = [N]T{} clears it"
	case "new":
		return remedy(&types.Pointer{})
	case "print", "println":
		return "the host gets the entry's result"
	}
	return "a value is an int32, uint32, float32 or bool, or a structure or an array of them"
}

package compile_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// channel is the channel that a variable holds.
func (o *oracle) channel(f *frame, e ast.Expr) chan uint32 {
	return f.chans[o.info.Uses[e.(*ast.Ident)]]
}

// streamAssign makes channels and receives from them.
func (o *oracle) streamAssign(f *frame, s *ast.AssignStmt) bool {
	if call, ok := s.Rhs[0].(*ast.CallExpr); ok {
		if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "make" {
			f.chans[o.info.Defs[s.Lhs[0].(*ast.Ident)]] = make(chan uint32)
			return true
		}
	}
	if len(s.Lhs) != 2 || len(s.Rhs) != 1 {
		return false
	}
	v, ok := <-o.channel(f, s.Rhs[0].(*ast.UnaryExpr).X)
	o.set(f, s.Lhs[0], v)
	o.set(f, s.Lhs[1], truth(ok))
	return true
}

// streamStmt is a statement about channels or arrays.
func (o *oracle) streamStmt(f *frame, s ast.Stmt) flow {
	switch s := s.(type) {
	case *ast.SendStmt:
		v := o.expr(f, s.Value)
		o.channel(f, s.Chan) <- v
	case *ast.DeferStmt:
		f.defers = append(f.defers, o.channel(f, s.Call.Args[0]))
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "close" {
				close(o.channel(f, call.Args[0]))
				return goesOn
			}
		}
		o.expr(f, s.X)
	case *ast.GoStmt:
		var args []uint32
		var chans []chan uint32
		for _, a := range s.Call.Args {
			if _, ok := o.info.TypeOf(a).Underlying().(*types.Chan); ok {
				chans = append(chans, o.channel(f, a))
				continue
			}
			args = append(args, o.expr(f, a))
		}
		go o.callWith(s.Call.Fun.(*ast.Ident).Name, args, chans)
	case *ast.RangeStmt:
		for v := range o.channel(f, s.X) {
			if s.Key != nil {
				o.set(f, s.Key, v)
			}
			switch o.block(f, s.Body.List) {
			case returns:
				return returns
			case breaks:
				return goesOn
			}
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && s.Decl.(*ast.GenDecl).Tok == token.VAR {
				for _, n := range v.Names {
					f.arrays[o.info.Defs[n]] = make([]uint32, o.info.Defs[n].Type().Underlying().(*types.Array).Len())
				}
			}
		}
	default:
		panic(fmt.Sprintf("%T", s))
	}
	return goesOn
}

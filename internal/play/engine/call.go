package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"

	"emsim/internal/base/simerr"
	"emsim/internal/base/suggest"
)

// Reply is the answer to a Call: a value or an error.
type Reply struct {
	Value any    `json:"value,omitempty"`
	Error *Error `json:"error,omitempty"`
}

// Error says why a Call has no value.
type Error struct {
	Kind    string `json:"kind"` // as in the JSON of the command emsim
	Message string `json:"message"`
}

// method answers one kind of question, with arguments in JSON.
type method func(ctx context.Context, s *Session, args []byte) (any, error)

// methodOf returns a method that calls a function with one argument.
func methodOf[A any](f func(ctx context.Context, s *Session, a A) (any, error)) method {
	return func(ctx context.Context, s *Session, args []byte) (any, error) {
		var a A
		in := json.NewDecoder(bytes.NewReader(args))
		in.DisallowUnknownFields()
		if err := in.Decode(&a); err != nil {
			return nil, simerr.Usagef("the question is not what was expected: %w", err)
		}
		return f(ctx, s, a)
	}
}

// methods maps names to methods.
var methods = map[string]method{
	"catalogue": func(context.Context, *Session, []byte) (any, error) { return TheCatalogue(), nil },
	"open":      methodOf(func(ctx context.Context, s *Session, a Setup) (any, error) { return s.Open(ctx, a), nil }),
	"do":        methodOf(func(ctx context.Context, s *Session, line string) (any, error) { return s.Do(ctx, line) }),
	"complete":  methodOf(func(_ context.Context, s *Session, a string) (any, error) { return s.Complete(a), nil }),
	"frame":     func(_ context.Context, s *Session, _ []byte) (any, error) { return s.Frame(), s.checkPE(0) },
	"part":      methodOf(func(ctx context.Context, s *Session, to uint64) (any, error) { return s.Part(ctx, to) }),
	"pe":        methodOf(func(_ context.Context, s *Session, pe int) (any, error) { return s.Inside(pe) }),
	"strip":     func(_ context.Context, s *Session, _ []byte) (any, error) { return s.Strip() },
	"calls":     methodOf(func(ctx context.Context, s *Session, pe int) (any, error) { return s.Calls(ctx, pe) }),
	"compared":  methodOf(func(_ context.Context, s *Session, differ int) (any, error) { return s.Compared(differ) }),
	"ends":      methodOf(func(_ context.Context, s *Session, r room) (any, error) { return s.Ends(r) }),
	"result":    func(_ context.Context, s *Session, _ []byte) (any, error) { return s.outcome() },
	"called": methodOf(func(ctx context.Context, s *Session, from int) (any, error) {
		if err := s.checkPE(from); err != nil {
			return nil, err
		}
		return s.d.Called(s.guard(ctx), from)
	}),
	"ahead":  methodOf(func(ctx context.Context, s *Session, n uint64) (any, error) { return s.Ahead(ctx, n) }),
	"blocks": methodOf(func(ctx context.Context, s *Session, pe int) (any, error) { return s.Blocks(ctx, pe) }),
	"follow": methodOf(func(ctx context.Context, s *Session, name string) (any, error) { return s.follow(ctx, name) }),
	"hash": func(_ context.Context, s *Session, _ []byte) (any, error) {
		h, err := s.Hash()
		return fmt.Sprintf("%016x", h), err
	},
	"change": methodOf(func(_ context.Context, _ *Session, c changes) (any, error) { return c.made(), nil }),
	"check": methodOf(func(ctx context.Context, s *Session, a handedIn) (any, error) {
		v, err := a.check(s.guard(ctx))
		if err != nil {
			return nil, err
		}
		return verdict(v), nil
	}),
	"runs":    methodOf(func(_ context.Context, _ *Session, line string) (any, error) { return ReadRuns(line), nil }),
	"tokens":  methodOf(func(ctx context.Context, s *Session, a []arrow) (any, error) { return s.tokens(ctx, a) }),
	"share":   methodOf(func(_ context.Context, _ *Session, v View) (any, error) { return v.Address() }),
	"restore": methodOf(func(_ context.Context, _ *Session, link string) (any, error) { return ReadAddress(link) }),
}

// Call answers a question: it calls the method name with an argument in JSON, and returns a Reply in JSON. If emsim
// panics, it returns an error of kind "defect", so that the page keeps working.
func (s *Session) Call(ctx context.Context, name string, args []byte) (reply []byte) {
	defer func() {
		if x := recover(); x != nil {
			s.d = nil
			reply = replyOf(nil, &Error{"defect", fmt.Sprintf("this is a bug in emsim: %v\n%s", x, debug.Stack())})
		}
	}()
	m, ok := methods[name]
	if !ok {
		known := slices.Sorted(maps.Keys(methods))
		return replyOf(nil, &Error{
			simerr.KindUsage,
			fmt.Sprintf("there is no method %q%s", name, suggest.DidYouMean(name, known)),
		})
	}
	v, err := m(ctx, s, args)
	if err != nil {
		return replyOf(nil, &Error{simerr.Kind(err), s.inRun(err.Error())})
	}
	return replyOf(v, nil)
}

func replyOf(v any, e *Error) []byte {
	text, err := json.Marshal(Reply{v, e})
	if err != nil {
		panic(err) // every answer can be marshalled
	}
	return text
}

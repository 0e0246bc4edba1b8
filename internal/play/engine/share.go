package engine

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"emsim/internal/base/simerr"
)

// View is a session in the form that a link restores: the run, its clock, and what the page shows.
type View struct {
	Setup  Setup  `json:"setup"`
	Clock  uint64 `json:"clock,omitempty"` // of the run
	PE     *int   `json:"pe,omitempty"`    // the opened PE
	Colour string `json:"colour,omitempty"`
	Mode   string `json:"mode,omitempty"`  // the page's mode: watch, learn, program or compare
	Stage  string `json:"stage,omitempty"` // machine, circuits or blocks
	Tab    string `json:"tab,omitempty"`
	Lesson string `json:"lesson,omitempty"`
	Marks  []Mark `json:"marks,omitempty"` // the user's own marks
	Versus *Setup `json:"vs,omitempty"`    // the run B next to this one, A, at the same clock of the run
	Side   string `json:"side,omitempty"`  // B if the other settings of the display belong to B
}

// The prefix of a link, and the size of the largest View.
const (
	linkForm = "2." // form 1. contained clocks of the machine
	mostView = 4 << 20
)

// Link returns the view as text for the part of an address after the #.
func (v *View) Link() (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	if len(text) > mostView {
		return "", simerr.Usagef("the program is too long for a link: %d bytes, at most %d", len(text), mostView)
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	return linkForm + base64.RawURLEncoding.EncodeToString(b.Bytes()), err
}

// ReadLink returns the view of a link.
func ReadLink(link string) (*View, error) {
	packed, ok := strings.CutPrefix(strings.TrimPrefix(link, "#"), linkForm)
	if !ok {
		return nil, broken("it does not begin with " + linkForm + ", the form that this page knows")
	}
	raw, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		return nil, broken("it has characters other than A-Z, a-z, 0-9, - and _")
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(raw)), mostView+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, broken("its end is missing")
	case err != nil:
		return nil, broken("a part of it was changed")
	case len(text) > mostView:
		return nil, broken("it holds a program that is too long")
	}
	v := &View{}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(v); err != nil {
		return nil, broken("it is not from this version of the page")
	}
	return v, nil
}

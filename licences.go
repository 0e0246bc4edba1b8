// Package emsim holds what every copy of emsim carries of its repository: the
// licences, which 'emsim licenses' prints, and the sources from which 'emsim play'
// builds its engine (sources.go).
package emsim

import _ "embed"

// Licence is emsim's own licence, the file LICENSE.
//
//go:embed LICENSE
var Licence string

// Notices is THIRD_PARTY_NOTICES.md: everything else in the binary, with its
// licences.
//
//go:generate go run ./internal/dev/notices THIRD_PARTY_NOTICES.md
//go:embed THIRD_PARTY_NOTICES.md
var Notices string

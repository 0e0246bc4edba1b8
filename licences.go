// Package emsim holds the licences that every copy of emsim must include;
// 'emsim licenses' prints them.
package emsim

import _ "embed"

// Licence is emsim's own licence, the file LICENSE.
//
//go:embed LICENSE
var Licence string

// Notices is THIRD_PARTY_NOTICES.md: everything else in the binary, with its
// licences.
//
//go:generate go run ./internal/notices THIRD_PARTY_NOTICES.md
//go:embed THIRD_PARTY_NOTICES.md
var Notices string

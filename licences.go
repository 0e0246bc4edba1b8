// Package emsim holds the licences that every copy of emsim has to carry;
// 'emsim licenses' prints them.
package emsim

import _ "embed"

// Licence is emsim's own licence, the file LICENSE.
//
//go:embed LICENSE
var Licence string

// Notices is THIRD_PARTY_NOTICES.md: what else is in the binary, and under
// which licences.
//
//go:generate go run ./internal/notices THIRD_PARTY_NOTICES.md
//go:embed THIRD_PARTY_NOTICES.md
var Notices string

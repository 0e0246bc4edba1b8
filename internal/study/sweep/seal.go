package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// The file of a result, of a plan or of a submission is a JSON object whose last key
// is a checksum of everything before it:
//
//	{
//	 "format": 2,
//	 ...
//	 "answer": {...},
//	 "sha256": "..."
//	}
const sealKey = ",\n \"sha256\": \""

// sealEnd ends the file.
const sealEnd = "\"\n}\n"

// Seal adds the checksum to an indented object.
func Seal(object []byte) []byte {
	body := bytes.TrimSuffix(object, []byte("\n}"))
	sum := sha256.Sum256(body)
	return append(append(append(body, sealKey...), hex.EncodeToString(sum[:])...), sealEnd...)
}

// Sealed reports whether a file is as it was written.
func Sealed(text []byte) bool {
	body, ok := bytes.CutSuffix(text, []byte(sealEnd))
	at := len(body) - hex.EncodedLen(sha256.Size)
	if !ok || at < len(sealKey) || string(body[at-len(sealKey):at]) != sealKey {
		return false
	}
	sum := sha256.Sum256(body[:at-len(sealKey)])
	return string(body[at:]) == hex.EncodeToString(sum[:])
}

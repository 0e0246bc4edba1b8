package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// The file of a result or of a plan is a JSON object whose last key is a checksum of everything
// before it:
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

// seal adds the checksum to an indented object.
func seal(object []byte) []byte {
	body := bytes.TrimSuffix(object, []byte("\n}"))
	sum := sha256.Sum256(body)
	return append(append(append(body, sealKey...), hex.EncodeToString(sum[:])...), sealEnd...)
}

// sealed reports whether a file is as it was written.
func sealed(text []byte) bool {
	body, ok := bytes.CutSuffix(text, []byte(sealEnd))
	at := len(body) - hex.EncodedLen(sha256.Size)
	if !ok || at < len(sealKey) || string(body[at-len(sealKey):at]) != sealKey {
		return false
	}
	sum := sha256.Sum256(body[:at-len(sealKey)])
	return string(body[at:]) == hex.EncodeToString(sum[:])
}

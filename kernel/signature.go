package kernel

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"sync"
)

const defaultScheme = "hmac-sha256"

var hashes = map[string]func() hash.Hash{
	defaultScheme: sha256.New,
	"hmac-sha384": sha512.New384,
	"hmac-sha512": sha512.New,
}

// A signer signs and verifies the four parts of a message: header, parent
// header, metadata, content. Buffers are not signed, by the protocol.
type signer struct {
	hash func() hash.Hash
	key  []byte // empty: signatures are empty

	mu   sync.Mutex
	seen [2]map[string]struct{} // the signatures accepted, newer and older half
}

// maxSeen bounds each half of the memory of accepted signatures.
const maxSeen = 1 << 15

var (
	errSignature = errors.New("message: wrong signature")
	errReplay    = errors.New("message: a signature that was used before")
)

func newSigner(scheme, key string) (*signer, error) {
	h := hashes[scheme]
	if h == nil {
		return nil, fmt.Errorf("signature_scheme: got %q, want hmac-sha256, hmac-sha384 or hmac-sha512", scheme)
	}
	return &signer{hash: h, key: []byte(key), seen: [2]map[string]struct{}{{}, {}}}, nil
}

func (s *signer) sign(parts [][]byte) []byte {
	if len(s.key) == 0 {
		return []byte{}
	}
	mac := hmac.New(s.hash, s.key)
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// verify checks a signature and remembers it: a signature is good once. Only
// good ones are remembered, else a forger could fill the memory.
func (s *signer) verify(signature []byte, parts [][]byte) error {
	if len(s.key) == 0 {
		return nil
	}
	if !hmac.Equal(signature, s.sign(parts)) {
		return errSignature
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := string(signature)
	for _, half := range s.seen {
		if _, again := half[key]; again {
			return errReplay
		}
	}
	if len(s.seen[0]) >= maxSeen {
		s.seen = [2]map[string]struct{}{{}, s.seen[0]}
	}
	s.seen[0][key] = struct{}{}
	return nil
}

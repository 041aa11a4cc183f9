package binary

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// algorithms are the hashes by name.
var algorithms = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
	"sha3_224": func() hash.Hash { return sha3.New224() }, "sha3_256": func() hash.Hash { return sha3.New256() },
	"sha3_384": func() hash.Hash { return sha3.New384() }, "sha3_512": func() hash.Hash { return sha3.New512() },
}

var hashlibModule = lazyModule("hashlib", "Checksums of bytes.", hashlibTable, func() []value.Member {
	var members []value.Member
	for _, name := range []string{"algorithms_available", "algorithms_guaranteed"} {
		set := slot.NewSet(len(algorithms))
		for _, a := range slices.Sorted(maps.Keys(algorithms)) {
			set.Insert(starlark.String(a))
		}
		members = append(members, value.Member{Name: name, Value: set, Doc: "The names of the hashes.", Example: `import hashlib; "md5" in hashlib.` + name + " # True"})
	}
	return members
})

// A digest is a hash that bytes are put into.
type digest struct {
	value.Identity
	name string
	hash hash.Hash
}

func (d *digest) Table() *value.Methods                    { return hashMethods() }
func (d *digest) Attr(name string) (starlark.Value, error) { return hashMethods().Attr(d, name) }
func (d *digest) AttrNames() []string                      { return hashMethods().Names() }
func (d *digest) String() string                           { return fmt.Sprintf("<%s _hashlib.HASH object>", d.name) }

// part is how many bytes are hashed between two questions.
const part = 1 << 20

// update puts bytes in.
func (d *digest) update(thread *starlark.Thread, v starlark.Value) error {
	if _, isText := v.(starlark.String); isText {
		return value.Failure("TypeError", "Strings must be encoded before hashing: text.encode()")
	}
	b, err := readBytes(v)
	if err != nil {
		return err
	}
	for poll := value.PollOf(thread); b != ""; b = b[min(part, len(b)):] {
		poll.Ask(part)
		io.WriteString(d.hash, b[:min(part, len(b))])
	}
	return nil
}

func newDigest(thread *starlark.Thread, name string, data starlark.Value) (starlark.Value, error) {
	make, ok := algorithms[strings.ToLower(name)]
	if !ok {
		return nil, value.Failure("ValueError", "unsupported hash type %s: want one of %s", name, strings.Join(slices.Sorted(maps.Keys(algorithms)), ", "))
	}
	d := &digest{"_hashlib.HASH", strings.ToLower(name), make()}
	if data == nil {
		return d, nil
	}
	return d, d.update(thread, data)
}

type dataArgs struct {
	Data starlark.Value `arg:"data=None: the first bytes"`
	_    struct{}       `arg:"*:"`
	Safe bool           `arg:"usedforsecurity=True: without effect"`
}

func hashlibTable() []value.Builtin {
	table := []value.Builtin{value.Function("new", "A hash by its name.", `hashlib.new("md5", b"a").hexdigest()[:8] # "0cc175b9"`, func(thread *starlark.Thread, a *struct {
		Name string         `arg:"name: such as \"sha256\""`
		Data starlark.Value `arg:"data=None: the first bytes"`
		_    struct{}       `arg:"*:"`
		Safe bool           `arg:"usedforsecurity=True: without effect"`
	}) (starlark.Value, error) {
		return newDigest(thread, a.Name, a.Data)
	})}
	for _, name := range slices.Sorted(maps.Keys(algorithms)) {
		h := algorithms[name]()
		h.Write([]byte("a"))
		table = append(table, value.Function(name, "The hash of that name.", fmt.Sprintf(`hashlib.%s(b"a").hexdigest()[:8] # "%x"`, name, h.Sum(nil)[:4]),
			func(thread *starlark.Thread, a *dataArgs) (starlark.Value, error) {
				return newDigest(thread, name, a.Data)
			}))
	}
	return table
}

func ofHash[A any](name, doc, example string, fn func(thread *starlark.Thread, d *digest, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, "import hashlib; "+example, fn)
}

var hashMethods = rows.Lazily("_hashlib.HASH", func() []value.Builtin {
	return []value.Builtin{
		ofHash("copy", "A hash into which the same bytes were put.", `hashlib.md5(b"a").copy().hexdigest()[:8] # "0cc175b9"`, func(_ *starlark.Thread, d *digest, _ *rows.None) (starlark.Value, error) {
			state, err := d.hash.(encoding.BinaryMarshaler).MarshalBinary()
			c := &digest{d.Identity, d.name, algorithms[d.name]()}
			if err == nil {
				err = c.hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(state)
			}
			return c, err
		}),
		ofHash("digest", "The checksum of the bytes.", `len(hashlib.md5(b"a").digest()) # 16`, func(_ *starlark.Thread, d *digest, _ *rows.None) (starlark.Value, error) {
			return starlark.Bytes(d.hash.Sum(nil)), nil
		}),
		ofHash("hexdigest", "The checksum of the bytes as text.", `hashlib.md5(b"a").hexdigest() # "0cc175b9c0f1b6a831c399e269772661"`, func(_ *starlark.Thread, d *digest, _ *rows.None) (starlark.Value, error) {
			return starlark.String(hex.EncodeToString(d.hash.Sum(nil))), nil
		}),
		ofHash("update", "Puts bytes in.", `h = hashlib.md5(); h.update(b"a"); h.hexdigest()[:8] # "0cc175b9"`, func(thread *starlark.Thread, d *digest, a *struct {
			Data starlark.Value `arg:"data: bytes"`
		}) (starlark.Value, error) {
			return nil, d.update(thread, a.Data)
		}),
	}
},
	value.FieldOf("block_size", "The bytes that are hashed together.", `import hashlib; hashlib.md5().block_size # 64`, func(d *digest) starlark.Value { return starlark.MakeInt(d.hash.BlockSize()) }),
	value.FieldOf("digest_size", "The bytes of the checksum.", `import hashlib; hashlib.md5().digest_size # 16`, func(d *digest) starlark.Value { return starlark.MakeInt(d.hash.Size()) }),
	value.FieldOf("name", "The name.", `import hashlib; hashlib.md5().name # "md5"`, func(d *digest) starlark.Value { return starlark.String(d.name) }),
)

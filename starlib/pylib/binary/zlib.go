package binary

import (
	"bytes"
	"compress/zlib"
	"errors"
	"hash/adler32"
	"hash/crc32"
	"io"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var zlibModule = lazyModule("zlib", "Compressed bytes, and their checksums.", zlibTable, func() []value.Member { return rows.Exceptions("zlib", "zlib.error") })

func zlibTable() []value.Builtin {
	sum := func(name, doc, example, param string, start uint32, fn func(sum uint32, b []byte) uint32) value.Builtin {
		return value.BoundOn(name, doc, example, func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			b, err := readBytes(v[0])
			if err != nil {
				return nil, err
			}
			n := start
			if v[1] != nil {
				i, err := value.Int(v[1])
				if err != nil {
					return nil, err
				}
				n = uint32(i)
			}
			for poll := value.PollOf(thread); b != ""; b = b[min(part, len(b)):] {
				poll.Ask(part)
				n = fn(n, []byte(b[:min(part, len(b))]))
			}
			return starlark.MakeUint64(uint64(n)), nil
		}, "data: bytes", param)
	}
	return []value.Builtin{
		sum("adler32", "A checksum.", `zlib.adler32(b"abc") # 38600999`, "value=1: the checksum of the bytes before", 1, adler),
		value.Function("compress", "Bytes, compressed.", `zlib.decompress(zlib.compress(b"abc")) # b"abc"`, func(thread *starlark.Thread, a *struct {
			Data  starlark.Value `arg:"data: bytes"`
			Level int            `arg:"level=-1: 0 to 9; -1 is 6"`
		}) (starlark.Value, error) {
			data, err := readBytes(a.Data)
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			w, err := zlib.NewWriterLevel(&b, a.Level)
			if err != nil {
				return nil, value.Failure("zlib.error", "Bad compression level: got %d, want -1 to 9", a.Level)
			}
			for poll := value.PollOf(thread); data != ""; data = data[min(part, len(data)):] {
				poll.Ask(part)
				io.WriteString(w, data[:min(part, len(data))])
			}
			err = w.Close()
			return starlark.Bytes(b.String()), err
		}),
		sum("crc32", "A checksum.", `zlib.crc32(b"abc") # 891568578`, "value=0: the checksum of the bytes before", 0, func(n uint32, b []byte) uint32 { return crc32.Update(n, crc32.IEEETable, b) }),
		value.Function("decompress", "Compressed bytes as they were.", `zlib.decompress(zlib.compress(b"abc")) # b"abc"`, func(thread *starlark.Thread, a *encodeArg) (starlark.Value, error) {
			data, err := readBytes(a.S)
			if err != nil {
				return nil, err
			}
			r, err := zlib.NewReader(strings.NewReader(data))
			if err != nil {
				return nil, value.Failure("zlib.error", "Error -3 while decompressing data: incorrect header check")
			}
			var b bytes.Buffer
			poll := value.PollOf(thread)
			for asked := 0; err == nil; {
				poll.Ask(part)
				if b.Len()+part > asked {
					asked = 2*b.Len() + part
					if err := value.Ask("decompress", "bytes", int64(asked)); err != nil {
						return nil, err
					}
				}
				_, err = io.CopyN(&b, r, part)
			}
			if !errors.Is(err, io.EOF) {
				return nil, value.Failure("zlib.error", "Error -5 while decompressing data: incomplete or truncated stream")
			}
			return starlark.Bytes(b.String()), nil
		}),
	}
}

// adler goes on with a checksum of Adler's, which Go's package begins anew.
func adler(n uint32, b []byte) uint32 {
	const mod = 65521
	lo, hi := n&0xffff, n>>16
	more := adler32.Checksum(b)
	sum := more & 0xffff // 1 and the bytes
	size := uint32(len(b) % mod)
	a := (lo + sum + mod - 1) % mod
	h := (uint64(hi) + uint64(size)*uint64(lo+mod-1) + uint64(more>>16)) % mod
	return uint32(h)<<16 | a
}

package graphfile

import (
	"fmt"
	"hash/crc32"

	"github.com/arignote/arignote/runtime/safetensors"
	"github.com/arignote/arignote/runtime/tensor"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is that of the metadata and of the arrays, with their names, types and shapes. stop is
// asked before each block.
func checksum(meta map[string]string, names []string, arrays []*tensor.Dense, stop func() error) (string, error) {
	sum := crc32.New(castagnoli)
	for _, key := range sortedKeys(meta) {
		fmt.Fprintf(sum, "%q=%q\n", key, meta[key])
	}
	for i, d := range arrays {
		fmt.Fprintf(sum, "%q %v%v\n", names[i], d.DType(), d.Shape())
		for block := range safetensors.Blocks(d) {
			if err := stop(); err != nil {
				return "", err
			}
			sum.Write(block)
		}
	}
	return fmt.Sprintf("%08x", sum.Sum32()), nil
}

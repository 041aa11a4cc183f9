package kernels

import (
	"encoding/binary"
	"math/bits"
)

// A NonZeroFunc writes first + i*step to at, for each i with mask[i] = 1, in order; other bytes of
// mask are 0. at has room for as many as there are ones, and their number is returned.
type NonZeroFunc func(at []int64, mask []uint8, first, step int64) int

// OnesOf says of each byte where its ones are, from the lowest bit on.
var OnesOf = func() (ones [256][8]uint8) {
	for v := range ones {
		for rest, k := uint(v), 0; rest != 0; rest &= rest - 1 {
			ones[v][k] = uint8(bits.TrailingZeros(rest))
			k++
		}
	}
	return ones
}()

// BitsOf is the byte whose bits are eight bytes of a mask, the first the lowest.
func BitsOf(word uint64) uint8 { return uint8(word * 0x0102040810204080 >> 56) }

func nonZero(at []int64, mask []uint8, first, step int64) int {
	k, i := 0, 0
	for ; i+8 <= len(mask); i += 8 {
		word := binary.LittleEndian.Uint64(mask[i:])
		switch from := first + int64(i)*step; {
		case word == 0:
		case k+8 <= len(at): // Eight are written, and the next over those that do not count: no branch depends on what may be random.
			room, ones := (*[8]int64)(at[k:]), &OnesOf[BitsOf(word)]
			// The compiler unrolls nothing, and a loop takes three times as long.
			room[0], room[1], room[2], room[3] = from+int64(ones[0])*step, from+int64(ones[1])*step, from+int64(ones[2])*step, from+int64(ones[3])*step
			room[4], room[5], room[6], room[7] = from+int64(ones[4])*step, from+int64(ones[5])*step, from+int64(ones[6])*step, from+int64(ones[7])*step
			k += bits.OnesCount64(word)
		default: // there is room for those that count only
			for ; word != 0; word &= word - 1 {
				at[k] = from + int64(bits.TrailingZeros64(word)/8)*step
				k++
			}
		}
	}
	for ; i < len(mask); i++ {
		if mask[i] != 0 {
			at[k] = first + int64(i)*step
			k++
		}
	}
	return k
}

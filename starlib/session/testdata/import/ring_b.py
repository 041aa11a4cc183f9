from ring_a import x

def broken():
    return 1 // 0
broken()

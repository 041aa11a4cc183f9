w = 0
while w < 3:
    w += 1
    while (p := w % 2) and False: pass
    print(p)
    for p in [1, 2, 3]:
        print(p)
    del p
    p = 5

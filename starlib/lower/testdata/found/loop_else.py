w = 0
while w < 2:
    w += 1
    a = 1
else:
    try:
        a = 0
    finally:
        pass
print(a)

"""The sieve of Eratosthenes over a list of bools. Its time is that of a number below the limit."""
from timing import report


def main(n):
    prime = [True] * n
    prime[0] = prime[1] = False
    for i in range(2, n):
        if i * i >= n:
            break
        if prime[i]:
            for k in range(i * i, n, i):
                prime[k] = False
    count = 0
    for p in prime:
        if p:
            count += 1
    return count


report(main, 50000, 50000)

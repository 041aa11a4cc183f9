"""The product of matrices that are lists of lists: nested indices."""
from timing import report

SIZE = 40


def main(n):
    a = [[float(i + 2 * j) for j in range(n)] for i in range(n)]
    b = [[float(i - j) for j in range(n)] for i in range(n)]
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i][k] * b[k][j]
            c[i][j] = total
    return "%.1f" % (c[0][0] + c[n - 1][n // 2])


report(main, SIZE, SIZE ** 3)

"""Points of the Mandelbrot set: a while loop of floats with a break. Its time is that of a step."""
from timing import report

SIZE, MOST = 24, 60


def main(n):
    steps = 0
    for row in range(n):
        for col in range(n):
            cr, ci = 3.0 * col / n - 2.25, 2.5 * row / n - 1.25
            zr, zi, k = 0.0, 0.0, 0
            while k < MOST:
                rr, ii = zr * zr, zi * zi
                if rr + ii > 4.0:
                    break
                zr, zi = rr - ii + cr, 2.0 * zr * zi + ci
                k += 1
            steps += k
    return steps


report(main, SIZE, main(SIZE))

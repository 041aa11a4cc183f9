"""How the programs here measure themselves."""
import time


def report(main, n, per, best_of=5):
    """Prints what main(n) is, and the least time of its runs in nanoseconds by per, which is how often its loop runs."""
    least = None
    for _ in range(best_of):
        begun = time.perf_counter()
        result = main(n)
        took = time.perf_counter() - begun
        if least is None or took < least:
            least = took
    print("%s\t%.3f" % (result, least * 1e9 / per))

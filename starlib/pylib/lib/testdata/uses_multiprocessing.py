import multiprocessing as mp
from multiprocessing import Pool, Process, cpu_count
def square(x):
    return x * x
def add(a, b):
    return a + b
if __name__ == "__main__":
    with Pool(2) as p:
        print(p.map(square, [1, 2, 3]), p.starmap(add, [(1, 2), (3, 4)]), list(p.imap(square, range(3))), p.apply(add, (1, 2)), p.apply_async(square, (5,)).get())
    pool = Pool(2)
    r = pool.map_async(square, [1, 2])
    pool.close()
    pool.join()
    print(r.get(), r.ready(), cpu_count() >= 1)
    p = Process(target=square, args=(2,))
    p.start()
    p.join()
    print(p.exitcode, p.is_alive())
    try:
        pool.map(square, [1])
    except ValueError as e:
        print(e)

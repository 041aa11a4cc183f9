import threading, queue
out = []
def work(n, k=1):
    out.append(n * k)
ts = [threading.Thread(target=work, args=(i,), kwargs={"k": 2}) for i in range(4)]
for t in ts:
    t.start()
for t in ts:
    t.join()
print(sorted(out), ts[0].is_alive(), ts[0].name)
class T(threading.Thread):
    def __init__(self, x):
        super().__init__(name="mine")
        self.x = x
    def run(self):
        self.result = self.x ** 2
t = T(5)
t.start()
t.join()
print(t.result, t.name, threading.current_thread().name, threading.main_thread() is threading.current_thread())
lock = threading.Lock()
with lock:
    print(lock.locked(), lock.acquire(False))
print(lock.locked())
r = threading.RLock()
with r:
    with r:
        print("twice")
e = threading.Event()
print(e.is_set(), e.wait(0))
e.set()
print(e.wait())
l = threading.local()
l.x = 1
print(l.x, hasattr(l, "y"))
for f in [lambda: t.start(), lambda: threading.Thread().join(), lambda: lock.release()]:
    try:
        f()
    except RuntimeError as e:
        print(e)
s = threading.Semaphore(1)
print(s.acquire(), s.acquire(False))
q = queue.Queue(2)
q.put(1); q.put(2)
try:
    q.put_nowait(3)
except queue.Full:
    print("full")
print(q.get(), q.get(), q.empty(), q.qsize())
try:
    q.get(timeout=0.01)
except queue.Empty:
    print("empty")
q.task_done(); q.task_done(); q.join()
p = queue.PriorityQueue()
for x in [3, 1, 2]:
    p.put(x)
print([p.get() for _ in range(3)])
z = queue.LifoQueue()
z.put("a"); z.put("b")
print(z.get(), z.get())
def producer():
    for i in range(3):
        q2.put(i)
    q2.put(None)
def consumer():
    while True:
        x = q2.get()
        if x is None:
            break
        got.append(x)
q2, got = queue.Queue(), []
a, b = threading.Thread(target=producer), threading.Thread(target=consumer)
a.start(); b.start(); a.join(); b.join()
print(got)

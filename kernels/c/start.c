//go:build !purego

// What runs before Go does. Go reserves address space when it starts, and where a limit leaves too little, it prints stacks, before any line
// of a program in Go has run to say what it means.

#if defined(__linux__)

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// leastSpace is what Go reserves, with some threads and a heap to start in; main.go has it too.
static const unsigned long long leastSpace = 1800ull * 1000 * 1000;

__attribute__((constructor)) static void checkAddressSpace(void) {
    struct rlimit limit;
    char text[256];
    int n;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= leastSpace) {
        return;
    }
    n = snprintf(text, sizeof text,
                 "arignote: ulimit -v allows the process %llu bytes of address space, too little to start: want at least %llu (ulimit -v %llu)\n",
                 (unsigned long long)limit.rlim_cur, leastSpace, leastSpace / 1024 + 1);
    if (n > 0 && write(2, text, (size_t)n) < 0) {
        _exit(2);
    }
    _exit(1);
}

#endif

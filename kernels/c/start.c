//go:build !purego

// How a program starts. Go reserves address space when it does, and where a limit leaves too little, it prints
// stacks, before any line of a program in Go has run to say what it means. And what the start has read of the
// program's file is not needed later.

#if defined(__linux__)
#define _GNU_SOURCE // for link.h

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
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


// The first object is the program. What cannot be written is as it is in the file.
static int forgetSegments(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        start = (start + page - 1) / page * page;
        end = end / page * page;
        if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W) && start < end)
            madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 1;
}

void forget_start(void) { dl_iterate_phdr(forgetSegments, 0); }

#else

void forget_start(void) {}

#endif

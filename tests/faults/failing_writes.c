/* Preloaded into the program under test: counts its calls of write, fsync, close and rename on files below
   $FAULT_FOLDER, and makes the k-th fail ($FAULT_AT, from 1) with $FAULT_ERRNO; with $FAULT_LASTING=1 all later ones, too,
   as on a disk that is full. What is counted is written to $FAULT_COUNT when the program ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long calls;

static int is_below(const char *path) {
  const char *folder = getenv("FAULT_FOLDER");
  return folder && path && !strncmp(path, folder, strlen(folder));
}

static int is_descriptor_below(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

/* Programs that this one starts write for themselves. */
__attribute__((constructor)) static void keep_to_this_process(void) { unsetenv("LD_PRELOAD"); }

/* Whether this call, on a file that counts, is one that fails; errno is then set. */
static int fails(void) {
  const char *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERRNO"), *lasting = getenv("FAULT_LASTING");
  const long number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  if (!at) return 0;
  const long first = atol(at);
  if (number != first && !(lasting && number > first)) return 0;
  errno = error ? atoi(error) : EIO;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) {
  return is_descriptor_below(fd) && fails() ? -1 : NEXT(write)(fd, data, size);
}

int fsync(int fd) { return is_descriptor_below(fd) && fails() ? -1 : NEXT(fsync)(fd); }

/* Descriptors that are only read from, and those of folders, have nothing to lose. */
int close(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  const int counts = flags != -1 && (flags & O_ACCMODE) != O_RDONLY && is_descriptor_below(fd);
  const int failed = counts && fails();
  const int error = errno, result = NEXT(close)(fd); /* the descriptor is gone either way, as on Linux */
  if (!failed) return result;
  errno = error;
  return -1;
}

int rename(const char *from, const char *to) { return is_below(to) && fails() ? -1 : NEXT(rename)(from, to); }

__attribute__((destructor)) static void report(void) {
  const char *file = getenv("FAULT_COUNT");
  FILE *out = file ? fopen(file, "w") : NULL;
  if (!out) return;
  fprintf(out, "%ld\n", calls);
  fclose(out);
}

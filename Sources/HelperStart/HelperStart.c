#define _GNU_SOURCE
#include "HelperStart.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// A helper that traps leaves its report to us instead of a backtrace of 20 lines, and URLSession's folders for cookies and a
/// cache it is told not to use must not appear in the user's home.
static char *const manners[] = {"SWIFT_BACKTRACE=enable=no", "XDG_DATA_HOME=/dev/null", "XDG_CACHE_HOME=/dev/null"};
enum { manners_count = sizeof manners / sizeof *manners };

static bool is_overruled(const char *variable) {
    for (int index = 0; index < manners_count; index++) {
        size_t length = strcspn(manners[index], "=") + 1;
        if (strncmp(variable, manners[index], length) == 0) return true;
    }
    return false;
}

/// The variables of `environment`, and the manners; on the heap. A null pointer where there is no memory.
static char **with_manners(char *const environment[]) {
    size_t count = 0;
    while (environment[count]) count++;
    char **variables = calloc(count + manners_count + 1, sizeof *variables);
    if (!variables) return NULL;
    char **next = variables;
    for (size_t index = 0; index < count; index++) {
        if (!is_overruled(environment[index])) *next++ = environment[index];
    }
    memcpy(next, manners, sizeof manners);
    return variables;
}

/// A descriptor like `number` that is none of the three standard streams, which some parents leave closed; -1 without any.
static int above_standard_streams(int number) {
    if (number > STDERR_FILENO || number < 0) return number;
    int higher = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int reason = errno;
    close(number);
    errno = reason;
    return higher;
}

/// Two connected descriptors. Sockets, not pipes: they close on exec from their first moment on, so that no child started at the same
/// time by another thread keeps them open, and writing to one whose peer is gone need not raise SIGPIPE.
static bool connect_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    ends[0] = above_standard_streams(ends[0]);
    ends[1] = above_standard_streams(ends[1]);
    return ends[0] >= 0 && ends[1] >= 0;
}

static void close_pair(const int ends[2]) {
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
}

/// A parent that ignores SIGCHLD would never learn how its children ended.
static void collect_children_on_demand(void) {
    struct sigaction current;
    if (sigaction(SIGCHLD, NULL, &current) == 0 && current.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

static int spawn(const char *path, char *const environment[], int conversation, int errors, pid_t *process) {
    char **variables = with_manners(environment);
    if (!variables) return ENOMEM;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, conversation, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, conversation, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t no_signals;
    sigemptyset(&no_signals);
    posix_spawnattr_setsigmask(&attributes, &no_signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    char *const arguments[] = {(char *)path, NULL};
    int code = posix_spawn(process, path, &actions, &attributes, arguments, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    return code;
}

int start_helper(const char *path, char *const environment[], struct started_helper *helper) {
    int conversation[2] = {-1, -1}, errors[2] = {-1, -1};
    if (!connect_pair(conversation) || !connect_pair(errors)) {
        int reason = errno;
        close_pair(conversation);
        close_pair(errors);
        return reason;
    }
    collect_children_on_demand();
    int code = spawn(path, environment, conversation[1], errors[1], &helper->process);
    // Their ends must be closed here, or the answer would never end.
    close(conversation[1]);
    close(errors[1]);
    if (code != 0) {
        close(conversation[0]);
        close(errors[0]);
        return code;
    }
    helper->answers = conversation[0];
    helper->diagnostics = errors[0];
    return 0;
}

bool helper_path(int place, const char *executable, char *path, size_t size) {
    // Beside the program, as the build leaves it, or as it is installed.
    static const char *const places[] = {"quakes-fetch", "../libexec/quakes/quakes-fetch"};
    if (place < 0 || (size_t)place >= sizeof places / sizeof *places) return false;
    char running[PATH_MAX];
    if (!executable) {
        ssize_t count = readlink("/proc/self/exe", running, sizeof running - 1);
        if (count < 0) return false;
        running[count] = 0;
        executable = running;
    }
    const char *slash = strrchr(executable, '/');
    int folder = slash ? (int)(slash - executable) : 0;
    int length = snprintf(path, size, "%.*s/%s", folder, executable, places[place]);
    return length > 0 && (size_t)length < size;
}

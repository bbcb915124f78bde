// Works around a defect of URLSession on Linux: it keeps one processor busy while it waits for a server.
//
// Defect (swift-corelibs-foundation, seen in Swift 6.3.1): libcurl asks for write readiness to connect, and for read
// readiness afterward. URLSession adds a dispatch source for each and never removes the one for writing. A connected
// socket is nearly always writable, so that source wakes URLSession some 5,000 times a second.
//
// Cure: this `epoll_ctl` takes the place of the C library's in a program that links it. It removes EPOLLOUT from every
// registration that also asks for EPOLLIN. One that asks for EPOLLOUT alone, as connecting does, stays as it is.
//
// Limit: a request must fit the socket's buffer, since nobody would be told when there is room for the rest of it. A
// GET does. So only quakes-fetch links this target. Remove the file when `DownloadWaitTests` passes without it.

#include <stddef.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
    if (event == NULL || (event->events & EPOLLIN) == 0) {
        return (int)syscall(SYS_epoll_ctl, epoll, operation, descriptor, event);
    }
    struct epoll_event reading = *event;
    reading.events &= ~(uint32_t)EPOLLOUT;
    return (int)syscall(SYS_epoll_ctl, epoll, operation, descriptor, &reading);
}

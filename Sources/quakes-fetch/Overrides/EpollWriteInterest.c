// Works around a defect: on Linux, URLSession keeps one processor busy while it waits for a server.
//
// Defect (swift-corelibs-foundation, observed in Swift 6.3.1): libcurl requests write readiness to connect, and read
// readiness afterward. URLSession adds a dispatch source for each and never removes the one for writing. A connected
// socket is nearly always writable, so this source wakes URLSession some 5,000 times a second.
//
// Remedy: this `epoll_ctl` replaces the C library's in a program that links this target. It removes EPOLLOUT from every
// registration that also requests EPOLLIN. A registration for EPOLLOUT alone, as for connecting, is unchanged.
//
// Limit: a request must fit in the socket's buffer, because nothing would report that there is room for the rest. A GET
// request fits. So only quakes-fetch links this target. Remove the file when `HelperTests.idleWait` passes without it.

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

// This target exports nothing to Swift: linking it is what replaces `epoll_ctl`. See EpollWriteInterest.c.

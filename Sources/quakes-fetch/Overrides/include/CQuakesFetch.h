// This target exports nothing to Swift. Linking it replaces `epoll_ctl` (EpollWriteInterest.c) and
// `curl_multi_add_handle` (CertificateFile.c).

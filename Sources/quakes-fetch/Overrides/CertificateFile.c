// Trusts the certificates in $CURL_CA_BUNDLE or $SSL_CERT_FILE, like the program curl. URLSession on Linux has no
// setting for certificates, and libcurl, the library, ignores these variables.
//
// This `curl_multi_add_handle`, which starts a transfer, replaces libcurl's in a program that links this target. The
// build does not need libcurl's headers, because the numbers of libcurl's options never change.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

enum { CAINFO = 10065, PROXY_CAINFO = 10246, BAD_HANDLE = 1 };

extern int curl_easy_setopt(void *easy, int option, ...);

int curl_multi_add_handle(void *multi, void *easy) {
    int (*add)(void *, void *) = dlsym(RTLD_NEXT, "curl_multi_add_handle");
    const char *file = getenv("CURL_CA_BUNDLE");
    if (file == NULL || *file == '\0') file = getenv("SSL_CERT_FILE");
    if (file != NULL && *file != '\0') {
        curl_easy_setopt(easy, CAINFO, file);
        curl_easy_setopt(easy, PROXY_CAINFO, file);
    }
    return add == NULL ? BAD_HANDLE : add(multi, easy);
}

#ifndef CQUAKES_SHA256_H
#define CQUAKES_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes the SHA-256 (FIPS 180-4) of `count` bytes to the 32 bytes at `digest`, with the processor's instructions for
/// it, where it has them.
void quakes_sha256(const void *bytes, size_t count, uint8_t *digest);

/// The same with instructions that every processor has.
void quakes_sha256_portable(const void *bytes, size_t count, uint8_t *digest);

/// Whether this processor has instructions for SHA-256.
bool quakes_sha256_has_instructions(void);

#endif

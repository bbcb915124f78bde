#ifndef CQUAKES_JSON_H
#define CQUAKES_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// Bit masks of the bytes that matter for the structure of JSON, in a block of 64 bytes. The lowest bit stands for the
/// first byte.
///
/// Written in C, because Swift's SIMD types cannot turn a comparison into a bit mask; in C, that takes one instruction
/// for 16 bytes.
struct json_marks {
    uint64_t quotes;
    uint64_t backslashes;
    /// Opening brackets and braces.
    uint64_t openers;
    /// Closing brackets and braces.
    uint64_t closers;
};

typedef uint8_t json_bytes __attribute__((ext_vector_type(64)));
typedef bool json_bits __attribute__((ext_vector_type(64)));

#define JSON_MARK(comparison)                                            \
    ({                                                                   \
        json_bits bits = __builtin_convertvector(comparison, json_bits); \
        uint64_t mask;                                                   \
        memcpy(&mask, &bits, sizeof mask);                               \
        mask;                                                            \
    })

/// Returns the masks for the 64 bytes at `start`.
static inline struct json_marks json_marks_at(const void *start) {
    json_bytes bytes;
    memcpy(&bytes, start, sizeof bytes);
    // A bracket and a brace that face the same way differ in one bit.
    json_bytes folded = bytes | 0x20;
    return (struct json_marks){
        .quotes = JSON_MARK(bytes == '"'),
        .backslashes = JSON_MARK(bytes == '\\'),
        .openers = JSON_MARK(folded == '{'),
        .closers = JSON_MARK(folded == '}'),
    };
}

#undef JSON_MARK

#endif

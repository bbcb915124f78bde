/// SQL functions for the checksum of a row. Written in C for speed, because every row written needs a checksum.
///
/// The algorithm must never change. All numbers are unsigned 64-bit integers. fold(a, b) is the exclusive or of the two
/// halves of the 128-bit product a * b. mix(s, kind, word) is fold(s ^ (0xD1B54A32D192ED03 + kind), word ^
/// 0x8CB92BA72F3D8DD7). The sum s starts as 0x9E3779B97F4A7C15, and each value replaces s by:
///
/// - INTEGER: mix(s, 1, its bits). REAL: mix(s, 2, its IEEE bits), with -0 as 0. NULL: mix(s, 5, 0).
/// - TEXT: mix(s, 3, its length in UTF-8 bytes), then mix(s, 0, word) for every eight bytes, read as a little-endian
///   word and padded with zeros. BLOB: mix(s, 4, its length in bytes), then its bytes as for TEXT.
///
/// The checksum is the final s, as a signed number. An update sets it to the exclusive or of the row's old checksum,
/// the checksum of the old values, and the checksum of the new values, so that a damaged row remains damaged.
#include <stdint.h>
#include <string.h>

/// Kinds that, like SQLite's type codes, are mixed with the bits of a value, so that 1, 1.0, '1' and X'31' differ.
enum { QUAKES_NULL = 5, QUAKES_WORD = 0 };

static inline uint64_t quakes_fold(uint64_t a, uint64_t b) {
    const __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t quakes_mix(uint64_t sum, unsigned kind, uint64_t word) {
    return quakes_fold(sum ^ (UINT64_C(0xD1B54A32D192ED03) + kind), word ^ UINT64_C(0x8CB92BA72F3D8DD7));
}

/// Adds a text or blob: its length, then its bytes, eight at a time. Sets bits in `zeros` if a byte is zero.
static inline uint64_t quakes_mix_bytes(
    uint64_t sum, unsigned kind, const unsigned char *bytes, size_t count, uint64_t *zeros
) {
    sum = quakes_mix(sum, kind, count);
    for (size_t index = 0; index < count; index += 8) {
        const size_t length = count - index < 8 ? count - index : 8;
        uint64_t word = 0;
        memcpy(&word, bytes + index, length);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        // The bytes after the end do not count as zero.
        const uint64_t seen = length < 8 ? word | UINT64_MAX << 8 * length : word;
        *zeros |= (seen - UINT64_C(0x0101010101010101)) & ~seen & UINT64_C(0x8080808080808080);
        sum = quakes_mix(sum, QUAKES_WORD, word);
    }
    return sum;
}

/// Returns the checksum of `values`. Sets bits in `zeros` if a text contains a zero byte.
static inline int64_t quakes_checksum(int count, sqlite3_value **values, uint64_t *zeros) {
    uint64_t sum = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t ignored = 0;
    for (int index = 0; index < count; index++) {
        sqlite3_value *const value = values[index];
        const int kind = sqlite3_value_type(value);
        switch (kind) {
        case SQLITE_INTEGER: sum = quakes_mix(sum, SQLITE_INTEGER, (uint64_t)sqlite3_value_int64(value)); break;
        case SQLITE_FLOAT: {
            // SQLite does not keep the sign of zero in a REAL column.
            const double number = sqlite3_value_double(value) + 0.0;
            uint64_t word;
            memcpy(&word, &number, sizeof word);
            sum = quakes_mix(sum, SQLITE_FLOAT, word);
            break;
        }
        case SQLITE_TEXT:
        case SQLITE_BLOB: {
            // Do not read the value as text, because SQLite would copy it to append a zero byte.
            const unsigned char *const bytes = sqlite3_value_blob(value);
            const size_t length = (size_t)sqlite3_value_bytes(value);
            sum = quakes_mix_bytes(sum, (unsigned)kind, bytes, length, kind == SQLITE_TEXT ? zeros : &ignored);
            break;
        }
        default: sum = quakes_mix(sum, QUAKES_NULL, 0);
        }
    }
    return (int64_t)sum;
}

static inline void quakes_row_checksum(struct sqlite3_context *context, int count, sqlite3_value **values) {
    uint64_t zeros = 0;
    sqlite3_result_int64(context, quakes_checksum(count, values, &zeros));
}

/// `row_fault(checksum, value, …)`: 0 if the values have this checksum, 1 if they do not, 2 if they have this checksum
/// but a text contains a zero byte.
static inline void quakes_row_fault(struct sqlite3_context *context, int count, sqlite3_value **values) {
    uint64_t zeros = 0;
    const int64_t found = quakes_checksum(count - 1, values + 1, &zeros);
    const int isSame = sqlite3_value_type(values[0]) == SQLITE_INTEGER && sqlite3_value_int64(values[0]) == found;
    sqlite3_result_int(context, isSame ? (zeros ? 2 : 0) : 1);
}

/// `moved_checksum(checksum, before, after)`: the checksum after an update, given the checksums of the values before
/// and after the update. If `checksum` was wrong before the update, the result is also wrong.
static inline void quakes_moved_checksum(struct sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    sqlite3_result_int64(
        context, sqlite3_value_int64(values[0]) ^ sqlite3_value_int64(values[1]) ^ sqlite3_value_int64(values[2]));
}

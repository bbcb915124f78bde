#include "CQuakesSHA256.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

/// Takes `blocks` of 64 bytes into the state.
typedef void compression(uint32_t state[8], const uint8_t *bytes, size_t blocks);

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

static void compress_portably(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    for (; blocks > 0; blocks--, bytes += 64) {
        uint32_t words[16], now[8];
        memcpy(words, bytes, sizeof words);
        memcpy(now, state, sizeof now);
#pragma clang loop unroll(full)
        for (int round = 0; round < 64; round++) {
            uint32_t *word = &words[round % 16];
            if (round < 16) {
                *word = __builtin_bswap32(*word);
            } else {
                uint32_t early = words[(round + 1) % 16], late = words[(round + 14) % 16];
                *word += (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) + words[(round + 9) % 16]
                    + (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
            }
            // The eight variables a to h move by one place each round.
            uint32_t *a = &now[(64 - round) % 8], *b = &now[(65 - round) % 8], *c = &now[(66 - round) % 8];
            uint32_t *d = &now[(67 - round) % 8], *e = &now[(68 - round) % 8], *f = &now[(69 - round) % 8];
            uint32_t *g = &now[(70 - round) % 8], *h = &now[(71 - round) % 8];
            *h += (rotated(*e, 6) ^ rotated(*e, 11) ^ rotated(*e, 25)) + (*g ^ (*e & (*f ^ *g))) + constants[round]
                + *word;
            *d += *h;
            *h += (rotated(*a, 2) ^ rotated(*a, 13) ^ rotated(*a, 22)) + ((*a & *b) | (*c & (*a | *b)));
        }
        for (int index = 0; index < 8; index++) state[index] += now[index];
    }
}

#if defined(__x86_64__)
__attribute__((target("sha,ssse3,sse4.1")))
static void compress_with_instructions(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    const __m128i reversed = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    // The instructions want the variables as ABEF and CDGH, A in the highest place.
    __m128i dcba = _mm_loadu_si128((const __m128i *)state), hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
    __m128i abef = _mm_unpacklo_epi64(_mm_shuffle_epi32(hgfe, 0xb1), _mm_shuffle_epi32(dcba, 0xb1));
    __m128i cdgh = _mm_unpackhi_epi64(_mm_shuffle_epi32(hgfe, 0xb1), _mm_shuffle_epi32(dcba, 0xb1));
    for (; blocks > 0; blocks--, bytes += 64) {
        __m128i words[4];
        for (int index = 0; index < 4; index++)
            words[index] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + index), reversed);
        const __m128i abef_before = abef, cdgh_before = cdgh;
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            const __m128i word = words[group % 4], last = words[(group + 3) % 4];
            const __m128i sum = _mm_add_epi32(word, _mm_loadu_si128((const __m128i *)constants + group));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
            const __m128i next = _mm_add_epi32(
                _mm_sha256msg1_epu32(word, words[(group + 1) % 4]), _mm_alignr_epi8(last, words[(group + 2) % 4], 4));
            words[group % 4] = _mm_sha256msg2_epu32(next, last);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    _mm_storeu_si128((__m128i *)state, _mm_shuffle_epi32(_mm_unpackhi_epi64(abef, cdgh), 0xb1));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_shuffle_epi32(_mm_unpacklo_epi64(abef, cdgh), 0xb1));
}

bool quakes_sha256_has_instructions(void) {
    unsigned a, b, c, d;
    const bool has_sse = __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSSE3 && c & bit_SSE4_1;
    return has_sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
}
#elif defined(__aarch64__)
__attribute__((target("sha2")))
static void compress_with_instructions(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
    for (; blocks > 0; blocks--, bytes += 64) {
        uint32x4_t words[4];
        for (int index = 0; index < 4; index++)
            words[index] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16 * index)));
        const uint32x4_t abcd_before = abcd, efgh_before = efgh;
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            uint32x4_t *word = &words[group % 4];
            const uint32x4_t sum = vaddq_u32(*word, vld1q_u32(constants + 4 * group)), abcd_now = abcd;
            abcd = vsha256hq_u32(abcd, efgh, sum);
            efgh = vsha256h2q_u32(efgh, abcd_now, sum);
            *word = vsha256su1q_u32(
                vsha256su0q_u32(*word, words[(group + 1) % 4]), words[(group + 2) % 4], words[(group + 3) % 4]);
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

bool quakes_sha256_has_instructions(void) { return getauxval(AT_HWCAP) & HWCAP_SHA2; }
#else
static compression *const compress_with_instructions = compress_portably;

bool quakes_sha256_has_instructions(void) { return false; }
#endif

static void hash(const uint8_t *bytes, size_t count, uint8_t *digest, compression *compress) {
    uint32_t state[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    compress(state, bytes, count / 64);
    // The rest, a bit that is set, and the number of bits in the last 8 bytes of a block.
    uint8_t tail[128] = {0};
    const size_t left = count % 64, blocks = left < 56 ? 1 : 2;
    const uint64_t bits = __builtin_bswap64((uint64_t)count * 8);
    if (left > 0) memcpy(tail, bytes + count - left, left);
    tail[left] = 0x80;
    memcpy(tail + 64 * blocks - sizeof bits, &bits, sizeof bits);
    compress(state, tail, blocks);
    for (int index = 0; index < 8; index++) state[index] = __builtin_bswap32(state[index]);
    memcpy(digest, state, sizeof state);
}

void quakes_sha256_portable(const void *bytes, size_t count, uint8_t *digest) {
    hash(bytes, count, digest, compress_portably);
}

void quakes_sha256(const void *bytes, size_t count, uint8_t *digest) {
    hash(bytes, count, digest, quakes_sha256_has_instructions() ? compress_with_instructions : compress_portably);
}

#include "CQuakesJSON.h"

_Static_assert(sizeof(json_bits) == sizeof(uint64_t), "json_marks needs one bit for each of 64 bytes");

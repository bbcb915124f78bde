#include "JSONMarks.h"

_Static_assert(sizeof(json_bits) == sizeof(uint64_t), "a bit for each byte");

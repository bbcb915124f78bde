// The C sources' own checks, which the same program makes on this machine and, under emulation, on another one:
//
// - JSON marks: the scan of 64 bytes at once agrees with one that looks at a byte at a time, for every byte in every
//   place, for random blocks, and for all blocks of the documents named.
// - Checksums: in a cache that was written elsewhere, each row has its checksum, and none has it after a bit was flipped.
//
// usage: checks CACHE [DOCUMENT…]
#include "CQuakesJSON.h"
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>

static void fail(const char *subject, const char *reason) {
    fprintf(stderr, "%s: %s\n", subject, reason);
    exit(1);
}

static uint64_t blocks;

static struct json_marks plain_marks_at(const unsigned char *start) {
    struct json_marks marks = {0};
    for (int place = 0; place < 64; place += 1) {
        const uint64_t bit = (uint64_t)1 << place;
        switch (start[place]) {
        case '"': marks.quotes |= bit; break;
        case '\\': marks.backslashes |= bit; break;
        case '[': case '{': marks.openers |= bit; break;
        case ']': case '}': marks.closers |= bit; break;
        }
    }
    return marks;
}

static void check_block(const unsigned char *block, const char *source) {
    const struct json_marks found = json_marks_at(block);
    const struct json_marks expected = plain_marks_at(block);
    if (memcmp(&found, &expected, sizeof found) != 0) fail(source, "marks differ");
    blocks += 1;
}

static void check_made_blocks(void) {
    unsigned char block[64];
    for (int place = 0; place < 64; place += 1) {
        for (int byte = 0; byte < 256; byte += 1) {
            memset(block, ' ', sizeof block);
            block[place] = (unsigned char)byte;
            check_block(block, "single bytes");
        }
    }
    static const char marks[] = "\"\\[]{}";
    uint64_t state = 14;
    for (int round = 0; round < 1000000; round += 1) {
        for (int place = 0; place < 64; place += 1) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const unsigned random = (unsigned)(state >> 40);
            block[place] = random & 1 ? (unsigned char)(random >> 1) : (unsigned char)marks[(random >> 1) % 6];
        }
        check_block(block, "random blocks");
    }
}

static void check_document(const char *path) {
    unsigned char block[64];
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail(path, "cannot be opened");
    while (fread(block, 1, sizeof block, file) == sizeof block) check_block(block, path);
    fclose(file);
}

/// Returns the text of the query's only value; NULL if the value is null.
static char *text_of(sqlite3 *cache, const char *query) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(cache, query, -1, &statement, NULL) != SQLITE_OK) fail(query, sqlite3_errmsg(cache));
    if (sqlite3_step(statement) != SQLITE_ROW) fail(query, sqlite3_errmsg(cache));
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    char *copy = text == NULL ? NULL : sqlite3_mprintf("%s", text);
    sqlite3_finalize(statement);
    return copy;
}

static void check_table(sqlite3 *cache, const char *name) {
    // The columns in the order of their checksum: in `quakes` and `rows_before`, those of the quake come first.
    char *query = sqlite3_mprintf(
        "SELECT group_concat('\"' || name || '\"', ', ') FROM (SELECT name FROM pragma_table_info('%q') "
        "WHERE name <> 'checksum' ORDER BY "
        "instr('%s', ' ' || name || ' '), cid)",
        name, strcmp(name, "quakes") == 0 ? " key last_change hash source_time " : " change ");
    char *columns = text_of(cache, query);
    char *faults = sqlite3_mprintf(
        "SELECT iif(total(row_fault(checksum, %s)) = 0 AND "
        "total(row_fault((checksum | 1) - (checksum & 1), %s)) = count(*), count(*) || ' rows', NULL) FROM \"%w\"",
        columns, columns, name);
    const char *rows = text_of(cache, faults);
    if (rows == NULL) fail(name, "checksums differ");
    printf("%s: %s agree\n", name, rows);
}

int main(int count, char **arguments) {
    if (count < 2) fail("usage", "checks CACHE [DOCUMENT…]");
    check_made_blocks();
    for (int number = 2; number < count; number += 1) check_document(arguments[number]);
    printf("%llu blocks agree\n", (unsigned long long)blocks);
    sqlite3 *cache;
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    char *address = sqlite3_mprintf("file:%s?immutable=1", arguments[1]);
    if (sqlite3_open_v2(address, &cache, flags, NULL) != SQLITE_OK) fail(arguments[1], sqlite3_errmsg(cache));
    sqlite3_create_function(cache, "row_fault", -1, SQLITE_UTF8, NULL, quakes_row_fault, NULL, NULL);
    static const char *const tables[] = {
        "aliases", "changes", "consumers", "covered_ranges", "departed", "feeds", "quakes", "rows_before", "transactions",
    };
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index += 1) check_table(cache, tables[index]);
    return sqlite3_close(cache) == SQLITE_OK ? 0 : 1;
}

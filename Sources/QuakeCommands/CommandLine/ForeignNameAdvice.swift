/// Commands and options that other programs have but this one does not, each with a sentence that says what to use
/// instead.
enum ForeignNameAdvice {
    /// The sentences, keyed by the name of the command.
    static let commands = table(
        """
        delete rm remove del prune clean expire: `quakes purge` deletes quakes by age and filters; a quake that a feed \
        still lists comes back.
        vacuum gc compact: `quakes purge --compact` shrinks the file.
        revert rollback reset: `quakes undo` undoes a purge or another transaction; `quakes restore` brings back a \
        backup.
        export csv: `quakes list --output FILE` exports quakes; the extension of FILE selects the format.
        dump .dump snapshot: `quakes backup FILE` copies the whole cache, which is a SQLite file.
        search find grep near count: `quakes list` finds quakes with --near, --region, --place and other filters; \
        --count counts them.
        top largest biggest: `quakes list --sort mag --limit 10` lists the ten largest quakes.
        latest newest recent last today: `quakes list --limit 10` lists the ten newest quakes, and \
        `quakes list --since today` those of today.
        health healthcheck doctor: `quakes status --check` answers monitors with one line and an exit status.
        sql sqlite sqlite3 schema .schema .tables: The cache is a SQLite file, which sqlite3 can read; \
        `quakes status` shows its path.
        serve server daemon: There is no server; `quakes list --output FILE` and `quakes map --output FILE` write \
        files for one.
        cron schedule enable install: `quakes refresh` is meant for cron or a systemd timer; `quakes watch` keeps \
        running by itself.
        config set: There is no configuration file; `man quakes` lists the variables that set defaults.
        version: `quakes --version` shows the version.
        """)

    /// The sentences, keyed by the name of the option.
    static let options = table(
        """
        --insecure --no-check-certificate: Certificates are always checked; SSL_CERT_FILE names a file of \
        certificates to trust instead of the system's.
        --deleted --retracted --withdrawn: `quakes changes --since-token beginning --op delete` lists the quakes that \
        USGS retracted or you purged.
        --changed --revised --updated --updatedafter --updated-after: `quakes changes --since TIME --op revised` lists \
        the revisions since a time.
        --history --revisions --changes: `quakes show ID` lists the revisions of one quake, `quakes changes` those of \
        all.
        --id --ids --eventid --event-id: `quakes show ID` shows one quake; filters select by place, time and size.
        --polygon --shape --wkt --bounds: Areas are boxes (--bbox W,S,E,N) and circles (--near with --radius).
        --maxradius --max-radius --minradius --minradiuskm --min-radius: --radius takes a length, such \
        as 300km (one degree is 111.2 km); there is no option for a minimum.
        --offset --skip --page: There are no pages; shorten a long list with --since, --until or --limit.
        --days --hours --weeks --week: The unit is part of the value, as in `quakes list --since 7d` or \
        `quakes purge --older-than 30d`.
        --until: Changes always run up to now; `quakes diff FROM TO` compares two states.
        --date --on --month --year: Use --since for the start and --until for the end, which is excluded, as in \
        --since 2026-03-14 --until 2026-03-15.
        --top --largest --biggest --strongest: `quakes list --sort mag --limit 10` lists the ten largest quakes.
        --depth: The options for depth are --min-depth and --max-depth.
        --felt --significant: `quakes list --min-felt 1` lists felt quakes, and `quakes list --min-sig 600` \
        significant ones.
        --catalog --contributor: --net selects by the network of the preferred solution; the field `sources` lists all \
        networks.
        --miles --imperial: --units mi shows lengths in miles; write a value with its unit, as in --radius 12mi.
        --where --filter --query --jq --sql: There is no query language; use the filters, jq on JSON output, or SQL on \
        the cache.
        --delimiter --separator --sep --decimal --bom --excel --xlsx: csv has commas and decimal points, tsv has tabs; \
        Excel imports both (Data, From Text/CSV).
        --no-header --no-headers --noheader: csv and tsv begin with the field names; `tail -n +2` drops them.
        --notify --webhook --email --mail: `quakes watch --exec-each COMMAND` runs a command of yours, such as one \
        that sends mail, for each change.
        --feed --url: Feeds are named without an option, as in `quakes refresh all_day`; lists and maps cover all of \
        them.
        --follow --watch: `quakes watch` and `quakes changes --follow` print changes as they are recorded; \
        `quakes map --output FILE.html --reload 5m` writes a page that reloads.
        --keep --keep-days --keep-daily --retain: `quakes purge --older-than AGE` deletes old quakes; backups are \
        files that you delete yourself.
        """)

    private static func table(_ rows: String) -> [Substring: String] {
        var sentences: [Substring: String] = [:]
        for row in rows.split(separator: "\n") {
            let parts = row.split(separator: ": ", maxSplits: 1)
            for name in parts[0].split(separator: " ") {
                sentences[name] = String(parts[1])
            }
        }
        return sentences
    }
}

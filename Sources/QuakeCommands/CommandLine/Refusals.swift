/// Commands and options that other programs have and this one does not, with a sentence on what there is instead.
enum Refusals {
    /// The sentence, keyed by the name of a command.
    static let commands = table(
        """
        delete rm remove del: No command deletes a single quake; `quakes purge` deletes quakes by age and filters.
        prune clean forget expire: `quakes purge` deletes old quakes and old history.
        vacuum gc compact: `quakes purge --compact` shrinks the file.
        revert rollback reset: `quakes undo` undoes a purge or another transaction.
        export dump csv: `quakes list --output FILE` exports quakes; the extension of FILE selects the format.
        search find grep near: `quakes list` finds quakes with --near, --region, --place and other filters.
        count: `quakes list --count` counts quakes.
        top largest biggest: `quakes list --sort mag` begins with the largest quakes.
        latest newest recent last today: `quakes list` begins with the newest quakes, and --since limits their times.
        sql sqlite sqlite3 schema .schema .tables: The cache is a SQLite file, which sqlite3 can read; \
        `quakes status` shows its path.
        serve server daemon api: There is no server; `quakes list --output` and `quakes map --output` write files \
        for one.
        cron schedule enable install: Run `quakes refresh` from cron or a systemd timer; nothing needs to be installed.
        config set: There is no configuration file; `man quakes` lists the variables that set defaults.
        rss atom: There is no RSS feed; `quakes changes --template` writes a line of any text for each change.
        version: `quakes --version` shows the version.
        """)

    /// The sentence, keyed by the name of an option.
    static let options = table(
        """
        --insecure -k --no-check-certificate: Certificates are always checked; SSL_CERT_FILE can name one to trust.
        --deleted --retracted --withdrawn: Deleted quakes are in the history, which `quakes changes --op deleted` lists.
        --changed --revised --updated --updatedafter --updated-after: Revisions are in the history, which \
        `quakes changes --op revised` lists.
        --history --revisions --changes: `quakes show ID` lists the revisions of a quake.
        --id --ids --eventid --event-id: `quakes show ID` shows the quake with that id.
        --polygon --shape --wkt: Areas are boxes (--bbox) and circles (--near with --radius), not polygons.
        --maxradius --max-radius --minradius: The radius is a length, such as --radius 300km; a degree is 111.2 km.
        --offset --skip --page: There are no pages; shorten a long list with --since, --until or --limit.
        --days --hours --weeks --day --hour --week: A span of time includes its unit, as in --since 7d.
        --until: `quakes diff FROM TO` compares two states; the history always runs up to now.
        --date --on --month --year: --since is the start and --until the end, as in --since 2026-03-14 \
        --until 2026-03-15.
        --top --largest --biggest --strongest: --sort mag puts the largest quakes first, and --limit sets how many.
        --depth: The options for depth are --min-depth and --max-depth.
        --felt --significant: The options are --min-felt COUNT and --min-sig NUMBER.
        --where --filter --query --jq --sql: There is no query language; use the filters, jq, or SQL on the cache.
        --delimiter --separator --sep --decimal --bom --excel --xlsx: The separators are fixed: commas in csv and \
        csv-excel, which Excel opens, and tabs in tsv.
        --no-header --no-headers --noheader: csv and tsv begin with the field names; ndjson and --template do not.
        --date-format --time-format: The format of times is fixed; --tz changes their zone.
        --notify --webhook --email --mail: --exec-each runs your own command, such as one that sends mail, for each \
        change.
        --web --browser --open: The field url is the address of a quake's page at USGS.
        --feed --url: Feeds are named without an option, as in `quakes refresh all_day`.
        --follow --watch: `quakes watch` and `quakes changes --follow` print changes as they come.
        --keep --keep-days --keep-daily --retain: --older-than deletes what is older than an age and keeps the rest.
        --phases --picks --waveforms: The feeds contain no phases or waveforms.
        --predict --forecast: The cache holds quakes that have happened; it forecasts none.
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

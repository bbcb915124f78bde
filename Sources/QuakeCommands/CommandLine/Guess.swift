/// Words that people type out of habit from other programs, and this program's equivalents. The equivalents are only
/// suggested, so that there is one way to write each command. Every suggested line can be parsed.
struct Guess {
    /// The words to match: a command in first position, or options in any position, with their values. `a|b` matches
    /// either word. A name in capitals is a placeholder (see ``values(of:as:)``); if it comes first, it matches in any
    /// position.
    let typed: [Substring]
    /// The words that replace the typed ones, with their values; `_` is a space within a word, and `NOTHING` means no
    /// words. With backquotes, the text is a sentence instead.
    let answer: Substring
    /// A remark about the answer, if any.
    let remark: Substring?

    /// The first match is used; other guesses may then correct the rest of the line.
    static let table: [Guess] = """
        delete|rm|remove|purge ID → No command deletes a single quake; see `quakes help purge`.
        delete|rm|remove|purge --id|--ids|--eventid ID → No command deletes a single quake; see `quakes help purge`.
        sql|sqlite|schema|.schema|.tables → The cache is a SQLite file, which sqlite3 can read; `quakes status` shows \
        its path.
        refresh|watch -k|--insecure → Certificates are always checked; $SSL_CERT_FILE can name one to trust. \
        To skip the check, use `curl -k URL | quakes refresh -`. · list|map|summary --changed V → changes --changed V
        changes|watch --until → Changes always run up to now; `quakes diff FROM TO` compares two states.
        list|changes --revised|--updated|--corrected → changes --op update
        show --history|--revisions|--changes → show ; It lists the revisions.
        consumers rm|remove|delete|forget V → consumers --forget V
        export|dump --format|-f FORMAT → list --format FORMAT · --db V COMMAND → COMMAND --db V
        -v|--verbose COMMAND → COMMAND --verbose · list --deleted → changes --since-token beginning --op delete
        list --id|--ids|--eventid|--event-id|--event ID → show ID · map --id|--eventid|--highlight ID → map --select ID
        list|log|get|info|view|cat|open|inspect|browse|find|findid|geteventhist|history|event|revisions ID → show ID
        ID → show ID · undo ID → show ID ; `undo` takes a number from its column NO.
        top|largest|biggest|strongest N → list --sort mag --limit N
        top|largest|biggest|strongest → list --sort mag --limit 10
        latest|recent|newest|last|head|tail N → list --limit N · latest|recent|newest|last|head → list --limit 10
        today → list --since today · yesterday → list --since yesterday --until today · near V → list --near V
        in V → list --region V · version → --version · rollback|revert → undo
        prune|delete|rm|remove|clean → purge --older-than 365d --dry-run · gc|vacuum|compact → purge --compact
        purge --vacuum|--gc → purge --compact · summary --by mag|magnitude → summary ; It counts quakes by magnitude.
        revisions → changes --since 24h · diff → changes --since 24h
        export|dump|.dump FORMAT → list --format FORMAT · export|dump|.dump|csv → list --format csv
        FORMAT → --format FORMAT · .backup|save|snapshot V → backup V
        get|fetch|update|sync|pull|download|import|load|add|init → refresh · watch -f|--follow → watch
        tail|follow|monitor|start|daemon → watch · log|reflog → history · info|stat|health|doctor|ps → status
        check|fsck|lint → verify · stats|statistics → summary · plot|draw → map · subscribe → consumers
        count → list --count · ls|quakes|events|search|find|query|grep → list
        search|find|query|grep REGION → list --region REGION · search|find|query|grep CITY → list --near CITY
        search|find|query|grep V → list --place V · refresh --url|--feed|--file V → refresh V
        --max-time|--connect-timeout N → --timeout Ns · --json V → --format json --fields V · --FORMAT → --format FORMAT
        --json|--jsonl|--json-lines → --format ndjson · --output-format|--as V → --format V
        --format|-f usgs → --fields usgs --format csv · --format|-f excel|xlsx → --format csv-excel
        list --format|-f html → map --format html · list --format|-f svg → map --format svg
        list|map --format|-f png → map --format svg ; `rsvg-convert` turns the SVG into a PNG.
        --output|-o PNG → --output PNG.svg ; `rsvg-convert` turns the SVG into a PNG. · --file|--out V → --output V
        --depth|--min-depth A-B → --min-depth A --max-depth B
        --mag|--magnitude|--min-mag|-m A-B → --min-mag A --max-mag B · --filter|--where MAG → --min-mag MAG
        --mag|--magnitude|--min-magnitude|--minmagnitude|--mag-min|--above V → --min-mag V
        --max-magnitude|--maxmagnitude V → --max-mag V · --significant → --min-sig 600 · --felt N → --min-felt N
        --felt-at|--felt-near|--felt-in V → --near V --min-shaking felt · --felt → --min-felt 1 · --miles → --units mi
        --sig|--significance N → --min-sig N
        --eventtype|--event-type V → --type V · --reviewstatus|--review-status V → --status V
        --magnitudetype|--magnitude-type V → --magtype V · --alertlevel|--alert-level V → --alert V
        --catalog|--contributor|--network V → --net V · --eventid|--event-id V → --id V
        --url|--server|--endpoint V → --service-url V · --in|--sea|--country|--state V → --region V
        --location|--where|--search V → --place V · --on|--date|--day D → --since D --until NEXT
        --on|--date|--day today → --since today · --on|--date|--day yesterday → --since yesterday --until today
        --since|-s TIME → --since today_TIME · --since|-s AGO → --since AGO · --until AGO → --until AGO
        --older-than D → --before D · --from|--start|--starttime|--start-time|--after|--begin|--newer-than V → --since V
        --to|--end|--endtime|--end-time|--before V → --until V · --days|--day N → --since Nd
        --hours|--hour N → --since Nh · --last|--past|--age V → --since V
        --top|--largest|--biggest|--strongest N → --sort mag --limit N
        --largest|--biggest|--strongest → --sort mag --limit 10
        -n|-N|-L|--max|--head|--last|--number|--count-limit N → --limit N
        --tail|--newest|--latest|--recent N → --limit N · -INT → --limit INT · --last|--past → --since 24h
        --near POINT,LENGTH → --near POINT --radius LENGTH · --near N M → --near N,M
        --lat|--latitude N --lon|--lng|--longitude M → --near N,M
        --maxradiuskm|--distance|--within|--range V → --radius V · --center V → --near V
        --minlatitude|--min-lat S --maxlatitude|--max-lat N --minlongitude|--min-lon W --maxlongitude|--max-lon E → \
        --bbox W,S,E,N · --bounds W E S N → --bbox W,S,E,N · --bbox|--box W S E N → --bbox W,S,E,N
        --box|--bounds V → --bbox V · --sort magnitude|size|largest|biggest|strongest → --sort mag
        --sort significance → --sort sig · --sort date|newest|latest → --sort time
        --sort-by|--order|--orderby|--order-by V → --sort V · --asc|-r → --reverse · -c → --count
        --columns|--select V → --fields V · --every|--poll V → --interval V · --database|--cache V → --db V
        --timezone|--time-zone|--zone V → --tz V · --silent → --quiet · --force|--assume-yes|-y → --yes
        --as-of|--asof V → --at V · --deleted → --op delete · --color|--colour never|no|off → --no-color
        --watch|--tail → --follow · --since-last → --since-token
        changes --since|-s beginning → changes --since-token beginning · --reset|--delete|--remove V → --forget V
        --web|--browser|--oneline|--header|--headers|--no-trunc|--wide|--pretty|--compact-output|--desc|-i → NOTHING
        show → list ; `show` needs an id from the list. · REGION → --region REGION · CITY → --near CITY
        """.replacing(" · ", with: "\n").split(separator: "\n").map(Guess.init(row:))

    private init(row: Substring) {
        let sides = row.split(separator: " → ")
        let answer = sides[1].split(separator: " ; ")
        typed = sides[0].split(separator: " ")
        self.answer = answer[0]
        remark = answer.dropFirst().first
    }
}

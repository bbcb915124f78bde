/// Names of commands and options in other programs, and their names in this program.
///
/// These are exact synonyms: the value of an option stays the same. Documentation/commands.md has the same tables.
enum AlternativeSpellings {
    /// A command or option of this program (`own`), and its alternative spellings (`others`).
    struct Row {
        let own: [String]
        let others: [String]
    }

    static let commandRows = rows(
        """
        list: ls query events
        show: describe inspect view event
        map: plot draw
        summary: stats statistics
        refresh: update fetch sync pull download import
        watch: follow monitor tail
        history: log reflog
        status: info
        verify: check fsck
        """)

    /// Some rows include a value of the option. `<id>` is a positional argument.
    static let optionRows = rows(
        """
        --since: --starttime --start --start-time --from --after --begin --newer-than --last --past -S
        --until: --endtime --end --end-time --to --before -U
        --min-mag: --minmagnitude --min-magnitude --minmag --magnitude --mag --magnitude-min --mag-min
        --max-mag: --maxmagnitude --max-magnitude --maxmag --magnitude-max --mag-max
        --min-depth: --mindepth --depth-min
        --max-depth: --maxdepth --depth-max
        --bbox: --box --bounding-box
        --near: --around --center
        --radius: --maxradiuskm --max-radius-km --within --distance
        --type: --eventtype --event-type
        --magtype: --magnitudetype --magnitude-type --mag-type
        --alert: --alertlevel --alert-level
        --status: --reviewstatus --review-status
        --net: --network
        --min-felt: --minfelt
        --min-sig: --minsig --min-significance
        --min-intensity: --min-shaking
        --sort: --orderby --order-by --sort-by --sortby
        --limit: --max-count --max-results -n -L
        --fields: --columns --cols
        --format: --output-format --outputformat
        --format json: --json
        --format ndjson: --ndjson --jsonl --json-lines
        --format csv: --csv
        --format tsv: --tsv
        --format geojson: --geojson
        --format quakeml: --quakeml
        --format html: --html
        --format svg: --svg
        --output: --out --outfile --output-file
        --by: --group-by --groupby
        --at: --as-of --asof
        --id: --eventid --event-id --ids
        --select: --highlight
        <id>: --id --ids --eventid --event-id
        --published: --generated
        --interval: --every --poll
        --tz: --timezone --time-zone
        --color: --colour
        --color never: --no-color --no-colour
        --db: --database
        --dry-run: --dryrun
        --quiet: --silent
        --yes: --assume-yes -y
        """)

    /// This program's commands, keyed by their alternative spellings.
    static let commands = meanings(of: commandRows).compactMapValues { $0.first?.first }

    /// This program's options, keyed by their alternative spellings. If there are several, the first that the command
    /// has is meant.
    static let options = meanings(of: optionRows)

    /// The positions of west, south, east and north in `--bbox`, keyed by the options of FDSN's event service.
    static let edges = [
        "--minlongitude": 0, "--minlon": 0, "--min-lon": 0, "--minlatitude": 1, "--minlat": 1, "--min-lat": 1,
        "--maxlongitude": 2, "--maxlon": 2, "--max-lon": 2, "--maxlatitude": 3, "--maxlat": 3, "--max-lat": 3,
    ]

    /// The positions of latitude and longitude in `--near`, keyed by the options of FDSN's event service.
    static let coordinates = ["--latitude": 0, "--lat": 0, "--longitude": 1, "--lon": 1, "--lng": 1]

    private static func rows(_ text: String) -> [Row] {
        text.split(separator: "\n").map { line in
            let sides = line.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
            return Row(own: sides[0], others: sides[1])
        }
    }

    private static func meanings(of rows: [Row]) -> [String: [[String]]] {
        var meanings: [String: [[String]]] = [:]
        for row in rows {
            for spelling in row.others {
                meanings[spelling, default: []].append(row.own)
            }
        }
        return meanings
    }
}

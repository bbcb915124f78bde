import QuakeFormats
import QuakeModel

/// The fields to print, in the order given: `time,mag,place`, `all` or `usgs`.
struct FieldList: Hashable, Sendable {
    /// The fields; nil for all of them.
    var fields: [QuakeField]?
    /// The column names in CSV and TSV; nil for the names of the fields.
    var headings: [String]?

    /// The columns of the USGS CSV feeds, described at earthquake.usgs.gov/earthquakes/feed/v1.0/csv.php.
    static let usgs: FieldList = {
        let columns: [(String, QuakeField)] = [
            ("time", .property(.time)), ("latitude", .property(.lat)), ("longitude", .property(.lon)),
            ("depth", .property(.depth)), ("mag", .property(.mag)), ("magType", .property(.magType)),
            ("nst", .property(.nst)), ("gap", .property(.gap)), ("dmin", .property(.dmin)), ("rms", .property(.rms)),
            ("net", .property(.net)), ("id", .property(.id)), ("updated", .property(.updated)),
            ("place", .property(.place)), ("type", .property(.type)), ("horizontalError", .property(.horizontalError)),
            ("depthError", .property(.depthError)), ("magError", .property(.magError)), ("magNst", .property(.magNst)),
            ("status", .property(.status)), ("locationSource", .property(.locationSource)),
            ("magSource", .property(.magSource)),
        ]
        return FieldList(fields: columns.map(\.1), headings: columns.map(\.0))
    }()

    /// Returns the columns of a table for people. `all` includes distance and similar fields if the command line
    /// specifies a point.
    func fields(_ display: DisplayStyle) -> [QuakeField] {
        fields ?? (QuakeField.properties + display.fieldsForPrograms.filter(\.isRelative)).inColumnOrder
    }

    /// Returns the fields of machine-readable formats. A time zone on the command line adds the local time. `all`
    /// includes distance and similar fields if the command line specifies a point.
    func fieldsForPrograms(_ display: DisplayStyle) -> [QuakeField] {
        guard let fields else { return (QuakeField.properties + display.fieldsForPrograms).inColumnOrder }
        return fields + (display.namesTimeZone && !fields.contains(.localTime) ? [.localTime] : [])
    }
}

import QuakeFormats
import QuakeModel

/// The style of lengths, times and distances in human-readable output.
struct DisplayStyle: Sendable {
    var unit = LengthUnit.km
    /// The time zone of displayed times, and of dates on the command line that specify none.
    var timeZone = DisplayTimeZone.utc
    /// The points from which distances and bearings are measured: for each quake, the nearest.
    var sites: [Site] = []
    /// Whether the command line specifies the time zone. A zone from the environment does not affect machine-readable
    /// formats.
    var namesTimeZone = false

    /// The sites from the command line, the only ones that machine-readable formats use by default.
    var sitesForPrograms: [Site] { sites.filter(\.isOnCommandLine) }

    /// The computed fields that machine-readable formats include by default, because the command line specifies a site
    /// or a time zone.
    var fieldsForPrograms: [QuakeField] {
        ((sitesForPrograms.isEmpty ? [] : QuakeField.relative) + (namesTimeZone ? [.localTime] : [])).inColumnOrder
    }

    /// The values of ``fieldsForPrograms``.
    var computed: ComputedFields {
        ComputedFields(fieldsForPrograms) { field, quake in
            field == .localTime ? .text(timeZone.secondWords(quake.originTime)) : value(of: field, of: quake)
        }
    }
}

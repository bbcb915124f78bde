import QuakeFormats
import QuakeModel

/// The style of lengths, times and distances in text for people.
struct DisplayStyle: Sendable {
    var unit = LengthUnit.km
    /// The time zone of displayed times, and of dates on the command line that specify none.
    var time = LocalTime.utc
    /// The points from which distances and bearings are measured. The nearest one counts.
    var sites: [Site] = []
    /// Whether the command line specifies the time zone. The environment does not affect output for scripts.
    var namesTimeZone = false

    /// The sites that machine formats use by default, which must come from the command line.
    var sitesForPrograms: [Site] { sites.filter(\.isOnCommandLine) }

    /// The computed fields that records for programs include by default, because the command line specifies a site or a
    /// time zone.
    var fieldsForPrograms: [QuakeField] {
        ((sitesForPrograms.isEmpty ? [] : QuakeField.relative) + (namesTimeZone ? [.localTime] : [])).inColumnOrder
    }

    /// The values of ``fieldsForPrograms``.
    var computed: ComputedFields {
        ComputedFields(fieldsForPrograms) { field, quake in
            field == .localTime ? .text(time.secondWords(quake.originTime)) : value(of: field, of: quake)
        }
    }
}

import Foundation
import QuakeModel
import QuakeTestSupport

@testable import QuakeCommands

/// Returns `quakes` rendered in `format`.
func rendered(
    _ quakes: [Quake], as format: OutputFormat, fields: [QuakeProperty]? = nil, style: OutputStyle = OutputStyle()
) throws -> String {
    try captured { writer in
        let renderer = format.renderer(of: fields.map(FieldList.init), writer, style)
        let properties = renderer.fields.compactMap(\.property)
        try renderer.render(quakes.map { quake in properties.map { .value(quake[$0]) } })
    }
}

/// Returns one row of raw field values rendered in `format`, for values that a `Quake` cannot hold.
func rendered(row values: [RawValue], as format: OutputFormat, fields: [QuakeProperty]) throws -> String {
    try captured { try format.renderer(of: FieldList(fields), $0, OutputStyle()).render([values]) }
}

extension FieldList {
    /// A list of properties.
    init(_ properties: [QuakeProperty]) {
        self.init(fields: properties.map(QuakeField.property))
    }
}

extension Quake {
    /// A quake as listed in the feed of 2021.
    static func sample(_ code: String = "70000abc", magnitude: Double? = 4.5, place: String? = "8 km E of Fox, Alaska")
        -> Quake
    {
        var quake = Quake(
            sample: "us" + code, at: Hypocenter(longitude: -147.25, latitude: 64.875, depthKilometers: 8.43),
            time: Timestamp(milliseconds: 1_626_986_384_040), updated: Timestamp(milliseconds: 1_626_990_000_000),
            magnitude: magnitude, place: place)
        quake.magnitudeType = "ml"
        quake.status = "reviewed"
        quake.eventType = "earthquake"
        quake.tsunami = 0
        quake.significance = 312
        return quake
    }
}

/// Parses a JSON document.
func parsedJSON(_ text: some StringProtocol) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
}

extension Quake {
    /// The quake with every uncertainty.
    var withUncertainties: Quake {
        var quake = self
        (quake.horizontalErrorKilometers, quake.depthErrorKilometers, quake.magnitudeError) = (6.25, 1.7, 0.052)
        (quake.magnitudeStationCount, quake.locationSource, quake.magnitudeSource) = (31, "us", "hv")
        return quake
    }
}

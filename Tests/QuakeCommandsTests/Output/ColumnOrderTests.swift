import QuakeModel
import Testing

@testable import QuakeCommands

/// New columns come last, so that no program that reads a column by its number reads another one.
struct ColumnOrderTests {
    private let display: DisplayStyle = {
        var display = DisplayStyle(sites: [Site(point: GeographicPoint(latitude: 1, longitude: 2), origin: .near)])
        display.namesTimeZone = true
        return display
    }()

    @Test("Added fields are the last columns, after those of sites and zones") func addedFields() {
        let columns = FieldList(fields: nil).fieldsForPrograms(display)
        #expect(columns.suffix(QuakeField.added.count) == QuakeField.added[...])
        #expect(columns.dropLast(QuakeField.added.count).suffix(4) == [.distance, .bearing, .shaking, .localTime])
        #expect(Set(columns) == Set(QuakeField.properties + QuakeField.relative + [.localTime]))
        let geoJSON = GeoJSONRenderer(QuakeField.all, writer: ByteWriter(descriptor: -1), style: OutputStyle())
        #expect(geoJSON.fields.suffix(QuakeField.added.count) == QuakeField.added[...])
    }

    @Test("A field added later comes after distance and local time") func addedProperty() {
        let fields: [QuakeField] = [.property(.mag), .site, .distance, .localTime]
        #expect(fields.inColumnOrder == [.property(.mag), .distance, .localTime, .site])
    }
}

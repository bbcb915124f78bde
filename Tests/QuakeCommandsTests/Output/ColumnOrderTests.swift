import QuakeFormats
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

    @Test("Fields added since the first version, such as site, come after all original columns") func addedFields() {
        let columns = FieldList(fields: nil).fieldsForPrograms(display)
        #expect(columns.suffix(QuakeField.laterAdditions.count) == QuakeField.laterAdditions[...])
        #expect(
            columns.dropLast(QuakeField.laterAdditions.count).suffix(4) == [
                .distance, .bearing, .intensity, .localTime,
            ])
        #expect(Set(columns) == Set(QuakeField.properties + QuakeField.relative + [.localTime]))
        let geoJSON = QuakeFormat.geojson.renderer(of: QuakeField.all, into: ByteBuffer(), RecordStyle())
        #expect(geoJSON.fields.suffix(QuakeField.laterAdditions.count) == QuakeField.laterAdditions[...])
    }

    @Test("The column site comes after distance and local_time, because it was added later") func addedProperty() {
        let fields: [QuakeField] = [.property(.mag), .site, .distance, .localTime]
        #expect(fields.inColumnOrder == [.property(.mag), .distance, .localTime, .site])
    }
}

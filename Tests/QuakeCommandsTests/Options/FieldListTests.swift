import ArgumentParser
import QuakeModel
import Testing

@testable import QuakeCommands
@testable import QuakeOutput

struct FieldListTests {
    @Test func namesKeepTheirOrder() throws {
        #expect(
            try FieldList.parse("place,mag, magtype,Distance")
                == FieldList(fields: [.property(.place), .property(.mag), .property(.magType), .distance]))
    }

    @Test func allFieldsIncludeTheWayFromAPointOnTheCommandLineOnly() throws {
        let all = try FieldList.parse("all")
        let point = GeographicPoint(latitude: 1, longitude: 2)
        #expect(all.fields(DisplayStyle(reference: nil)) == QuakeField.properties)
        let ofTheVariable = ReferencePoint(point: point, origin: .variable)
        #expect(all.fields(DisplayStyle(reference: ofTheVariable)) == QuakeField.properties)
        for origin in [ReferencePoint.Origin.near, .home] {
            let display = DisplayStyle(reference: ReferencePoint(point: point, origin: origin))
            #expect(all.fields(display) == QuakeField.properties + [.distance, .bearing])
        }
    }

    @Test func anUnknownNameIsAnsweredWithTheNames() {
        let error = #expect(throws: ValidationError.self) { try FieldList.parse("mag,siz\u{1B}e") }
        #expect(error?.message.contains("There is no field \"siz\u{FFFD}e\"") == true)
        for property in QuakeProperty.allCases { #expect(error?.message.contains(property.rawValue) == true) }
    }

    @Test(arguments: ["", "mag,", ",", "mag,mag", "mag,MAG", "all,mag"])
    func mistakesAreRefused(text: String) {
        #expect(throws: ValidationError.self) { try FieldList.parse(text) }
    }

    @Test func changedFieldsMayBeGroups() throws {
        #expect(try ChangedFieldSet.parse("impact,place").properties == [.felt, .cdi, .mmi, .sig, .alert, .place])
        #expect(throws: ValidationError.self) { try ChangedFieldSet.parse("title") }
        #expect(throws: ValidationError.self) { try ChangedFieldSet.parse("everything") }
    }
}

import ArgumentParser
import QuakeFormats
import QuakeModel
import Testing

@testable import QuakeCommands

struct FieldListTests {
    @Test("--fields keeps the order in which the fields are given") func fieldOrder() throws {
        #expect(
            try FieldList.parse("place,mag, magtype,Distance")
                == FieldList(fields: [.property(.place), .property(.mag), .property(.magType), .distance]))
    }

    @Test("--fields all includes distance and bearing only if --near or --home is given") func allFields() throws {
        let all = try FieldList.parse("all")
        let point = GeographicPoint(latitude: 1, longitude: 2)
        func fields(_ site: Site?) -> [QuakeField] { all.fields(DisplayStyle(sites: [site].compactMap(\.self))) }
        #expect(fields(nil) == QuakeField.properties)
        #expect(fields(Site(point: point, origin: .variable)) == QuakeField.properties)
        for origin in [Site.Origin.near, .home] {
            #expect(fields(Site(point: point, origin: origin)) == QuakeField.properties + QuakeField.relative)
        }
    }

    @Test("The error for an unknown field lists all fields") func unknownField() {
        let error = #expect(throws: ValidationError.self) { try FieldList.parse("mag,siz\u{1B}e") }
        #expect(error?.message.contains("There is no field \"siz\u{FFFD}e\"") == true)
        for property in QuakeProperty.allCases { #expect(error?.message.contains(property.rawValue) == true) }
    }

    @Test(
        "--fields accepts the names of the USGS CSV feeds, such as magError",
        arguments: [
            ("depthError", "depth_error"), ("magError", "mag_error"), ("magNst", "mag_nst"), ("latitude", "lat"),
            ("horizontalError", "horizontal_error"), ("Magnitude", "mag"),
        ])
    func namesFromFeeds(typed: String, ours: String) throws {
        #expect(try FieldList.parse(typed).fields?.map(\.name) == [ours])
        #expect(try ChangedFieldSet.parse(typed) == ChangedFieldSet.parse(ours))
    }

    @Test(
        "--fields rejects empty elements, repeated fields, and \"all\" with another field",
        arguments: ["", "mag,", ",", "mag,mag", "mag,MAG", "all,mag"])
    func mistakes(text: String) {
        #expect(throws: ValidationError.self) { try FieldList.parse(text) }
    }

    @Test(
        "--changed names the groups, and the only field that takes a minimum change",
        arguments: [
            ("sourc", "The groups are: source, impact, bookkeeping."), ("depth+10", "Only mag takes a minimum change"),
            ("mag+x", "Write the change in magnitude as a number"), ("mag,,place", "A field name is missing"),
        ])
    func wrongChanges(text: String, words: String) {
        let error = #expect(throws: ValidationError.self) { try ChangedFieldSet.parse(text) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("--changed accepts groups of fields, such as \"impact\"") func fieldGroups() throws {
        #expect(try ChangedFieldSet.parse("impact,place").properties == [.felt, .cdi, .mmi, .sig, .alert, .place])
        #expect(throws: ValidationError.self) { try ChangedFieldSet.parse("title") }
        #expect(throws: ValidationError.self) { try ChangedFieldSet.parse("everything") }
    }
}

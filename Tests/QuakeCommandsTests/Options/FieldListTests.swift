import ArgumentParser
import QuakeModel
import Testing

@testable import QuakeCommands

struct FieldListTests {
    @Test func namesKeepTheirOrder() throws {
        #expect(try FieldList.parse("place,mag, magtype").properties == [.place, .mag, .magType])
        #expect(try FieldList.parse("all").properties == QuakeProperty.allCases)
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

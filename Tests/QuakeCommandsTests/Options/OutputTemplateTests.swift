import ArgumentParser
import QuakeFormats
import QuakeModel
import Testing

@testable import QuakeCommands

struct OutputTemplateTests {
    @Test("A template is parsed into text, escape sequences and placeholders") func templateParts() throws {
        let template = try OutputTemplate.forQuakes(#"M {mag}\t{{{ PLACE }}} ({age})\n\\"#)
        #expect(
            template.pieces == [
                .text("M "), .value(.field(.property(.mag)), .words), .text("\t{"),
                .value(.field(.property(.place)), .words),
                .text("} ("), .value(.age, .words), .text(")\n\\"),
            ])
        #expect(template.fields == [.property(.mag), .property(.place), .property(.time)])
    }

    @Test("Each field of a quake or a change has a template placeholder") func everyFieldIsAPlaceholder() throws {
        for field in QuakeField.all {
            #expect(try OutputTemplate.forQuakes("{\(field.name)}").pieces == [.value(.field(field), .words)])
        }
        for property in QuakeProperty.allCases {
            let template = try OutputTemplate.forChanges("{before.\(property.rawValue)}")
            #expect(template.pieces == [.value(.before(property), .words)])
        }
        #expect(try OutputTemplate.forQuakes("{Magnitude}").pieces == [.value(.field(.property(.mag)), .words)])
        #expect(try OutputTemplate.forChanges("{before.magError}").pieces == [.value(.before(.magError), .words)])
        for part in OutputTemplate.ChangePart.allCases {
            #expect(try OutputTemplate.forChanges("{\(part.rawValue)}").pieces == [.value(.change(part), .words)])
        }
    }

    @Test(
        "The error for an invalid template names the mistake, such as an unmatched {",
        arguments: [
            ("{{.Place}}", "has no placeholder"), ("{", "unmatched {"), ("a } b", "unmatched }"),
            (#"\d"#, "must be followed by n, t or"),
            ("\\", "must be followed by n, t or"), ("{}", #"There is no placeholder """#),
            ("{size}", "no placeholder"), ("{token}", "no placeholder"),
            ("{before.mag}", "no placeholder"), (#"{"id": 1}"#, "no placeholder"),
            ("{a\u{1B}}", "There is no placeholder \"a\u{FFFD}\""),
        ])
    func mistakes(template: String, message: String) {
        let error = #expect(throws: ValidationError.self) { try OutputTemplate.forQuakes(template) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("The error for an unknown placeholder in changes --template lists the valid ones")
    func mistakesInChangeTemplate() {
        let error = #expect(throws: ValidationError.self) { try OutputTemplate.forChanges("{before.magg}") }
        #expect(error?.message.contains("reason") == true && error?.message.contains("before.FIELD") == true)
    }

    @Test("A template with {distance}, {bearing}, {compass} or {intensity} requires a place")
    func placeholdersThatNeedPoint() throws {
        for name in ["distance", "bearing", "compass", "intensity"] {
            #expect(try OutputTemplate.forQuakes("a {\(name)}").relativeName == name)
        }
        #expect(try OutputTemplate.forChanges("{before.lat} {age}").relativeName == nil)
    }

    @Test(
        "quakes list --template cannot be combined with --format, --fields, --count or --ids",
        arguments: [["--format", "csv"], ["--fields", "id"], ["--count"], ["--ids"]])
    func templateExcludesFormats(options: [String]) {
        #expect(throws: (any Error).self) { try ListCommand.parse(["--template", "{id}"] + options) }
    }
}

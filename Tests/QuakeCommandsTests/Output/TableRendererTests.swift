import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

struct TableRendererTests {
    @Test("Table columns are aligned, even if a magnitude or a place is missing") func alignedColumns() throws {
        let quakes: [Quake] = [
            .inAlaska("7000abcd", magnitude: 4.35), .inAlaska("b", magnitude: -1, place: nil),
            .inAlaska("c", magnitude: nil),
        ]
        #expect(
            try rendered(quakes, as: .table) == """
                TIME (UTC)            MAG  DEPTH KM  ID             PLACE
                2021-07-22 20:39:44   4.4       8.4  us7000abcd     8 km E of Fox, Alaska
                2021-07-22 20:39:44  -1.0       8.4  usb            -
                2021-07-22 20:39:44   -         8.4  usc            8 km E of Fox, Alaska

                """)
    }

    @Test(
        "In a table, the type of an event other than an earthquake is shown before the place",
        arguments: [
            Kind(type: "quarry blast", place: "8 km E of Fox", shown: "Quarry Blast - 8 km E of Fox"),
            Kind(type: "ice quake", place: nil, shown: "Ice Quake"),
            Kind(type: "earthquake", place: "8 km E of Fox", shown: "8 km E of Fox"),
            Kind(type: nil, place: "8 km E of Fox", shown: "8 km E of Fox"),
            Kind(type: "", place: "8 km E of Fox", shown: "8 km E of Fox"),
            Kind(type: "a\u{1B}[31m", place: "b", shown: "A\u{FFFD}[31m - b"),
        ])
    func eventTypes(of kind: Kind) throws {
        var quake = Quake.inAlaska(place: kind.place)
        quake.eventType = kind.type
        func table(_ fields: [QuakeProperty]? = nil, columns: Int? = nil) throws -> String {
            try rendered([quake], as: .table, fields: fields, style: OutputStyle(terminalColumns: columns))
        }
        #expect(try table().hasSuffix("  us70000abc     \(kind.shown)\n"))
        #expect(try table([.place, .id]).contains("\n\(kind.shown) "))
        #expect(try table(columns: 60).contains(kind.shown.prefix(9)))
        let place = kind.place ?? ""
        #expect(try table([.type, .place]).hasSuffix("  \(place.isEmpty ? "-" : place)\n"))
        #expect(try rendered([quake], as: .tsv, fields: [.place, .mag]).contains("\n\(place)\t"))
    }

    @Test("In a table, several ids in one cell are separated by spaces") func sets() throws {
        var quake = Quake.inAlaska()
        quake.ids = PublishedSet(",nc1,us2,")
        #expect(try rendered([quake], as: .table, fields: [.ids, .id]).contains("\nnc1 us2 "))
    }

    /// An event type, and its appearance in a table.
    struct Kind: Sendable {
        let type: String?
        let place: String?
        let shown: String
    }

    @Test("On a terminal, a table shows an age instead of a time for a quake of the last day") func ages() throws {
        var style = OutputStyle(terminalColumns: 120)
        style.now = Timestamp(milliseconds: 1_626_986_384_040) + .seconds(180)
        #expect(try rendered([.inAlaska()], as: .table, style: style).contains("\n3 min ago             4.5 "))
        style.now = Timestamp(milliseconds: 1_626_986_384_040) + .seconds(86_400)
        #expect(try rendered([.inAlaska()], as: .table, style: style).contains("\n2021-07-22 20:39:44   4.5 "))
        style = OutputStyle()
        style.now = Timestamp(milliseconds: 1_626_986_384_040) + .seconds(180)
        #expect(try rendered([.inAlaska()], as: .table, style: style).contains("\n2021-07-22 20:39:44   4.5 "))
    }

    @Test("Apart from its color codes, a colored table equals a plain table") func colors() throws {
        let quakes: [Quake] = [.inAlaska(magnitude: 7.1), .inAlaska(magnitude: 5.5), .inAlaska(magnitude: 2)]
        let plain = try rendered(quakes, as: .table)
        let colored = try rendered(quakes, as: .table, style: OutputStyle(usesColor: true))
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[1;31m7.1\u{1B}[0m") && colored.contains("\u{1B}[35m5.5\u{1B}[0m"))
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    }

    @Test("Tables use only colors that are legible on both white and black") func legibleColors() throws {
        for magnitude in stride(from: 0.0, through: 9, by: 0.5) {
            let color = TableColor.of(.mag, .real(magnitude))
            #expect(["none", "1", "35", "31", "1;31"].contains(color.map { "\($0)" } ?? "none"))
        }
        for level in ["green", "yellow", "orange", "red"] {
            let color = QuakeValue.text(level).withField { TableColor.of(.alert, $0) }
            #expect(["32", "30;43", "1;31"].contains(color.map { "\($0)" } ?? "none"), "\(level)")
        }
    }

    @Test("A table can show every field of a quake as a column") func everyProperty() throws {
        let text = try rendered([.inAlaska()], as: .table, fields: QuakeProperty.allCases)
        #expect(text.split(separator: "\n").count == 2)
        for property in QuakeProperty.allCases { #expect(text.contains(property.rawValue.uppercased())) }
    }
}

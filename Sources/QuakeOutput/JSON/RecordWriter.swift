package import QuakeModel

/// Takes the members of a record, whatever format it is written in.
package protocol RecordWriter {
    func member(_ name: String, _ text: String?)
    func member<Number: BinaryInteger>(_ name: String, _ number: Number?)
    func member(_ name: String, _ truth: Bool?)
    func member(_ name: String, _ moment: Timestamp?)
    func member(_ name: String, _ value: QuakeValue, isTime: Bool)
}

extension RecordWriter {
    /// Writes a member whose value is the number of an identifier, or null.
    package func member<Identifier: RawRepresentable<Int64>>(_ name: String, _ identifier: Identifier?) {
        member(name, identifier?.rawValue)
    }
}

extension JSONWriter: RecordWriter {
    package func member(_ name: String, _ value: QuakeValue, isTime: Bool) {
        key(name)
        self.value(value, of: isTime ? .time : .mag)
    }
}

/// Writes records as comma-separated values, a line for each.
package final class CSVRecords: RecordWriter {
    private let writer: ByteWriter
    private let usesEpochTime: Bool
    private let facesTerminal: Bool
    private var cells: [String?] = []

    /// Writes the header line. `columns`: the names of the members, in their order. `facesTerminal`: unsafe characters
    /// are replaced.
    package init(_ writer: ByteWriter, columns: [String], usesEpochTime: Bool = false, facesTerminal: Bool = false) {
        (self.writer, self.usesEpochTime, self.facesTerminal) = (writer, usesEpochTime, facesTerminal)
        writer.append(row: columns, .comma)
    }

    /// Writes the record whose members `members` gives.
    package func record(_ members: () -> Void) {
        cells = []
        members()
        writer.append(row: cells, .comma, facesTerminal: facesTerminal)
    }

    package func member(_ name: String, _ text: String?) { cells.append(text) }
    package func member<Number: BinaryInteger>(_ name: String, _ number: Number?) {
        cells.append(number.map { "\($0)" })
    }
    package func member(_ name: String, _ truth: Bool?) { cells.append(truth.map { "\($0)" }) }
    package func member(_ name: String, _ value: QuakeValue, isTime: Bool) {
        switch value {
        case .null: cells.append(nil)
        case .text(let text): cells.append(text)
        case .integer(let number) where isTime: member(name, Timestamp(milliseconds: number))
        case .integer(let number): cells.append("\(number)")
        case .real(let number): cells.append(PlainNumber.text(number))
        }
    }
    package func member(_ name: String, _ moment: Timestamp?) {
        cells.append(moment?.words(usesEpochTime: usesEpochTime))
    }
}

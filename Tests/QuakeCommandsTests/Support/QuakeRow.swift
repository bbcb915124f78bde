import QuakeModel

@testable import QuakeCommands

/// The fields of one quake at a time, arranged so that a renderer can read them by index.
///
/// Text is copied into memory that this object owns: a returned value is valid until the next `load`.
final class QuakeRow {
    private enum Cell {
        case null
        case integer(Int64)
        case real(Double)
        case text(offset: Int, count: Int)
    }

    private let fields: [QuakeProperty]
    private var cells: [Cell] = []
    private var text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1024)
    private var textEnd = 0

    /// Creates an empty row with `fields`.
    init(_ fields: [QuakeProperty]) {
        self.fields = fields
        cells.reserveCapacity(fields.count)
    }

    deinit {
        text.deallocate()
    }

    /// Replaces the values with those of `quake`.
    func load(_ quake: Quake) {
        cells.removeAll(keepingCapacity: true)
        textEnd = 0
        for property in fields {
            let cell: Cell =
                switch quake[property] {
                case .null: .null
                case .integer(let value): .integer(value)
                case .real(let value): .real(value)
                case .text(let value): keep(value)
                }
            cells.append(cell)
        }
    }

    subscript(index: Int) -> FieldValue {
        switch cells[index] {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let offset, let count): .text(UnsafeBufferPointer(rebasing: text[offset..<offset + count]))
        }
    }

    private func keep(_ value: String) -> Cell {
        var value = value
        return value.withUTF8 { bytes in
            let start = textEnd
            if text.count - start < bytes.count { grow(toHold: start + bytes.count) }
            textEnd = text[start...].update(fromContentsOf: bytes)
            return .text(offset: start, count: bytes.count)
        }
    }

    private func grow(toHold needed: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(needed, 2 * text.count))
        _ = larger.update(fromContentsOf: text[..<textEnd])
        text.deallocate()
        text = larger
    }
}

extension QuakeRenderer {
    /// Renders `quakes` from the first line to the last.
    func render(_ quakes: some Sequence<Quake>, fields: [QuakeProperty]) throws(OutputError) {
        begin()
        let row = QuakeRow(fields)
        for quake in quakes {
            row.load(quake)
            try self.row { row[$0] }
        }
        try end()
    }
}

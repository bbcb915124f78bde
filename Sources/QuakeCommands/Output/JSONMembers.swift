import QuakeModel

/// The members of an object that holds fields of a quake, names encoded once for all rows.
struct JSONMembers {
    private struct Member {
        /// The index of the value in the row.
        let index: Int
        let encoding: FieldEncoding
        /// `"name":`, and before all but the first a comma, as a range of `names`.
        let nameStart: Int
        let nameCount: Int
    }

    private let members: [Member]
    private let names: [UInt8]

    /// The members for `fields`, whose values lie in a row from index `firstIndex` on.
    init(_ fields: some Collection<QuakeProperty>, usesEpochTime: Bool, firstIndex: Int = 0) {
        var names: [UInt8] = []
        members = fields.enumerated().map { offset, property in
            let start = names.count
            names += Array("\(offset == 0 ? "" : ",")\"\(property.rawValue)\":".utf8)
            return Member(
                index: firstIndex + offset, encoding: FieldEncoding(property, usesEpochTime: usesEpochTime),
                nameStart: start, nameCount: names.count - start)
        }
        self.names = names
    }

    /// Writes `"name":value` for each field, commas between, without the braces.
    @inline(__always)
    func write(to writer: ByteWriter, _ field: (Int) -> FieldValue) {
        names.withUnsafeBufferPointer { names in
            for member in members {
                let nameEnd = member.nameStart + member.nameCount
                writer.append(UnsafeBufferPointer(rebasing: names[member.nameStart..<nameEnd]))
                writer.append(json: field(member.index), member.encoding)
            }
        }
    }
}

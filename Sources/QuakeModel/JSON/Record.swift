/// Names and values for machine-readable output, in output order.
package struct Record: RecordValue, ExpressibleByDictionaryLiteral {
    package let members: [(String, (any RecordValue)?)]

    package init(_ members: [(String, (any RecordValue)?)]) { self.members = members }

    package init(dictionaryLiteral members: (String, (any RecordValue)?)...) { self.init(members) }

    package static func + (left: Record, right: Record) -> Record { Record(left.members + right.members) }

    /// The record with every value replaced by null.
    package var withoutValues: Record { Record(members.map { ($0.0, nil) }) }

    package func write(to json: JSONWriter) { json.object { json.members(self) } }
}

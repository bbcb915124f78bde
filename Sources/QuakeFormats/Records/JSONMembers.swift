import QuakeModel

/// The members of a JSON object for fields of a quake.
struct JSONMembers {
    private let members: [(name: JSONName, index: Int, encoding: FieldEncoding)]

    /// Creates the members for `fields`, whose values start at index `firstIndex` of a row. Sets become arrays and
    /// times ISO 8601; with `isAsInFeed`, sets become strings and times epoch milliseconds.
    init(
        _ fields: some Collection<QuakeField>, firstIndex: Int = 0, isAsInFeed: Bool = false,
        _ localTime: @escaping (Timestamp) -> String
    ) {
        members = fields.enumerated().map { offset, field in
            let isPlain = isAsInFeed && field.property != nil
            return (JSONName(field.name), firstIndex + offset, isPlain ? .plain : FieldEncoding(field, localTime))
        }
    }

    func write(to json: JSONWriter, _ field: (Int) -> FieldValue) {
        // Use indices: in a long list, copying each element would take a tenth of the time.
        for place in members.indices {
            json.key(members[place].name)
            json.value(field(members[place].index), members[place].encoding)
        }
    }
}

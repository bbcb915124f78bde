/// Returns the records of a CSV text according to RFC 4180; nil for an omitted field, "" for an empty quoted one.
func csvRecords(_ text: String) -> [[String?]] {
    var records: [[String?]] = []
    var record: [String?] = []
    var field: String?
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
        switch scalar {
        case "\"" where isQuoted && scalars.first == "\"":
            scalars.removeFirst()
            field = (field ?? "") + "\""
        case "\"":
            isQuoted.toggle()
            field = field ?? ""
        case "," where !isQuoted:
            record.append(field)
            field = nil
        case "\n" where !isQuoted:
            records.append(record + [field])
            (record, field) = ([], nil)
        default: field = (field ?? "") + String(Character(scalar))
        }
    }
    return records
}

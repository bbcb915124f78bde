import QuakeModel
import QuakeStore

/// The rows of a listing, which Micro measures without anything written.
public enum MeasuredRows {
    /// Steps through every quake of the cache at `path`, and calls `body` with each field of each.
    public static func forEachField(ofCacheAt path: String, _ body: (MeasuredField) -> Void) throws {
        let context = try QuakeContext(QuakeCache(path: path), access: .reading)
        let fields = QuakeProperty.allCases
        try context.forEachRow(QuakeDescriptor(), fields: fields) { row in
            for index in fields.indices { body(MeasuredField(value: row.field(at: index))) }
        }
    }
}

/// A field of a row.
public struct MeasuredField {
    let value: FieldValue
}

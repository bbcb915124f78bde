/// The kind of a change: insert, update or delete, as in the persistent history of Core Data.
package enum ChangeKind: String, CaseIterable, Codable, Sendable {
    case insert, update, delete
}

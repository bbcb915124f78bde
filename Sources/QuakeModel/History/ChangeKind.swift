/// The kind of a change, named as in Core Data's persistent history.
package enum ChangeKind: String, CaseIterable, Codable, Sendable {
    case insert, update, delete
}

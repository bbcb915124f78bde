import ArgumentParser
import QuakeSystem

/// The argument that names a transaction.
enum TransactionNumber {
    /// The number that `text` is. Where a person names a quake instead, the error says which command shows its changes.
    static func parse(_ text: String) throws -> Int64 {
        if let number = Int64(text) { return number }
        throw ValidationError(
            "A transaction has a number, as `quakes history` lists it; `quakes show \(text.shellWord)` lists the changes "
                + "of a quake.")
    }
}

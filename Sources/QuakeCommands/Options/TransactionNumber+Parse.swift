public import ArgumentParser
public import QuakeModel
import QuakeSystem

extension TransactionNumber: ExpressibleByArgument {
    /// The number that `text` is. Where a person names a quake instead, the error says which command shows its changes.
    static func parse(_ text: String) throws -> TransactionNumber {
        if let number = Int64(text) { return TransactionNumber(number) }
        throw ValidationError(
            "A transaction is a number from `quakes history`. For the changes of a quake, use `quakes show \(text.shellWord)`."
        )
    }
}

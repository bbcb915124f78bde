public import ArgumentParser
public import QuakeModel
import QuakeSystem

extension TransactionNumber: ExpressibleByArgument {
    /// Parses a transaction number. The error for other text suggests the command that shows a quake's changes.
    static func parse(_ text: String) throws -> TransactionNumber {
        if let number = Int64(text) { return TransactionNumber(number) }
        throw ValidationError(
            "A transaction is a number from `quakes history`. For the changes of a quake, use `quakes show \(text.shellWord)`."
        )
    }
}

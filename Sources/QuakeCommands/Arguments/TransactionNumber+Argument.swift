import ArgumentParser
import QuakeModel

extension TransactionNumber {
    /// Parses the number of a transaction, such as `12` or `#12`. Throws a usage error for other text, such as the id
    /// of a quake.
    static func parse(_ text: String) throws -> TransactionNumber {
        guard let number = Int64(text.trimmingPrefix("#")), number >= 0 else {
            let isID = text.contains(/^[A-Za-z]+[0-9]/)
            throw ValidationError(
                "Write a transaction's number, such as 12; `quakes history` lists them."
                    + (isID ? " For the revisions of a quake, use `quakes show \(text.shownWord)`." : ""))
        }
        return TransactionNumber(number)
    }
}

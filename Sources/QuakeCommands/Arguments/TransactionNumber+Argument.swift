import ArgumentParser
import QuakeModel

extension TransactionNumber {
    /// Parses the number of a transaction. Throws a usage error for other text, such as the id of a quake.
    static func parse(_ text: String) throws -> TransactionNumber {
        guard let number = Int64(text), number >= 0 else {
            throw ValidationError(
                "`quakes history` lists the numbers of transactions; `quakes show ID` lists the revisions of a quake.")
        }
        return TransactionNumber(number)
    }
}

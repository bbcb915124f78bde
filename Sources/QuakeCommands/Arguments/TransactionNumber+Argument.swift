public import ArgumentParser
public import QuakeModel

extension TransactionNumber: ExpressibleByArgument {
    /// Required by ArgumentParser.
    public init?(argument: String) {
        guard let number = Int64(argument), number >= 0 else { return nil }
        self.init(number)
    }
}

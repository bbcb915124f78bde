import QuakeStore

/// Writes records to standard output.
final class OutputSink: ChangeSink {
    let pageSize: Int? = nil
    private(set) var count = 0
    private let renderer: any ChangesRenderer
    /// The environment whose output must arrive before the position is saved; nil if no position is saved.
    private let confirmed: CommandEnvironment?

    init(_ renderer: any ChangesRenderer, confirming environment: CommandEnvironment?) {
        self.renderer = renderer
        confirmed = environment
    }

    func take(_ event: HistoryEvent) throws { try renderer.write(event) }

    func finish(_ end: HistoryEnd) throws -> ReadPosition.Receipt? {
        try renderer.finish()
        try confirmed?.confirmDelivery()
        count = end.count
        return ReadPosition.Receipt(token: end.token)
    }
}

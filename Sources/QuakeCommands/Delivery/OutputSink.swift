import QuakeStore

/// Writes records to standard output.
final class OutputSink: ChangeSink {
    let pageSize: Int? = nil
    private(set) var takenCount = 0
    private let renderer: any ChangesRenderer
    /// The environment whose output must arrive before the position is saved; nil if no position is saved.
    private let environmentToConfirm: CommandEnvironment?

    init(_ renderer: any ChangesRenderer, confirming environment: CommandEnvironment?) {
        self.renderer = renderer
        environmentToConfirm = environment
    }

    func take(_ event: HistoryEvent) throws { try renderer.write(event) }

    func finish(_ end: HistoryEnd) throws -> ReadPosition.Receipt? {
        try renderer.finish()
        try environmentToConfirm?.confirmDelivery()
        takenCount = end.count
        return ReadPosition.Receipt(token: end.token)
    }
}

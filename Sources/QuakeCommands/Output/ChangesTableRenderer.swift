import QuakeModel

/// Writes events as lines for reading: when, what, which quake, how it differs.
final class ChangesTableRenderer: ChangesRenderer {
    private let writer: ByteWriter
    private let usesEpochTime: Bool
    private let printsToken: Bool

    init(writer: ByteWriter, usesEpochTime: Bool, printsToken: Bool) {
        self.writer = writer
        self.usesEpochTime = usesEpochTime
        self.printsToken = printsToken
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        switch event {
        case .dropEverything(let fault):
            writer.append("drop everything: \(fault.words); every quake of the cache follows\n")
        case .resync(let resynced):
            line("", "insert", "resync", resynced.stored.quake.id, resynced.stored.quake.title)
        case .change(let relevant):
            let change = relevant.change
            line(
                relevant.transaction.time.words(usesEpochTime: usesEpochTime), relevant.crossing.rawValue,
                change.reason.rawValue, (change.after ?? change.before)?.id ?? "",
                change.words(usesEpochTime: usesEpochTime))
        case .end(let end):
            writer.append("\(end.count.counted("change"))\(end.hasMore ? ", more follow" : "")")
            if printsToken { writer.append("; token \(end.token)") }
            writer.append("\n")
        }
        try writer.flushIfFull()
    }

    private func line(_ time: String, _ op: String, _ reason: String, _ id: String, _ words: String) {
        writer.append(time.padding(to: usesEpochTime ? 15 : 26) + op.padding(to: 7) + reason.padding(to: 10))
        writer.append(sanitized: id.padding(to: 16) + words)
        writer.append("\n")
    }

    func finish() throws(OutputError) {
        try writer.flush()
    }
}

import Glibc
import QuakeHTTP
import QuakeModel
import Synchronization

/// A line on the terminal that says how far the work is: drawn after a second, with each step, and erased at the end.
final class ProgressLine: Sendable {
    /// Work that takes less shows nothing.
    static let patience = Duration.seconds(1)

    private struct State {
        var title = ""
        var downloadStart: ContinuousClock.Instant?
        var isDrawn = false
    }

    private let stream: StandardStream
    /// Whether anything is ever written.
    let isShown: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state = Mutex(State())

    /// A line on `stream`; without `isShown` nothing is ever written.
    init(
        _ stream: StandardStream, isShown: Bool,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        (self.stream, self.isShown, self.now) = (stream, isShown, now)
        start = now()
    }

    /// The work on the source `name` begins, the `index`th of `count`.
    func begin(_ name: String, _ index: Int, of count: Int) {
        state.withLock { state in
            state.title = count > 1 ? "\(index) of \(count), \(name)" : name
            state.downloadStart = nil
        }
        draw { "\($0)" }
    }

    /// Names the work that follows.
    func retitle(_ title: String) {
        state.withLock { state in
            state.title = title
            state.downloadStart = nil
        }
        draw { $0 }
    }

    func show(_ progress: DownloadProgress) {
        guard isShown else { return }
        let moment = now()
        let beginning = state.withLock { state in
            let beginning = state.downloadStart ?? moment
            state.downloadStart = beginning
            return beginning
        }
        draw { "\($0): \(progress.words(after: moment - beginning))" }
    }

    func showApplying() { draw { "\($0): applying" } }

    /// Takes the line away.
    func erase() {
        let wasDrawn = state.withLock { state in
            defer { state.isDrawn = false }
            return state.isDrawn
        }
        if wasDrawn { write("\r\u{1B}[K") }
    }

    private func draw(_ text: (String) -> String) {
        guard isShown, now() - start >= Self.patience else { return }
        let title = state.withLock { state in
            state.isDrawn = true
            return state.title
        }
        let line = TerminalText.sanitized(text(title))
        write("\r\u{1B}[K" + DisplayWidth.fitted(line, columns: max(1, stream.terminalColumns - 1)))
    }

    private func write(_ text: String) {
        let writer = stream.writerForPeople
        writer.append(text)
        // A terminal that is gone does not stop the work.
        try? writer.flush()
    }
}

extension DownloadProgress {
    /// Bytes, rate and the time left where the size is known: `3.2 MiB of 10 MiB, 1.1 MiB/s, 6 s left`.
    func words(after elapsed: Duration) -> String {
        guard received > 0 else { return "waiting for the server" }
        let seconds = elapsed / .seconds(1)
        var parts = [received.byteWords + (expected.map { " of \($0.byteWords)" } ?? "")]
        guard seconds > 0 else { return parts[0] }
        let rate = Double(received) / seconds
        parts.append("\(Int(rate).byteWords)/s")
        if let expected, expected > received {
            parts.append("\(Duration.seconds((Double(expected - received) / rate).rounded(.up)).words) left")
        }
        return parts.joined(separator: ", ")
    }
}

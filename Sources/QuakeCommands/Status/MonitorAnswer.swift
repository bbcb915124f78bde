import ArgumentParser
import QuakeStore

/// The output of `quakes status --check`: a state and a line of text, in the form of Nagios plug-ins, which other
/// monitors accept, too.
struct MonitorAnswer {
    /// The state of a monitored service. The raw values are exit codes for monitors, unlike those of ``ExitStatus``.
    enum State: Int32, CaseIterable {
        case ok, warning, critical, unknown
    }

    let state: State
    private let text: String
    /// The performance data; empty if the status could not be read.
    private var measures: [String] = []

    /// Whether `words` are a command line that needs an answer in this form, even if it is invalid.
    static func isRequired(byArguments words: [String]) -> Bool {
        words.contains("--check") && words.contains { ["status", "info"].contains($0) }
    }

    /// Describes the most serious problem or, without problems, how current the cache is.
    init(_ report: StatusReport) {
        let problems = report.problems
        let quakes = report.statistics.quakes
        if let problem = problems.first(where: \.code.isCritical) ?? problems.first {
            state = problem.code.isCritical ? .critical : .warning
            text = problem.summary + (problems.count > 1 ? "; \((problems.count - 1).counted("more problem"))" : "")
        } else {
            state = .ok
            let parts = [
                report.lastSuccess.map { "refreshed \($0.age(at: report.now))" },
                report.dataEnds.map { "data through \($0.minuteWords) UTC" }, quakes.counted("quake"),
            ]
            text = parts.compactMap(\.self).joined(separator: ", ")
        }
        let age = report.lastSuccess.map { max(0, (report.now - $0).components.seconds) }
        measures = age.map { ["age=\($0)s;;\(report.limits.age.components.seconds)"] } ?? []
        if let limit = report.limits.dataAge, let newestData = report.age.newestData {
            let age = max(0, (report.now - newestData).components.seconds)
            measures.append("data_age=\(age)s;;\(limit.components.seconds)")
        }
        measures.append("quakes=\(quakes)")
    }

    /// Describes an error that prevented reading the status. A file that is damaged, is not a cache, has the log of
    /// another database, or causes I/O errors is critical. For other errors, the state of the cache is unknown.
    init(_ error: any Error) {
        let isDamage =
            switch error as? StoreError {
            case .corrupt, .notACache, .foreignLog, .inputOutput: true
            default: false
            }
        state = isDamage ? .critical : .unknown
        text = (error as? ValidationError)?.message ?? CommandError(error).what
    }

    /// Describes a mistake in the command line; the state of the cache is unknown.
    init(mistake: String) {
        state = .unknown
        text = mistake
    }

    /// The line, without a line break. A vertical bar begins the performance data, so bars in the text are replaced.
    var line: String {
        let safe = TerminalText.sanitized(text).replacing("|", with: "\u{FFFD}")
        let line = "quakes \("\(state)".uppercased()): \(safe)"
        return measures.isEmpty ? line : "\(line) | \(measures.joined(separator: " "))"
    }

    /// Writes the line and returns the exit code. If the line cannot be written, the state is unknown.
    func write(to stream: StandardStream) -> ExitCode {
        let writer = ByteWriter(stream)
        writer.append(line + "\n")
        let isWritten = (try? writer.flush()) != nil
        return ExitCode((isWritten ? state : .unknown).rawValue)
    }
}

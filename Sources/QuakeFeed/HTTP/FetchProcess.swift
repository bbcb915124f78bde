public import Foundation
import Glibc
import HelperStart

/// Downloads through `quakes-fetch`, a program of its own.
///
/// Need: most runs of the program never touch the network. Hazard: linking URLSession loads libcurl and thirty other
/// libraries, 4–5 ms at every start. Choice: as git does, HTTP lives in a helper that is started when it is needed; the
/// request goes to its standard input, the answer comes from its standard output. Price: a second file to install, and
/// its start (about 12 ms) at every download.
public struct FetchProcess: HTTPTransport {
    /// What a helper says last, after a download that went well.
    public static let farewell = "done\n"

    /// What is granted beyond the deadline, which the helper keeps itself, before the helper is killed.
    var grace = Duration.seconds(2)

    private let helper: String?
    private let environment: [String: String]
    private let standby = StandbyHelper()

    /// A transport through the program at path `helper`, or through the one that ``locate(besides:)`` finds.
    ///
    /// The helper gets `environment`: `http_proxy` and `no_proxy` work. A body too large for the memory goes to
    /// `$TMPDIR`, else to /tmp.
    public init(helper: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.helper = helper
        self.environment = environment
    }

    /// Starts a helper now for the request that comes next, so that the time it takes to start is not waited for twice.
    ///
    /// Where that fails, the request will fail for the same reason and say so.
    public func standBy() {
        if standby.isOccupied { return }
        if let helper = try? start() { standby.keep(helper) }
    }

    /// Takes over a helper that was started elsewhere: its process, our end of the socket that is its input and output, and of the one
    /// that is its standard error.
    public func adopt(process: pid_t, answers: Int32, diagnostics: Int32) {
        standby.keep(
            RunningHelper(
                child: ChildProcess(id: process), answers: Descriptor(answers), diagnostics: Descriptor(diagnostics)))
    }

    /// Ends what was started and is not needed any more. A program that lives on, or whose parent does not reap, calls this.
    public func dismiss() {
        standby.dismiss()
    }

    /// Hands `request` to a helper and waits for its whole answer.
    public func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        guard let lines = request.lines else { throw .unsupportedURL(request.url) }
        let running = if let kept = standby.take() { kept } else { try start() }
        let end = ContinuousClock.now + request.deadline + grace
        // A helper that does not take the request says why, or leaves a status.
        _ = running.answers.sendAll(lines)

        let directory = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var answer = HelperAnswer(bodyLimit: request.bodyLimit, spoolDirectory: directory)
        guard try answer.collect(output: running.answers, errors: running.diagnostics, until: end) else {
            throw .deadlineExceeded(seconds: request.deadlineSeconds)
        }
        if answer.endsWithFarewell {
            standby.leave(running.takeChild())
            return try answer.response()
        }
        switch running.takeChild().wait() {
        case .exited(0): return try answer.response()
        case .exited(let status): throw answer.failure(status: Int(status))
        case .signalled(SIGINT), .signalled(SIGTERM), .signalled(SIGHUP): throw .interrupted
        case .signalled(let signal): throw answer.breakdown(signal: signal, url: request.url)
        case nil: throw .helperFailed(status: 0, detail: "its exit status was lost")
        }
    }

    private func start() throws(TransportError) -> RunningHelper {
        let path = if let helper { helper } else { try Self.locate() }
        var started = started_helper()
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { variables.forEach { free($0) } }
        switch start_helper(path, &variables, &started) {
        case 0:
            return RunningHelper(
                child: ChildProcess(id: started.process), answers: Descriptor(started.answers),
                diagnostics: Descriptor(started.diagnostics))
        case ENOENT: throw .helperMissing(searched: [path])
        case let code: throw .helperFailed(status: 0, detail: systemMessage(code))
        }
    }
}

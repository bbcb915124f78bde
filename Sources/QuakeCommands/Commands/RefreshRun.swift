import Foundation
import QuakeFeed
import QuakeMirror
import QuakeModel
import QuakeStore

/// One call of `quakes refresh`: the sources in their order, each a transaction of its own, and what to say of them.
struct RefreshRun {
    private let command: RefreshCommand
    private let environment: CommandEnvironment
    private let output: ByteWriter
    private let errors: ByteWriter

    init(command: RefreshCommand, environment: CommandEnvironment) throws {
        self.command = command
        self.environment = environment
        output = ByteWriter(environment.standardOutput)
        errors = ByteWriter(environment.standardError)
    }

    /// Refreshes from every source, or from the one that is due. One that fails does not stop the others; the status is that of
    /// the first failure.
    func refresh(_ sources: [FeedSource]) throws -> ExitStatus {
        let settings = try command.belief.settings(in: environment)
        let store = command.store(in: environment)
        guard !command.dryRun || FileManager.default.fileExists(atPath: store.path) else {
            // A rehearsal makes no file: it starts from an empty cache that is gone afterwards.
            return try refresh(sources, with: mirror(of: QuakeCache(path: ":memory:"), settings))
        }
        let mirror = try mirror(of: store, settings)
        return try RefreshLock.hold(cacheAt: store.path, patience: command.patience?.duration ?? .zero) {
            try refresh(sources, with: mirror)
        }
    }

    private func mirror(of store: QuakeCache, _ settings: MirrorSettings) throws -> FeedMirror {
        let author = command.recorded.author(in: environment, standard: "quakes.refresh")
        let client = command.download.client(in: environment)
        return FeedMirror(
            context: try store.context(author: author, access: .creating), client: client,
            endpoint: command.download.endpoint(in: environment), settings: settings,
            service: try command.service.service(in: environment, client: client), now: environment.now)
    }

    private func refresh(_ sources: [FeedSource], with mirror: FeedMirror) throws -> ExitStatus {
        var status = ExitStatus.success
        var ordered = try sources.isEmpty ? [.summary(mirror.dueFeed())] : ReplayOrder.sorted(sources)
        var index = 0
        while index < ordered.count {
            let source = ordered[index]
            index += 1
            showProgress(index, of: ordered.count)
            try command.global.tell(
                "reading \(source.address(at: command.download.endpoint(in: environment)))", in: environment)
            do {
                try say(try mirror.refresh(source, dryRun: command.dryRun))
            } catch let error as FeedError {
                let message = ErrorMessage(error)
                clearProgress(of: ordered.count)
                message.print(on: environment.standardError)
                if !command.dryRun {
                    try mirror.noteFailure(of: source, reason: message.what)
                }
                if status == .success { status = message.status }
                // A feed of the schedule that its server cannot serve must not keep the smaller ones from being read.
                if sources.isEmpty, error.isOfThisFeedAlone, let feed = source.asked,
                    let next = RefreshSchedule.fallback(after: feed)
                {
                    ordered.append(.summary(next))
                }
            }
        }
        clearProgress(of: ordered.count)
        return status
    }

    private func say(_ report: RefreshReport) throws {
        for skipped in report.skipped.prefix(100) {
            errors.append(sanitized: "quakes: \(report.feed): skipped feature \(skipped.words)")
            errors.append("\n")
        }
        if report.skipped.count > 100 {
            errors.append(sanitized: "quakes: \(report.feed): skipped \(report.skipped.count - 100) features more\n")
        }
        if let fault = report.serviceFault {
            errors.append(
                sanitized: """
                    quakes: \(report.feed): the event service was not asked about all that is missing; the rest stays \
                    in doubt. \(ErrorMessage(fault).what)
                    """)
            errors.append("\n")
        }
        try errors.flush()
        switch command.format {
        case .text:
            guard !command.global.isQuiet else { return }
            output.append(sanitized: report.line)
            output.append("\n")
        case .json: try report.write(JSONWriter(output))
        }
        try output.flush()
    }

    private var showsProgress: Bool { environment.standardError.isTerminal && !command.global.isQuiet }

    private func showProgress(_ index: Int, of count: Int) {
        guard showsProgress, count > 20, index % 10 == 0 else { return }
        errors.append("\r\(index) of \(count) snapshots")
        try? errors.flush()
    }

    private func clearProgress(of count: Int) {
        guard showsProgress, count > 20 else { return }
        errors.append("\r\u{1B}[K")
        try? errors.flush()
    }
}

import ArgumentParser
import Foundation
import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeCommands

@Suite("Progress on the terminal") struct ReporterTests {
    /// Returns what a reporter writes to a terminal of `columns` columns, with a clock that `body` moves.
    private func written(
        columns: Int = 80, _ options: [String] = [], _ body: (Reporter, Clock) -> Void
    ) throws -> [String] {
        let file = try CapturedFile()
        var stream = StandardStream(descriptor: file.descriptor, isTerminal: true)
        stream.terminalColumns = columns
        let clock = Clock()
        let reporter = Reporter(.test(output: stream), try GlobalOptions.parse(options)) { clock.now }
        body(reporter, clock)
        return file.text.components(separatedBy: "\r\u{1B}[K")
    }

    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    @Test("No progress is shown for work of less than a second, or with -q") func noProgress() throws {
        for (options, time) in [([], Duration.milliseconds(999)), (["-q"], .seconds(9))] {
            let parts = try written(options) { reporter, clock in
                clock.pass(time)
                reporter.progress("all_week")
                reporter.eraseProgress()
            }
            #expect(parts == [""])
        }
    }

    @Test("The progress line shows the downloaded bytes and then \"applying\"")
    func downloadProgress() throws {
        let global = try GlobalOptions.parse([])
        let parts = try written { reporter, clock in
            let mirror = FeedMirror(QuakeCache(path: "/nowhere"), transport: FetchProcess())
            let steps = MirrorReporter(mirror, dryRun: false, reporter, global, .test())
            clock.pass(.seconds(2))
            steps.begin("all_month", 2, of: 3)
            for _ in 1...2 { steps.show(.received(DownloadProgress(receivedBytes: 0))) }
            steps.show(.received(DownloadProgress(receivedBytes: 4 << 20, expectedBytes: 10 << 20)))
            steps.show(.applying(features: 1))
            reporter.writeLine("quakes: a failure", isFailure: true)
            reporter.writeLine("quakes: a failure", isFailure: true)
        }
        #expect(
            parts == [
                "", "2 of 3, all_month", "2 of 3, all_month: waiting for the server",
                "2 of 3, all_month: 4 MiB of 10 MiB", "2 of 3, all_month: applying", "quakes: a failure\n",
            ])
    }

    @Test("The progress line fits the terminal's width and contains no control characters") func hostileName() throws {
        let parts = try written(columns: 30) { reporter, clock in
            clock.pass(.seconds(2))
            reporter.progress("https://example.org/\u{1B}[31m/a/very/long/address")
        }
        #expect(parts.count == 2 && DisplayWidth.columns(of: String(parts[1])) <= 29 && !parts[1].contains("\u{1B}"))
    }

    @Test("quakes watch says once that an --exec command is still running after a minute") func longCommand() throws {
        let errors = try CapturedFile()
        let refresher = WatchRefresher(
            arguments: [], variables: [:], interval: .seconds(60),
            reporter: Reporter(.test(output: errors.stream), try GlobalOptions.parse([])))
        for seconds in [0, 59, 60, 61, 3600] {
            refresher.remark(onCommandFor: "us1", runningFor: .seconds(seconds))
        }
        for seconds in [0, 60] { refresher.remark(onCommandFor: nil, runningFor: .seconds(seconds)) }
        #expect(
            errors.text == """
                quakes: The command for us1 is still running after 1 minute; later changes are waiting for it.
                quakes: The command is still running after 1 minute; later changes are waiting for it.

                """)
    }
}

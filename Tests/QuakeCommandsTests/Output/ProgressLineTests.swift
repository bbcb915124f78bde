import Foundation
import QuakeHTTP
import QuakeModel
import Synchronization
import Testing

@testable import QuakeCommands

struct ProgressLineTests {
    /// A clock that a test moves.
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }

        func pass(_ duration: Duration) {
            passed.withLock { $0 += duration }
        }
    }

    /// What a terminal of `columns` columns gets from a line that `body` uses.
    private func written(
        columns: Int = 80, isShown: Bool = true, _ body: (ProgressLine, Clock) -> Void
    ) throws -> String {
        let file = try CapturedFile()
        let clock = Clock()
        var stream = StandardStream(descriptor: file.descriptor, isTerminal: true)
        stream.terminalColumns = columns
        body(ProgressLine(stream, isShown: isShown, now: { clock.now }), clock)
        return String(decoding: file.bytes, as: UTF8.self)
    }

    private let blank = "\r\u{1B}[K"

    @Test func workOfLessThanASecondShowsNothing() throws {
        let text = try written { line, clock in
            line.begin("all_week", 1, of: 1)
            clock.pass(.milliseconds(999))
            line.show(DownloadProgress(received: 1 << 20))
            line.showApplying()
            line.erase()
        }
        #expect(text.isEmpty)
    }

    @Test func aDownloadTellsBytesRateAndTimeLeftAndThenThatItIsApplied() throws {
        let text = try written { line, clock in
            line.begin("all_month", 2, of: 3)
            line.show(DownloadProgress(received: 0))
            clock.pass(.seconds(2))
            line.show(DownloadProgress(received: 0))
            line.show(DownloadProgress(received: 4 << 20, expected: 10 << 20))
            line.show(DownloadProgress(received: 6 << 20))
            line.showApplying()
            line.erase()
            line.erase()
        }
        #expect(
            text.components(separatedBy: blank) == [
                "", "2 of 3, all_month: waiting for the server",
                "2 of 3, all_month: 4 MiB of 10 MiB, 2 MiB/s, 3 s left", "2 of 3, all_month: 6 MiB, 3 MiB/s",
                "2 of 3, all_month: applying", "",
            ])
    }

    @Test func theLineNeverWrapsAndANameCannotCommandTheTerminal() throws {
        let text = try written(columns: 30) { line, clock in
            clock.pass(.seconds(2))
            line.begin("https://example.org/\u{1B}[31m/a/very/long/address", 1, of: 1)
        }
        #expect(text.hasPrefix(blank) && DisplayWidth.columns(of: text.dropFirst(blank.count)) <= 29)
        #expect(!text.dropFirst(blank.count).contains("\u{1B}"))
    }

    @Test func withoutPermissionNothingIsWritten() throws {
        let text = try written(isShown: false) { line, clock in
            clock.pass(.seconds(9))
            line.begin("all_week", 1, of: 1)
            line.show(DownloadProgress(received: 1))
            line.erase()
        }
        #expect(text.isEmpty)
    }

    @Test(arguments: [
        (InterruptWords(feed: "all_week", applied: 0, left: 0), "Interrupted; nothing from all_week was saved."),
        (
            InterruptWords(feed: "all_week", applied: 2, left: 1),
            "Interrupted; nothing from all_week was saved. 2 feeds were applied. 1 feed was not started."
        ),
        (InterruptWords(feed: nil, applied: 1, left: 0), "Interrupted. 1 feed was applied."),
    ])
    func anInterruptionSaysWhatWasKept(words: InterruptWords, text: String) {
        #expect(words.text == text)
    }
}

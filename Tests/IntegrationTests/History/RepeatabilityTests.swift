import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Same token, same head, same flags: the same bytes, whatever others do.
@Suite(.scratch)
struct RepeatabilityTests {
    @Test func anAnswerFromAPlaceDoesNotDependOnTheHour() async throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = HistoryCache(directory)
        try cache.insert(0..<20)
        let call = ["changes", "--since-token", try await cache.token(), "--format", "ndjson"]
        let hold = Hold()
        async let writing: Void = onOwnThread {
            var count = 20
            repeat {
                try cache.insert(count..<count + 3)
                count += 3
                usleep(20_000)
            } while !hold.isOver && count < 500
        }
        var answers: [[Substring]] = []
        for _ in 0..<8 { answers.append(try await cache.runner.run(call).output.split(separator: "\n")) }
        hold.end()
        try await writing
        let last = try await cache.runner.run(call).output
        #expect(try await cache.runner.run(call).output == last)
        for answer in answers {
            // Whole transactions of three changes, as they are told later too, and a record of where they end.
            let changes = answer.dropLast()
            #expect(last.split(separator: "\n").starts(with: changes) && changes.count % 3 == 0)
            #expect(answer.last.flatMap { Record(String($0)) }?.count == changes.count)
        }
    }
}

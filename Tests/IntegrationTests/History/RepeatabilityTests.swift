import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Same token, same head, same flags: the same bytes, whatever others do.
struct RepeatabilityTests {
    @Test func anAnswerFromAPlaceDoesNotDependOnTheHour() async throws {
        try await withScratchDirectory { directory in
            let cache = HistoryCache(directory)
            try cache.insert(0..<20)
            let start = try await cache.token()
            for index in 0..<5 { try cache.insert(20 + index * 3..<23 + index * 3) }
            var answers: [String: Set<String>] = [:]
            let writer = Task.detached {
                // As many as come until the answers are there.
                for index in 0..<10_000 where !Task.isCancelled {
                    try cache.insert(100 + index..<101 + index)
                    try await Task.sleep(for: .milliseconds(30))
                }
            }
            for _ in 0..<100 {
                let output = try await cache.run("changes", "--since-token", start, "--format", "ndjson").output
                let end = try #require(output.split(separator: "\n").last.flatMap { Record(String($0)) })
                answers[try #require(end.head), default: []].insert(output)
            }
            writer.cancel()
            _ = await writer.result
            #expect(answers.values.allSatisfy { $0.count == 1 })
            #expect(answers.count > 1)
        }
    }
}

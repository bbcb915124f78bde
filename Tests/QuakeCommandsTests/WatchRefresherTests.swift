import ArgumentParser
import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("What a watch says while a command runs")
struct WatchRefresherTests {
    @Test("A command that runs for more than a minute is named once")
    func longCommand() throws {
        try withScratchDirectory { directory in
            let path = directory.path("errors")
            try Data().write(to: URL(filePath: path))
            let file = try #require(FileHandle(forWritingAtPath: path))
            let stream = StandardStream(descriptor: file.fileDescriptor, isTerminal: false)
            let environment = CommandEnvironment(
                standardOutput: stream, standardError: stream, variables: [:], homeDirectory: "", now: { .sample })
            let refresher = WatchRefresher(
                arguments: [], variables: [:], interval: .seconds(60),
                reporter: Reporter(environment, try GlobalOptions.parse([])))
            for seconds in [0, 59, 60, 61, 3600] {
                refresher.remark(onCommandFor: "us1", runningFor: .seconds(seconds))
            }
            for seconds in [0, 60] { refresher.remark(onCommandFor: nil, runningFor: .seconds(seconds)) }
            #expect(
                try String(contentsOfFile: path, encoding: .utf8) == """
                    quakes: The command for us1 is still running after 1 minute; later changes are waiting for it.
                    quakes: The command is still running after 1 minute; later changes are waiting for it.

                    """)
        }
    }
}

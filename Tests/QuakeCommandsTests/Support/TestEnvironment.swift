import QuakeModel
import QuakeTestSupport

@testable import QuakeCommands

extension CommandEnvironment {
    /// The environment of a test, whose clock shows ``Timestamp/sample``. By default, its output is lost.
    static func test(
        output: StandardStream = StandardStream(descriptor: -1, isTerminal: false), errors: StandardStream? = nil,
        variables: [String: String] = [:], home: String = "/nowhere"
    ) -> CommandEnvironment {
        CommandEnvironment(
            standardOutput: output, standardError: errors ?? output,
            variables: ["TERM": "xterm"].merging(variables) { $1 }, homeDirectory: home, now: { .sample })
    }
}

extension CapturedFile {
    /// A stream into this file.
    var stream: StandardStream { StandardStream(descriptor: descriptor, isTerminal: false) }

    /// What was written, as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

import Foundation
import QuakeTestSupport

/// One of the project's Markdown documents.
struct Document {
    /// A fenced block.
    struct Block {
        /// The word after the opening fence.
        var language: String
        /// The programs that the block needs to run, from `<!-- needs PROGRAM… -->` above it.
        var neededPrograms: [String]
        var lines: [Substring]
    }

    /// Its path in the project.
    let path: String
    let text: String

    /// Reads the document at `path`.
    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: Fixture.projectDirectory.appending(path: path), encoding: .utf8)
    }

    /// Its fenced blocks, in order.
    var blocks: [Block] {
        var blocks: [Block] = []
        var open: Block?
        var neededPrograms: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```"), let block = open {
                blocks.append(block)
                open = nil
            } else if line.hasPrefix("```") {
                open = Block(language: String(line.dropFirst(3)), neededPrograms: neededPrograms, lines: [])
                neededPrograms = []
            } else if open != nil {
                open?.lines.append(line)
            } else if line.hasPrefix("<!-- needs "), line.hasSuffix(" -->") {
                neededPrograms = line.dropFirst("<!-- needs ".count).dropLast(" -->".count).split(separator: " ")
                    .map(String.init)
            }
        }
        return blocks
    }

    /// The rows of every table in it, as the text of each cell.
    var tableRows: [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }
}

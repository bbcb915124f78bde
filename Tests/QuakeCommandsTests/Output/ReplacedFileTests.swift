import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeCommands
@testable import QuakeOutput

struct ReplacedFileTests {
    @Test func aFailureLeavesTheOldFileAndNothingElse() throws {
        try withScratchDirectory { directory in
            let path = try directory.write(Data("old".utf8), to: "token")
            #expect {
                try ReplacedFile(path).write { writer throws(OutputError) in
                    writer.append("new")
                    try writer.flush()
                    throw OutputError.writeFailed(errno: ENOSPC)
                }
            } throws: { error in
                // The output is not what failed.
                guard let failure = error as? ReplacedFile.Failure else { return false }
                return failure.path == path && failure.reason == String(cString: strerror(ENOSPC))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["token"])
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        }
    }

    @Test func whileItIsWrittenTheNewContentHasNoNameThatAKillCouldLeave() throws {
        try withScratchDirectory { directory in
            let path = try directory.write(Data("old".utf8), to: "token")
            try ReplacedFile(path).write { writer throws(OutputError) in
                writer.append("new")
                try writer.flush()
                let names = try? FileManager.default.contentsOfDirectory(atPath: directory.url.path)
                #expect(names == ["token"])
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["token"])
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        }
    }
}

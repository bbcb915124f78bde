import ArgumentParser
import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Waiting for another reader", .scratch) struct ReaderLockTests {
    @Test("A command that waits for another reader of its consumer says so every hour, even with -q")
    func waitIsReported() throws {
        let path = try ScratchDirectory.ofTest().path("quakes.db")
        let position = ReadPosition(.consumer("alarm"))
        let holder = ReaderLock(position, cacheAt: path)
        try holder.take()
        let file = try CapturedFile()
        let reporter = Reporter(.test(output: file.stream), try GlobalOptions.parse(["-q"]))
        let start = ContinuousClock.now
        var minutes = 0
        let isFree = try ReaderLock(position, cacheAt: path).wait(
            reporter, now: { start + .seconds(60 * minutes) },
            pause: {
                minutes += 1
                if minutes == 150 { holder.release() }
                return true
            })
        let lines = file.text.split(separator: "\n")
        let waiting = "quakes: The consumer \"alarm\" is already in use by "
        #expect(isFree && lines.count == 4, "\(file.text)")
        #expect(lines.prefix(3).allSatisfy { $0.hasPrefix(waiting) && $0.hasSuffix(" Waiting until it ends.") })
        #expect(lines.last == "quakes: The other process has ended; reading now.")
    }

    @Test("A canceled command stops waiting for another process that reads from the same token file")
    func canceledWait() throws {
        let path = try ScratchDirectory.ofTest().path("quakes.db")
        let position = ReadPosition(.file(path + ".token"))
        let holder = ReaderLock(position, cacheAt: path)
        try holder.take()
        let reporter = Reporter(.test(), try GlobalOptions.parse([]))
        #expect(try !ReaderLock(position, cacheAt: path).wait(reporter) { false })
        holder.release()
    }

    @Test("A command that does not move a consumer's position can run while another one moves it")
    func positionsThatMove()
        throws
    {
        let path = try ScratchDirectory.ofTest().path("quakes.db")
        let holders = [ReadPosition(.consumer("a/b")), ReadPosition(.file(path + ".token"))].map {
            ReaderLock($0, cacheAt: path)
        }
        for holder in holders { try holder.take() }
        let others: [ReadPosition?] = [
            ReadPosition(.consumer("a/b"), savesAfterDelivery: false), ReadPosition(.consumer("a")),
            ReadPosition(.file(path + ".token"), savesAfterDelivery: false), ReadPosition(.file(path + ".other")),
            DeliveryRequest.Start.given({ _ in .oldest }).position, ReadPosition(.process),
        ]
        for position in others { #expect(throws: Never.self) { try ReaderLock(position, cacheAt: path).take() } }
        for holder in holders { holder.release() }
    }
}

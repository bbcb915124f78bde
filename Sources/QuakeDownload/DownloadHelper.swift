import Foundation
import Glibc
import QuakeFeed
import Synchronization

/// The work of `quakes-fetch`: a request comes on standard input, the answer goes to standard output, a failure to
/// standard error, and so does the word that ends a success.
public enum DownloadHelper {
    /// What the program says about itself.
    public static let description =
        "quakes-fetch is the download helper of quakes, which starts it where it needs it."

    /// Whether all is said, so that a reader who goes away takes nothing with him.
    private static let isDone = Atomic(false)

    /// Does one download and returns the exit status: 0, or 1 after a failure.
    public static func run() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        leaveWhenNobodyReads(STDOUT_FILENO)
        do throws(TransportError) {
            try URLSessionDownload(try readRequest()).run(into: PipeSink(descriptor: STDOUT_FILENO))
            sayGoodbye()
            return 0
        } catch {
            report(error)
            return 1
        }
    }

    private static func readRequest() throws(TransportError) -> HTTPRequest {
        let bytes: Data?
        do { bytes = try FileHandle.standardInput.readToEnd() } catch {
            throw .helperFailed(status: 1, detail: "request not read: \(error)")
        }
        guard let request = HTTPRequest(lines: bytes ?? Data()) else {
            throw .helperFailed(status: 1, detail: "request not understood")
        }
        return request
    }

    /// Tells whoever asked that all is said, so that nobody waits for the end of this process, which takes 1 to 2 ms.
    private static func sayGoodbye() {
        isDone.store(true, ordering: .releasing)
        say(FetchProcess.farewell.utf8)
        shutdown(STDERR_FILENO, Int32(SHUT_WR))
        shutdown(STDOUT_FILENO, Int32(SHUT_WR))
    }

    private static func report(_ error: TransportError) {
        guard let line = try? JSONEncoder().encode(error) else { return }
        say(line + [UInt8(ascii: "\n")])
    }

    /// On standard error, which nobody may be reading any more.
    private static func say(_ words: some Sequence<UInt8>) {
        _ = Array(words).withUnsafeBytes { writeAll($0, to: STDERR_FILENO) }
    }

    /// Ends the program when the last reader of `descriptor` is gone: then whoever asked has died or lost interest.
    ///
    /// poll(2) reports that at the end of a pipe that is written to, also while nothing is being written.
    /// PR_SET_PDEATHSIG would not do: it looks at the thread that started the program, and misses a parent that was
    /// quicker to die.
    private static func leaveWhenNobodyReads(_ descriptor: Int32) {
        Thread.detachNewThread {
            var stream = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&stream, 1, -1) <= 0 {}
            _exit(isDone.load(ordering: .acquiring) ? 0 : 1)
        }
    }
}

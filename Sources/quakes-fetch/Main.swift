import Foundation
import Glibc
import QuakeHTTP
import QuakeSystem
import QuakeURLSession

/// `quakes-fetch`, the download helper of `quakes`: a single GET with URLSession in a separate process.
///
/// Reads the request from standard input and writes the response to standard output or, after a failure, a
/// `TransportError` as one line of JSON to standard error. The exit status is 0, or 1 after a failure.
@main enum Main {
    private static let description = "quakes-fetch is a download helper for quakes, not meant to be run by hand."

    static func main() {
        if let word = CommandLine.arguments.dropFirst().first {
            print(description)
            exit(["--help", "-h", "--version"].contains(word) ? 0 : EX_USAGE)
        }
        signal(SIGPIPE, SIG_IGN)
        exitWhenNobodyReads(STDOUT_FILENO)
        // URLSession's threads may still be running and using memory that exit handlers and destructors would free.
        _exit(download())
    }

    private static func download() -> Int32 {
        do throws(TransportError) {
            // Foundation finds the program's own files through this link, and crashes without it.
            guard access("/proc/self/exe", F_OK) == 0 else {
                throw .helperFailed(status: 1, detail: "a download needs /proc, which cannot be read here")
            }
            try URLSessionDownload(try readRequest()).run(into: PipeSink(descriptor: STDOUT_FILENO))
            return 0
        } catch {
            report(error)
            return 1
        }
    }

    private static func readRequest() throws(TransportError) -> TransportRequest {
        let bytes: Data?
        do { bytes = try FileHandle.standardInput.readToEnd() } catch {
            throw .helperFailed(status: 1, detail: "cannot read the request: \(error)")
        }
        guard let request = TransportRequest(lines: bytes ?? Data()) else {
            throw .helperFailed(status: 1, detail: "unreadable request")
        }
        return request
    }

    private static func report(_ error: TransportError) {
        guard let line = try? JSONEncoder().encode(error) else { return }
        // If nobody reads standard error anymore, the report is lost.
        _ = (line + [UInt8(ascii: "\n")]).withUnsafeBytes { Descriptor.write($0, to: STDERR_FILENO) }
    }

    /// Ends the program when the last reader of `descriptor` is gone, because the calling program has ended or canceled
    /// the download.
    ///
    /// poll(2) reports this for a pipe or socket, even while nothing is being written. PR_SET_PDEATHSIG is no
    /// alternative: it watches the thread that started the program, and misses a parent that died before the call.
    private static func exitWhenNobodyReads(_ descriptor: Int32) {
        ThreadStarter.start {
            var stream = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&stream, 1, -1) <= 0 {}
            _exit(1)
        }
    }
}

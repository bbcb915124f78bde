import Glibc
import QuakeSystem

extension ReplacedFile {
    /// Replaces the file with the output of `body`, and waits until the output is on disk. If the path leads to a pipe,
    /// does not throw when the reader closes the pipe.
    func write(_ body: (ByteWriter) throws(OutputError) -> Void) throws(Failure) {
        try write { (descriptor: Int32) throws(SystemError) in
            let writer = ByteWriter(descriptor: descriptor)
            do throws(OutputError) {
                try body(writer)
                try writer.flush()
            } catch {
                switch error {
                case .closedPipe: return
                case .interrupted: throw SystemError(EINTR)
                case .writeFailed(let code): throw SystemError(code)
                }
            }
        }
    }
}

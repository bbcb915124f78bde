import Glibc
import QuakeSystem

extension ReplacedFile {
    /// Replaces the file with the output of `body`, and waits until it is on disk.
    func write(_ body: (ByteWriter) throws(OutputError) -> Void) throws(Failure) {
        try write { (descriptor: Int32) throws(SystemError) in
            let writer = ByteWriter(descriptor: descriptor)
            do throws(OutputError) {
                try body(writer)
                try writer.flush()
            } catch {
                guard case .writeFailed(let code) = error else { throw SystemError(EIO) }
                throw SystemError(code)
            }
        }
    }
}

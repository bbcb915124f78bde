import Glibc
package import QuakeSystem

extension ReplacedFile {
    /// Replaces the file with what `body` writes, and waits until it is on the disk.
    package func write(_ body: (ByteWriter) throws(OutputError) -> Void) throws(Failure) {
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

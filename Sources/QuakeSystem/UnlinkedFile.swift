import CQuakes
import Glibc

/// A file without a name, for more data than memory should hold. The file disappears when its owner drops it or the
/// process ends.
package struct UnlinkedFile: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// The number of the descriptor, valid as long as this value.
    package var number: Int32 { descriptor.number }

    /// Returns `named`, the folder that an environment variable names, or /tmp if the variable is missing or empty.
    package static func folder(_ named: String?) -> String { named.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp" }

    package init(in directory: String) throws(SystemError) {
        // 0o20_000_000 is O_TMPFILE, a macro that Swift cannot import. With it, a killed program leaves no name behind.
        let nameless = open(directory, O_RDWR | 0o20_000_000 | O_DIRECTORY | O_CLOEXEC, 0o600)
        guard nameless < 0 else {
            descriptor = Descriptor(nameless)
            return
        }
        var path = Array("\(directory)/quakes-XXXXXX".utf8CString)
        let number = mkostemp(&path, O_CLOEXEC)
        guard number >= 0 else { throw SystemError() }
        unlink(path)
        descriptor = Descriptor(number)
    }

    /// Appends `bytes`, and returns the number of bytes written. After a failure, such as a full disk, that number is
    /// lower than the number of `bytes`, and errno is set.
    package func append(_ bytes: UnsafeRawBufferPointer) -> Int { Descriptor.write(bytes, to: number) }

    /// Reads bytes at `offset`. Returns the number read; 0 at the end, or -1 with errno set after a failure.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        descriptor.read(into: buffer, at: offset)
    }

    /// Maps the first `count` bytes into memory, so that the kernel can reclaim their pages. The caller must unmap
    /// them.
    package func mapped(count: Int) throws(SystemError) -> UnsafeMutableRawPointer {
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor.number, 0), start != MAP_FAILED else {
            throw SystemError()
        }
        return start
    }
}

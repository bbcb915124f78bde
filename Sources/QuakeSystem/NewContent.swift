import Glibc

/// Where the new content of a ``ReplacedFile`` is written: to a draft beside the file, or to the pipe, terminal or
/// device that its path leads to. A draft that is dropped before ``moveIntoPlace(replacing:)`` is removed.
package final class NewContent {
    package let descriptor: Int32
    /// The draft; nil for a stream.
    private let draft: FileDraft?

    init(_ draft: FileDraft) {
        self.draft = draft
        descriptor = draft.descriptor
    }

    /// - Parameter stream: The open pipe, terminal or device, which is closed with this object.
    init(stream: Int32) {
        draft = nil
        descriptor = stream
    }

    deinit { if draft == nil { close(descriptor) } }

    package var isStream: Bool { draft == nil }
    /// Whether a program killed now would leave a file behind.
    package var isDraftNamed: Bool { draft?.name != nil }

    /// The number of bytes written; nil for a stream.
    package var size: Int? {
        var status = stat()
        return !isStream && fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Moves the draft into place, and returns once it is on disk. Does nothing to a stream.
    ///
    /// - Parameter replacing: Whether to replace an existing file instead of failing with EEXIST.
    package func moveIntoPlace(replacing: Bool = true) throws(ReplacedFile.Failure) {
        try draft?.moveIntoPlace(replacing: replacing)
    }
}

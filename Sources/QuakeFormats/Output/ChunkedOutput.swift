import FoundationEssentials
import QuakeModel

/// Passes a document on in pieces, until it ends or writing a piece fails.
final class ChunkedOutput {
    /// The number of bytes at which a piece is passed on.
    private static let size = 65_536

    private let write: (Data) throws -> Void
    private var outcome: Result<Void, any Error>?

    init(_ write: @escaping (Data) throws -> Void) { self.write = write }

    /// Throws if nothing can be appended: the error of the piece that could not be written, or ``DocumentEnded``.
    func requireOpen() throws {
        guard let outcome else { return }
        try outcome.get()
        throw DocumentEnded()
    }

    /// Passes on the content of `output` as a piece, once it is large enough.
    func passOn(_ output: ByteBuffer) throws { if output.count >= Self.size { try flush(output) } }

    /// Passes on the rest of the document, once.
    func end(_ output: ByteBuffer) throws {
        if output.count > 0 { try flush(output) }
        outcome = .success(())
    }

    private func flush(_ output: ByteBuffer) throws {
        let piece = Data(output.bytes)
        output.removeAll()
        do { try write(piece) } catch {
            outcome = .failure(error)
            throw error
        }
    }
}

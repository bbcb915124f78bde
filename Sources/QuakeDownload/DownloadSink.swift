public import Foundation
public import QuakeFeed

/// Where a download goes, piece by piece. The calls come one after the other, from whichever thread.
public protocol DownloadSink: Sendable {
    /// Takes what the server answered before the body; once, and before any piece.
    func begin(_ head: HTTPResponseHead) throws(TransportError)
    /// Takes the next decoded piece of the body.
    func write(_ piece: Data) throws(TransportError)
    /// Takes note that the body is whole; not called after a failure.
    func end() throws(TransportError)
}

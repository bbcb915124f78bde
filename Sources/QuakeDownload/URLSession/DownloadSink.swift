package import Foundation
package import QuakeHTTP

/// Receives a download piece by piece, in calls that never overlap but may come from any thread.
package protocol DownloadSink: Sendable {
    /// Receives the part of the response before the body. Called once, before any piece.
    func begin(_ head: TransportResponseHead) throws(TransportError)
    /// Receives the next decoded piece of the body.
    func write(_ piece: Data) throws(TransportError)
    /// Called when the body is complete; not called after a failure.
    func end() throws(TransportError)
}

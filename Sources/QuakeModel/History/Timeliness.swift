/// Why a new quake is not recent, judged by its origin time and the time of its snapshot. If there is no snapshot, the
/// time of the transaction is used instead.
package enum Timeliness: String, CaseIterable, Codable, Sendable {
    /// The quake happened more than an hour before the snapshot.
    case old
    /// The origin time is later than the snapshot.
    case future

    /// The age beyond which a new quake is marked old. A quarter of all quakes are first published later than this.
    private static let oldAfter = Duration.seconds(3600)

    /// Classifies an origin time as seen from `moment`; nil if it is recent.
    package init?(originTime: Timestamp, at moment: Timestamp) {
        if originTime > moment {
            self = .future
        } else if moment - originTime > Self.oldAfter {
            self = .old
        } else {
            return nil
        }
    }
}

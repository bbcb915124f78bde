/// Why a new quake is old news, judged by its origin time and the time of its snapshot.
package enum Timeliness: String, CaseIterable, Codable, Sendable {
    /// The quake happened more than an hour before the snapshot.
    case old
    /// The origin time is after the time at which the snapshot was generated.
    case future

    /// The delay after the origin time beyond which a new quake is marked old. A quarter of all quakes exceed it.
    private static let oldAfter = Duration.seconds(3600)

    /// Classifies an origin time as old or in the future; nil for a recent one.
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

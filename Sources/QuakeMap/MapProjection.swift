import Glibc

/// The projection of every map: Mercator up to 60° of latitude, and equal steps per degree from there to the poles.
///
/// Both coordinates are in degrees of longitude, so shapes are true up to 60° if both axes have the same scale.
public enum MapProjection {
    /// The latitude beyond which degrees of latitude are equally tall.
    static let seam = 60.0
    private static let seamHeight = mercator(seam)
    /// Mercator's stretch factor at the seam, 1 / cos 60°.
    private static let polarStretch = 2.0

    /// Returns the height of `latitude` on the map in degrees of longitude: 0 at the equator, 135.5 at the North Pole.
    public static func height(ofLatitude latitude: Double) -> Double {
        let distance = min(abs(latitude), 90)
        let height = distance <= seam ? mercator(distance) : seamHeight + (distance - seam) * polarStretch
        return latitude < 0 ? -height : height
    }

    /// Returns the latitude at `height`, from -90 to 90 degrees.
    public static func latitude(atHeight height: Double) -> Double {
        let distance = abs(height)
        let latitude =
            distance <= seamHeight
            ? (2 * atan(exp(distance * .pi / 180)) - .pi / 2) * 180 / .pi
            : min(seam + (distance - seamHeight) / polarStretch, 90)
        return height < 0 ? -latitude : latitude
    }

    private static func mercator(_ latitude: Double) -> Double { log(tan(.pi / 4 + latitude * .pi / 360)) * 180 / .pi }
}

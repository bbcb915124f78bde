import QuakeModel

/// What the colors of the quakes on a map mean. Each case has a scale, which pages read from their data.
public enum MapColoring: String, CaseIterable, Sendable {
    case depth, age, magtype, intensity

    var scale: ColorScale {
        switch self {
        case .depth: ColorScale(source: .property(.depth), title: "Depth", isLength: true, classes: Self.depths)
        case .age: ColorScale(source: .age, title: "Age", classes: Self.ages)
        case .magtype: ColorScale(source: .property(.magType), title: "Magnitude type", classes: Self.magnitudeTypes)
        case .intensity: ColorScale(source: .intensity, title: "Estimated intensity", classes: Self.intensities)
        }
    }

    /// Shallow quakes have warm and bright colors, deep quakes cold and dark ones, so that the order is visible to
    /// color-blind readers and in grayscale. The limits are those of seismology (shallow up to 70 km, deep from 300
    /// km), with more steps near the surface, where most quakes are.
    ///
    /// A depth of exactly 10 km is usually a default used when the depth is uncertain, as for two in five quakes of M
    /// 5, so it is gray like an unknown depth.
    private static let depths: [ColorScale.Class] = [
        .init(.from(-.infinity), "#ee0e00", "#ffefb9", 202, "<10"),
        .init(.from(10), "#be2f00", "#ffda36", 167, "10–35"),
        .init(.from(35), "#a8253b", "#fec38b", 197, "35–70"),
        .init(.from(70), "#940b64", "#ffaeb4", 162, "70–150"),
        .init(.from(150), "#540f79", "#fe91d5", 128, "150–300"),
        .init(.from(300), "#041c6b", "#c583fc", 93, "300–500"),
        .init(.from(500), "#001127", "#5f8ed6", 25, "≥500"),
        .init(.exactly(10), "#6b7278", "#7d848b", 245, "fixed or unknown"),
    ]

    /// Ages in hours. On a light background, colors fade from red to white, as on the maps of USGS; on a dark one, from
    /// bright to dim.
    private static let ages: [ColorScale.Class] = [
        .init(.from(-.infinity), "#f00000", "#fff3a0", 196, "<1 hour"),
        .init(.from(1), "#ff8000", "#ffc25a", 208, "<1 day"),
        .init(.from(24), "#ffcf00", "#ff98b0", 178, "<1 week"),
        .init(.from(168), "#dfe5ea", "#8894f6", 109, "<1 month"),
        .init(.from(720), "#ffffff", "#8a9096", 245, "older"),
    ]

    /// Magnitude types by their first letters.
    private static let magnitudeTypes: [ColorScale.Class] = [
        .init(.starting("mw"), "#910224", "#fd6d66", 161, "Mw"),
        .init(.starting("mb"), "#884a02", "#ffca46", 136, "mb"),
        .init(.starting("ml"), "#074085", "#4996ff", 33, "ML"),
        .init(.starting("md"), "#046617", "#4adb6c", 34, "Md"),
        .init(.starting("ms"), "#7f13a1", "#e798fd", 134, "Ms"),
        .init(.others, "#6b7278", "#7d848b", 245, "other"),
    ]

    /// The colors of ShakeMap, by rounded level on the Modified Mercalli scale (Worden and others, ShakeMap Manual,
    /// 2020, doi:10.5066/F7D21VPQ).
    private static let intensities: [ColorScale.Class] = [
        .init(.from(-.infinity), "#ffffff", "#c3c9cf", 250, "I"),
        .init(.from(1.5), "#bfccff", "#bfccff", 111, "II–III"),
        .init(.from(3.5), "#80ffff", "#80ffff", 44, "IV"),
        .init(.from(4.5), "#7aff93", "#7aff93", 41, "V"),
        .init(.from(5.5), "#ffff00", "#ffff00", 178, "VI"),
        .init(.from(6.5), "#ffc800", "#ffc800", 214, "VII"),
        .init(.from(7.5), "#ff9100", "#ff9100", 208, "VIII"),
        .init(.from(8.5), "#ff0000", "#ff0000", 196, "IX"),
        .init(.from(9.5), "#c80000", "#e01818", 160, "X+"),
        .init(.others, "#6b7278", "#7d848b", 245, "unknown"),
    ]
}

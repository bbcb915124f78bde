// swift-tools-version: 6.2
import PackageDescription

/// The fuzzer of the scanner and the decoder: `make fuzz`. A package of its own, because everything in it is built with
/// `-sanitize=fuzzer`. Its targets are the sources of `quakes` themselves, through links.
let settings: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

let package = Package(
    name: "quakes-fuzz",
    targets: [
        .executableTarget(name: "Fuzz", dependencies: ["QuakeFeed", "QuakeModel"], swiftSettings: settings),
        .target(
            name: "QuakeFeed", dependencies: ["QuakeModel", "QuakeHTTP", "QuakeSystem", "CQuakes"],
            swiftSettings: settings),
        .target(name: "QuakeHTTP", dependencies: ["QuakeModel", "QuakeSystem"], swiftSettings: settings),
        .systemLibrary(name: "CQuakesSystem"),
        .target(name: "CQuakesArguments"),
        .target(name: "QuakeSystem", dependencies: ["CQuakesSystem", "CQuakesArguments"], swiftSettings: settings),
        .target(name: "QuakeModel", swiftSettings: settings),
        .target(name: "CQuakes"),
    ],
    swiftLanguageModes: [.v6]
)

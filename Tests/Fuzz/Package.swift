// swift-tools-version: 6.2
import PackageDescription

/// The fuzzer for the scanner and the decoder: `make fuzz`. It is a separate package because everything in it is built
/// with `-sanitize=fuzzer`. Its targets are links to the sources of `quakes`.
let settings: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

let package = Package(
    name: "quakes-fuzz",
    targets: [
        .executableTarget(name: "Fuzz", dependencies: ["QuakeMirror", "QuakeModel"], swiftSettings: settings),
        .target(
            name: "QuakeMirror", dependencies: ["QuakeModel", "QuakeStore", "QuakeHTTP", "QuakeSystem", "CQuakes"],
            swiftSettings: settings),
        .target(
            name: "QuakeStore", dependencies: ["QuakeModel", "QuakeSystem", "CQuakesSQLite"], swiftSettings: settings),
        .systemLibrary(name: "CQuakesSQLite", pkgConfig: "sqlite3"),
        .target(name: "QuakeHTTP", dependencies: ["QuakeModel", "QuakeSystem"], swiftSettings: settings),
        .target(name: "QuakeSystem", dependencies: ["CQuakes"], swiftSettings: settings),
        .target(name: "QuakeModel", swiftSettings: settings),
        .target(name: "CQuakes"),
    ],
    swiftLanguageModes: [.v6]
)

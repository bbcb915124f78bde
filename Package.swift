// swift-tools-version: 6.2
import PackageDescription

/// Enforces the dependencies between modules: an import that is not declared here, or a type that leaks through a public
/// declaration, does not build.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// Tests run once: optimizing them would take longer than it saves. The libraries that they test are optimized.
let forTests = strict + [.unsafeFlags(["-Onone"])]

/// Most code of the commands runs once per process, so it is optimized for size: 0.3 MB less, built sooner. `make test`
/// sets the variable, and leaves it unoptimized, too.
let forCommands =
    Context.environment["QUAKES_TESTS"] != nil ? forTests : strict + [.unsafeFlags(["-Osize"])]

/// Only the programs need it: packages that depend on this one with `traits: []` do not fetch it.
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Programs"]))

/// Set by `make build`: builds only the two programs and their modules, together instead of one after the other.
let isForPrograms = Context.environment["QUAKES_PROGRAMS"] != nil

let package = Package(
    name: "quakes",
    products: [
        .executable(name: "quakes", targets: ["quakes"]),
        .executable(name: "quakes-fetch", targets: ["quakes-fetch"]),
        // The cache: reading, writing, history. Nothing of the network.
        .library(name: "QuakeModel", targets: ["QuakeModel"]),
        .library(name: "QuakeStore", targets: ["QuakeModel", "QuakeStore"]),
        // Quakes and changes as JSON, CSV, GeoJSON and QuakeML.
        .library(name: "QuakeFormats", targets: ["QuakeModel", "QuakeFormats"]),
        // Changes that are collected before they are saved, with undo.
        .library(name: "QuakeEditing", targets: ["QuakeModel", "QuakeStore", "QuakeEditing"]),
        // GeoNames cities by name, and the city nearest to a point.
        .library(name: "QuakePlaces", targets: ["QuakeModel", "QuakePlaces"]),
        // Keeps a cache faithful to the feeds, through a transport that the program passes in. Links no network library.
        .library(name: "QuakeMirror", targets: ["QuakeModel", "QuakeStore", "QuakeHTTP", "QuakeMirror"]),
        // The URLSession transport: the only library that links FoundationNetworking, and with it libcurl.
        .library(name: "QuakeDownload", targets: ["QuakeDownload"]),
        // Not supported: what Benchmarks/Micro measures.
        .library(name: "QuakeSteps", targets: ["QuakeSteps", "QuakeCommands"]),
    ],
    traits: [
        .trait(name: "Programs", description: "The programs, which parse their arguments with swift-argument-parser."),
        .default(enabledTraits: ["Programs"]),
    ],
    dependencies: [
        // A range, because an app may use it too.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        .target(name: "QuakeModel", swiftSettings: strict),
        .target(name: "QuakeFormats", dependencies: ["QuakeModel"], swiftSettings: strict),
        .target(name: "CQuakes"),
        .target(name: "QuakeSystem", dependencies: ["CQuakes"], swiftSettings: strict),
        .target(name: "QuakeHTTP", dependencies: ["QuakeModel", "QuakeSystem"], swiftSettings: strict),
        .target(
            name: "QuakeURLSession", dependencies: ["QuakeHTTP"], path: "Sources/QuakeDownload/URLSession",
            swiftSettings: strict),
        .systemLibrary(
            name: "CQuakesSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "QuakeStore", dependencies: ["QuakeModel", "QuakeSystem", "CQuakesSQLite"], swiftSettings: strict),
        .target(name: "QuakeEditing", dependencies: ["QuakeModel", "QuakeStore"], swiftSettings: strict),
        .target(
            name: "QuakeMirror", dependencies: ["CQuakes", "QuakeModel", "QuakeSystem", "QuakeHTTP", "QuakeStore"],
            swiftSettings: strict),
        .target(
            name: "QuakeDownload", dependencies: ["QuakeURLSession", "QuakeHTTP", "QuakeMirror", "QuakeStore"],
            exclude: ["URLSession"],
            swiftSettings: strict),
        .target(name: "QuakeFiles"),
        .target(
            name: "QuakePlaces", dependencies: ["QuakeModel", "QuakeFiles"], exclude: ["cities.txt"],
            swiftSettings: strict),
        .target(
            name: "QuakeMap", dependencies: ["QuakeModel", "QuakePlaces", "QuakeFiles"],
            exclude: ["Page", "Outlines"],
            swiftSettings: strict),
        .target(
            name: "QuakeCommands",
            dependencies: [
                "QuakeModel", "QuakeFormats", "QuakePlaces", "QuakeSystem", "QuakeHTTP", "QuakeStore", "QuakeMirror",
                "QuakeMap", argumentParser,
            ],
            swiftSettings: forCommands),
        .executableTarget(name: "quakes", dependencies: ["QuakeCommands"], swiftSettings: strict),
        .target(
            name: "CQuakesFetch", path: "Sources/quakes-fetch/Overrides", linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "quakes-fetch",
            dependencies: ["QuakeURLSession", "QuakeHTTP", "QuakeSystem", "CQuakesFetch"], exclude: ["Overrides"],
            swiftSettings: strict),
        .target(
            name: "QuakeTestSupport",
            dependencies: ["CQuakesSQLite", "QuakeModel", "QuakeSystem"], path: "Tests/QuakeTestSupport",
            swiftSettings: forTests),
        .testTarget(
            name: "QuakeModelTests", dependencies: ["QuakeModel", "QuakeTestSupport"], swiftSettings: forTests),
        .testTarget(
            name: "QuakeFormatsTests", dependencies: ["QuakeFormats", "QuakeModel", "QuakeTestSupport"],
            swiftSettings: forTests),
        .testTarget(
            name: "QuakePlacesTests", dependencies: ["QuakePlaces", "QuakeModel", "QuakeTestSupport"],
            swiftSettings: forTests),
        .testTarget(
            name: "QuakeSystemTests", dependencies: ["QuakeSystem", "QuakeTestSupport"], swiftSettings: forTests),
        .testTarget(
            name: "QuakeHTTPTests", dependencies: ["QuakeHTTP", "QuakeTestSupport"], swiftSettings: forTests),
        .testTarget(
            name: "QuakeDownloadTests",
            dependencies: [
                "QuakeDownload", "QuakeURLSession", "QuakeHTTP", "QuakeMirror", "QuakeStore",
                "QuakeModel", "QuakeTestSupport", "quakes-fetch",
            ],
            swiftSettings: forTests),
        .testTarget(
            name: "QuakeStoreTests",
            dependencies: ["QuakeEditing", "QuakeStore", "QuakeModel", "QuakeTestSupport", "CQuakesSQLite"],
            swiftSettings: forTests),
        .testTarget(
            name: "StoreFaultTests",
            dependencies: ["QuakeStore", "QuakeModel", "QuakeTestSupport", "CQuakesSQLite"], swiftSettings: forTests),
        .testTarget(
            name: "QuakeMirrorTests",
            dependencies: [
                "QuakeMirror", "QuakeHTTP", "QuakeEditing", "QuakeStore", "QuakeModel", "QuakeTestSupport",
                "quakes-fetch",
            ],
            swiftSettings: forTests),
        // What Benchmarks/Micro measures beside commands.
        .target(
            name: "QuakeSteps", dependencies: ["QuakeHTTP", "QuakeMirror", "QuakeModel", "QuakeStore"],
            path: "Benchmarks/QuakeSteps",
            swiftSettings: strict),
        // Writes the pages that `make test-browser` opens.
        .executableTarget(
            name: "write-map-pages", dependencies: ["QuakeMap", "QuakeModel"], path: "Tests/Browser/Pages",
            swiftSettings: strict),
        .testTarget(
            name: "QuakeMapTests",
            dependencies: ["QuakeMap", "QuakeFiles", "QuakePlaces", "QuakeModel", "QuakeTestSupport"],
            swiftSettings: forTests),
        .testTarget(
            name: "QuakeCommandsTests",
            dependencies: [
                "QuakeCommands", "QuakeEditing", "QuakeFormats", "QuakeStore", "QuakeHTTP", "QuakeModel", "QuakeSystem",
                "QuakeTestSupport", argumentParser,
            ],
            swiftSettings: forTests),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "QuakeCommands", "QuakeMirror", "QuakeStore", "QuakeModel", "QuakeSystem", "QuakeTestSupport",
                "quakes", "quakes-fetch",
            ],
            swiftSettings: forTests),
    ],
    swiftLanguageModes: [.v6]
)

if isForPrograms {
    package.products.removeAll { !$0.name.hasPrefix("quakes") }
    let others = ["QuakeDownload", "QuakeEditing", "QuakeTestSupport", "QuakeSteps", "write-map-pages"]
    package.targets.removeAll { $0.isTest || others.contains($0.name) }
}

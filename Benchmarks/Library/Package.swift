// swift-tools-version: 6.2
import PackageDescription

/// Measures the library through what it declares public: states that readers see, latency, memory.
let package = Package(
    name: "quakes-library-benchmarks",
    dependencies: [.package(name: "quakes", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "library-figures",
            dependencies: [
                .product(name: "QuakeStore", package: "quakes"), .product(name: "QuakeEditing", package: "quakes"),
            ])
    ],
    swiftLanguageModes: [.v6]
)

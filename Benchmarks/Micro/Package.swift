// swift-tools-version: 6.2
import PackageDescription

/// Benchmarks of the steps of a refresh and of a listing; a package of its own, so that whoever builds `quakes` needs no
/// part of it.
let package = Package(
    name: "quakes-micro-benchmarks",
    dependencies: [
        .package(name: "quakes", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        // Without its traits, which count allocations: no such figure is asked for here.
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Steps",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "QuakeModel", package: "quakes"),
                .product(name: "QuakeStore", package: "quakes"),
                .product(name: "QuakeMirror", package: "quakes"),
                .product(name: "QuakeSteps", package: "quakes"),
            ],
            path: "Benchmarks/Steps",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ],
    swiftLanguageModes: [.v6]
)

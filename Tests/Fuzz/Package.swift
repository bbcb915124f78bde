// swift-tools-version: 6.2
import PackageDescription

/// The fuzzer of the scanner and the decoder, a package of its own, because everything it links must be built with
/// `-sanitize=fuzzer`: run it with `make fuzz`.
let package = Package(
    name: "quakes-fuzz",
    dependencies: [.package(name: "quakes", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [.product(name: "QuakeMirror", package: "quakes")])
    ],
    swiftLanguageModes: [.v6]
)

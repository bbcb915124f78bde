// swift-tools-version: 6.2
import PackageDescription

/// A third-party program, which uses only the public declarations of `quakes`.
let package = Package(
    name: "client",
    dependencies: [
        // The identity of a package at a path is its folder's name. With this name, `package: "quakes"` works whatever
        // a clone is called.
        .package(name: "quakes", path: "../..", traits: [])
    ],
    targets: [
        // Reads a cache. Must not link libraries that only downloads need.
        .executableTarget(name: "count-quakes", dependencies: [.product(name: "QuakeStore", package: "quakes")]),
        // Prints how old the data in a cache is and what it covers.
        .executableTarget(name: "cache-status", dependencies: [.product(name: "QuakeStore", package: "quakes")]),
        // Undoes an author's last transaction.
        .executableTarget(name: "undo-last", dependencies: [.product(name: "QuakeStore", package: "quakes")]),
        // Edits a cache in a transaction with a purpose.
        .executableTarget(name: "delete-blasts", dependencies: [.product(name: "QuakeEditing", package: "quakes")]),
        // The program in the README.
        .executableTarget(name: "refresh-and-list", dependencies: [.product(name: "QuakeDownload", package: "quakes")]),
        // Prints each new quake at least once.
        .executableTarget(name: "tell-once", dependencies: [.product(name: "QuakeDownload", package: "quakes")]),
        // Keeps a file in sync with the cache.
        .executableTarget(name: "keep-json", dependencies: [.product(name: "QuakeDownload", package: "quakes")]),
        // Writes quakes and changes for other programs.
        .executableTarget(
            name: "export-quakes",
            dependencies: [
                .product(name: "QuakeFormats", package: "quakes"), .product(name: "QuakeStore", package: "quakes"),
            ]),
        // Corrects a magnitude, unless somebody else changes it meanwhile.
        .executableTarget(name: "correct", dependencies: [.product(name: "QuakeEditing", package: "quakes")]),
        .testTarget(
            name: "ClientTests",
            dependencies: [
                .product(name: "QuakeModel", package: "quakes"),
                .product(name: "QuakeStore", package: "quakes"),
                .product(name: "QuakeEditing", package: "quakes"),
                .product(name: "QuakeFormats", package: "quakes"),
                .product(name: "QuakeMirror", package: "quakes"),
                .product(name: "QuakeDownload", package: "quakes"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

public import Testing

/// Provides each test of a suite with a separate directory, which is removed afterward: ``ScratchDirectory/ofTest()``.
public struct ScratchTrait: SuiteTrait, TestTrait, TestScoping {
    /// The medium on which the directory is stored.
    let medium: ScratchDirectory.Medium

    /// Each test of the suite has a directory, not the suite.
    public var isRecursive: Bool { true }

    /// Runs a test in a new directory.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withScratchDirectory(on: medium) { directory in
            try await ScratchDirectory.$current.withValue(directory) { try await function() }
        }
    }
}

extension Trait where Self == ScratchTrait {
    /// A directory for each test.
    public static var scratch: Self { scratch(on: .memory) }

    /// A directory on `medium` for each test.
    public static func scratch(on medium: ScratchDirectory.Medium) -> Self { ScratchTrait(medium: medium) }
}

extension ScratchDirectory {
    @TaskLocal fileprivate static var current: ScratchDirectory?

    /// The directory of the current test.
    ///
    /// - Throws: if neither the test nor its suite has the trait `.scratch`.
    public static func ofTest() throws -> ScratchDirectory {
        guard let current else { throw NoScratchTrait() }
        return current
    }
}

/// The test has no directory: its suite lacks the trait `.scratch`.
struct NoScratchTrait: Error {}

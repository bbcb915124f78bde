import Foundation
import QuakeTestSupport
import Testing

@Suite("The public interface of the libraries", .endsInTime) struct PublicAPITests {
    @Test(
        "The public API equals the copy recorded in Tests/PublicAPI",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func unchanged() async throws {
        let script = Fixture.projectDirectory.appending(path: "Scripts/public-api").path
        let build = URL(filePath: BuiltProduct.path("quakes")).deletingLastPathComponent().path
        let result = try await ProcessRunner(path: "/usr/bin/python3").run(script, build, "--check")
        #expect(result.exitStatus == 0, "\(result.output)\(result.errorOutput)")
    }
}

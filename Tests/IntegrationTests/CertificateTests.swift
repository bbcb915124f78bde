import Foundation
import QuakeTestSupport
import Testing

/// Servers whose certificate is not to be trusted. Each is a real one of OpenSSL, on 127.0.0.1.
@Suite(
    "Certificates", .timeLimit(.minutes(5)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
struct CertificateTests {
    /// Where libcurl of Debian finds the certificates that everyone trusts.
    private static let trusted = "/etc/ssl/certs/ca-certificates.crt"
    private static let canTrust = "unshare -rm mount --bind /dev/null \(trusted)"

    /// Refreshes from a server with the certificate called `name`, in a process that `command` starts.
    private func refresh(_ name: String, command: String = "exec") async throws -> ProcessResult {
        let path = Fixture.url("certificates/\(name).pem").path
        let server = ProcessRunner(path: "/usr/bin/openssl")
        let arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", path, "-key", path, "-www"]
        let (result, _) = try await server.whileRunning(arguments) { running in
            var line = ""
            while !line.hasPrefix("ACCEPT ") { line = try #require(try await running.nextLine()) }
            let address = "https://\(line.dropFirst("ACCEPT ".count))/all_day.geojson"
            return try await withScratchDirectory { scratch async throws in
                let shell = ProcessRunner(path: "/bin/sh")
                let quakes = "'\(BuiltProduct.path("quakes"))' refresh --db '\(scratch.path("quakes.db"))' \(address)"
                return try await shell.run("-c", "\(command) \(quakes)")
            }
        }
        return result
    }

    @Test("A certificate that nobody signed gives 69 and says so", arguments: ["valid", "expired", "wrong-name"])
    func selfSigned(name: String) async throws {
        let result = try await refresh(name)
        #expect(result.exitStatus == 69, "\(result.errorOutput)")
        #expect(result.errorOutput.contains("The TLS connection to 127.0.0.1 failed"))
        #expect(result.errorOutput.contains("self-signed certificate"))
    }

    @Test(
        "One of a trusted signer gives 69 when it has expired or is for another name, and is accepted otherwise",
        .enabled("needs user namespaces and the certificates of Debian") {
            try await ProcessRunner(path: "/bin/sh").run("-c", canTrust).exitStatus == 0
        },
        arguments: [
            ("expired", 69 as Int32, "certificate has expired"), ("wrong-name", 69, "127.0.0.1"),
            ("valid", 65, "web page"),
        ])
    func signed(name: String, status: Int32, words: String) async throws {
        let certificate = Fixture.url("certificates/\(name).pem").path
        let script = "mount --bind '\(certificate)' \(Self.trusted) && exec \"$@\""
        let result = try await refresh(
            name, command: "exec unshare -rm sh -c '\(script.replacing("'", with: "\""))' sh")
        #expect(result.exitStatus == status, "\(result.errorOutput)")
        #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
        #expect((status == 69) == result.errorOutput.contains("The TLS connection to 127.0.0.1 failed"))
    }
}

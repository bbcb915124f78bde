import Foundation
import QuakeTestSupport
import Testing

/// Servers with untrusted certificates. Each is a real OpenSSL server on 127.0.0.1.
@Suite(
    "TLS certificates", .endsInTime, .scratch,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
struct CertificateTests {
    /// Refreshes from a server with the certificate called `name`, with `environment`.
    private func refresh(_ name: String, environment: [String: String?] = [:]) async throws -> ProcessResult {
        let path = Self.path(name)
        let server = ProcessRunner(path: "/usr/bin/openssl")
        let arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", path, "-key", path, "-www"]
        let (result, _) = try await server.whileRunning(arguments) { running in
            var line = ""
            while !line.hasPrefix("ACCEPT ") { line = try #require(try await running.nextLine()) }
            let address = "https://\(line.dropFirst("ACCEPT ".count))/all_day.geojson"
            return try await Cache.ofTest(environment: environment).run("refresh", address)
        }
        return result
    }

    private static func path(_ name: String) -> String { Fixture.url("certificates/\(name).pem").path }

    @Test(
        "quakes refresh exits with 69 for a self-signed certificate, with or without a proxy",
        arguments: ["valid", "expired", "wrong-name"])
    func selfSigned(name: String) async throws {
        let direct = try await refresh(name)
        let tunneled = try await refresh(name, environment: ["https_proxy": tunnelProxyOfTest()])
        for result in [direct, tunneled] {
            #expect(result.exitStatus == 69, "\(result.errorOutput)")
            #expect(result.errorOutput.contains("The TLS connection to 127.0.0.1 failed"))
            #expect(result.errorOutput.contains("self-signed certificate"))
        }
    }

    @Test(
        "A certificate in $SSL_CERT_FILE is trusted unless it is expired or for another host",
        arguments: [
            ("expired", 69 as Int32, "certificate has expired"), ("wrong-name", 69, "127.0.0.1"),
            ("valid", 65, "web page"),
        ])
    func certificateAuthorityFromVariable(name: String, status: Int32, words: String) async throws {
        let trusted: [String: String?] = ["SSL_CERT_FILE": Self.path(name)]
        let direct = try await refresh(name, environment: trusted)
        let proxied = try trusted.merging(["https_proxy": tunnelProxyOfTest()]) { $1 }
        let tunneled = try await refresh(name, environment: proxied)
        for result in [direct, tunneled] {
            #expect(result.exitStatus == status, "\(result.errorOutput)")
            #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
            #expect((status == 69) == result.errorOutput.contains("The TLS connection to 127.0.0.1 failed"))
        }
    }

    @Test("$CURL_CA_BUNDLE, unless empty, overrides $SSL_CERT_FILE")
    func certificateBundleVariables() async throws {
        let (right, wrong) = (Self.path("valid"), Self.path("expired"))
        for variables in [
            ["CURL_CA_BUNDLE": right, "SSL_CERT_FILE": wrong], ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": right],
        ] {
            #expect(try await refresh("valid", environment: variables).exitStatus == 65)
        }
        let missing = try await refresh("valid", environment: ["CURL_CA_BUNDLE": "/nowhere/ca.pem"])
        #expect(missing.exitStatus == 69 && missing.errorOutput.contains("/nowhere/ca.pem"), "\(missing.errorOutput)")
    }
}

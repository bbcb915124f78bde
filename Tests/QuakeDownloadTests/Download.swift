import Foundation
import QuakeMirror
import QuakeTestSupport

/// Downloads as the program does, through the built helper.
enum Download {
    static let now = Timestamp(milliseconds: 1_700_000_000_000)

    static func get(
        _ url: String, headers: [String: String] = [:], deadline: Duration = .seconds(20),
        bodyLimit: Int = TransportRequest.defaultBodyLimit, environment: [String: String] = [:]
    ) async throws -> TransportResponse {
        let transport = transport(environment)
        return try await onOwnThread {
            try transport.get(TransportRequest(url: url, headers: headers, deadline: deadline, bodyLimit: bodyLimit))
        }
    }

    static func fetch(_ url: String, validators: CacheValidators? = nil) async throws -> TransportResponse {
        let client = FeedClient(transport: transport([:]), userAgent: "quakes/test", now: { now })
        return try await onOwnThread { try client.fetch(url: url, validators: validators) }
    }

    private static func transport(_ environment: [String: String]) -> FetchProcess {
        let neutral = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        return FetchProcess(helper: BuiltProduct.path("quakes-fetch"), environment: neutral.merging(environment) { $1 })
    }
}

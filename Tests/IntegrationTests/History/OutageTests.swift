import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

/// Outages of the host and the network, archives, backfills, failing sinks and kills: `--max-origin-age` determines
/// which quakes are delivered, and all others are reported as skipped.
@Suite("Alarms after outages", .endsInTime, .scratch) struct OutageTests {
    @Test(
        "After an outage, --max-origin-age 30d skips no new quake, and 10m prints how many it skips",
        arguments: [["changes", "--exec"], ["changes", "--exec-each"], ["watch", "--exec-each"]],
        Thoroughness.seeds(1, of: 50, orOnly: "OUTAGE_SEED"))
    func outages(delivery: [String], seeds: Range<Int>) async throws {
        for seed in seeds {
            let service = try EventServiceServer.ofTest(Self.oldCatalog)
            try await withScratchDirectory { directory in
                var host = try Host(directory, delivery, service.queryURL, seed: UInt64(seed))
                try await host.live()
                try host.expectPromises("seed \(seed)")
            }
        }
    }

    /// The quakes that the backfills fetch, from months earlier.
    private static let oldCatalog: EventCatalog = {
        var catalog = EventCatalog(now: Host.start)
        catalog.insertInvented(40, in: Host.old.lowerBound...Host.old.upperBound)
        return catalog
    }()
}

/// A host with a cache and two consumers: a person gets a month's quakes, a siren those of the last ten minutes.
private struct Host {
    /// The start of the consumers.
    static let start = Timestamp(milliseconds: Timestamp.now.milliseconds / 1000 * 1000) - days(60)
    static let old = start - days(91)...start - days(61)

    private let cache: Cache
    private let directory: ScratchDirectory
    private let delivery: [String]
    private let service: String
    private var random: SplitMix64
    private var now = Host.start
    /// All quakes that USGS publishes, each with its publication time.
    private let published: [(quake: Quake, moment: Timestamp)]
    private let consumers: [(name: String, age: String)] = [("person", "30d"), ("siren", "10m")]
    private var errors = ["person": "", "siren": ""]

    private static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }

    init(_ directory: ScratchDirectory, _ delivery: [String], _ service: String, seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        published = (0..<250).map { number in
            let time = Host.start - Host.days(32) + .seconds(Int64(random.next(85 * 86_400)))
            // Most are published within half an hour, some within hours or days.
            let delay = [1_800, 1_800, 1_800, 1_800, 43_200, 3 * 86_400][random.next(6)]
            let magnitude = Double(45 + random.next(30)) / 10
            let moment = time + .seconds(120 + Int64(random.next(delay)))
            return (Quake(sample: "us\(1_000 + number)", time: time, updated: moment, magnitude: magnitude), moment)
        }
        (self.directory, self.delivery, self.service, self.random) = (directory, delivery, service, random)
        cache = Cache(in: directory, environment: ["QUAKES_SERVICE_URL": service])
    }

    // MARK: Events

    /// Simulates fifty days.
    mutating func live() async throws {
        try await refresh(.allMonth)
        for (name, _) in consumers { try await cache.output("changes", "--consumer", name, "--ack", "now") }
        while now < Host.start + Host.days(50) {
            try await rest()
            if random.next(6) == 0 { try await fill() }
            // After an outage, another program may have read a smaller feed than the one due.
            if random.next(3) == 0 { try await refresh(.allHour) }
            try await refresh(nil)
            for (name, age) in consumers where random.next(3) > 0 { try await deliver(to: name, age, mayFail: true) }
        }
        try await refresh(.allMonth)
        for (name, age) in consumers { try await deliver(to: name, age, mayFail: false) }
    }

    /// Lets time pass: minutes, an outage of the host, or an outage of the network during which the consumers continue.
    private mutating func rest() async throws {
        let isOutage = random.next(3) == 0
        now = now + .seconds(isOutage ? 3_600 + Int64(random.next(20 * 86_400)) : 300 + Int64(random.next(7_200)))
        guard isOutage, random.next(2) == 0 else { return }
        await #expect(throws: FeedError.self) { try await mirror { _ in nil }.refresh() }
        for (name, age) in consumers { try await deliver(to: name, age, mayFail: false) }
    }

    /// Reads an archive or a backfill of older times, whose quakes are smaller than all that USGS publishes.
    private mutating func fill() async throws {
        guard random.next(2) == 0 else {
            let span = (Host.old.lowerBound.iso8601, Host.old.upperBound.iso8601)
            try await cache.output("backfill", "-q", "--since", span.0, "--until", span.1, "--service-url", service)
            return
        }
        let first = Host.old.upperBound + .seconds(Int64(random.next(20 * 86_400)))
        let quakes = (0..<5).map { Quake(sample: "uo\(first.milliseconds)\($0)", time: first, magnitude: 4.4) }
        let file = try directory.write(
            document("https://example.org/archive", first + Host.days(1), quakes), to: "archive.geojson")
        _ = try await mirror { _ in nil }.refresh(.file(file))
    }

    private func refresh(_ source: FeedSource?) async throws {
        let (published, now) = (published, now)
        _ = try await mirror { address in
            let reach = ["hour": 3_600, "day": 86_400, "week": 7 * 86_400, "month": 30 * 86_400]
            guard let length = reach.first(where: { address.contains($0.key) })?.value else { return nil }
            let listed = published.filter { $0.moment <= now && $0.quake.originTime >= now - .seconds(Int64(length)) }
            return document(address, now, listed.map(\.quake))
        }.refresh(source)
    }

    private func mirror(_ answer: @escaping @Sendable (String) -> Data?) -> FeedMirror {
        let now = now
        let configuration = StoreConfiguration(program: "tests", now: { now })
        var mirror = FeedMirror(
            QuakeCache(path: cache.path, configuration: configuration), transport: Answers(answer: answer))
        mirror.service = nil
        return mirror
    }

    private struct Answers: HTTPTransport {
        let answer: @Sendable (String) -> Data?

        func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
            guard let body = answer(request.url) else { throw TransportError(.unreachable, "The network is down.") }
            return TransportResponse(status: 200, url: request.url, body: body)
        }
    }

    // MARK: Deliveries

    private func told(_ name: String) -> String { directory.path("told-\(name)") }

    /// Delivers new quakes to `name` until the sink fails.
    private mutating func deliver(to name: String, _ age: String, mayFail: Bool) async throws {
        let fault = mayFail ? [":", "exit 1", "kill -9 $PPID"][random.next(3)] : ":"
        // The command for each change fails for some of them.
        let failing = "case ${QUAKE_ID:-0} in *\(random.next(10))|0) touch failed; \(fault);; esac"
        let record = delivery[1] == "--exec" ? "cat" : "echo $QUAKE_ID"
        var arguments = [
            delivery[0], "--consumer", name, "--max-origin-age", age, "--op", "insert,enter",
            delivery[1], "cd \(directory.url.path); \(failing); \(record) >> \(told(name))",
        ]
        if delivery[1] == "--exec" { arguments += ["--template", "{id}"] }
        guard delivery[0] == "watch" else {
            errors[name, default: ""] += try await cache.quakes.run(arguments).errorOutput
            return
        }
        let failed = directory.path("failed")
        try? FileManager.default.removeItem(atPath: failed)
        let history = try QuakeContext(QuakeCache(path: cache.path), access: .reading).history
        errors[name, default: ""] += try await cache.quakes.whileRunning(arguments) { process in
            while process.isAlive, try history.consumer(named: name)?.token != history.currentToken(),
                fault == ":" || !FileManager.default.fileExists(atPath: failed)
            { try await Task.sleep(for: .milliseconds(5)) }
        }.1.errorOutput
    }

    func expectPromises(_ comment: Comment) throws {
        let news = published.filter { $0.moment > Host.start && $0.moment <= now }.map(\.quake)
        for (name, _) in consumers {
            let text = (try? String(contentsOfFile: told(name), encoding: .utf8)) ?? ""
            let told = Set(text.split(separator: "\n").map(String.init))
            #expect(told.isSubset(of: news.map(\.id)), "\(comment): of older times, to the \(name)")
            let untold = news.filter { !told.contains($0.id) }
            let lines = (errors[name] ?? "").split(separator: "\n").filter { $0.contains("quakes: skipped ") }
            #expect(untold.isEmpty == (name == "person"), "\(comment), \(name): \(untold.map(\.id))")
            let skipped = lines.compactMap { Int($0.split(separator: " ")[2].replacing(",", with: "")) }
            #expect(skipped.reduce(0, +) >= untold.count, "\(comment), \(name)")
            if let largest = untold.compactMap(\.magnitude).max() {
                let words = "largest quake: M \(Quake.titleMagnitude(largest))"
                #expect(lines.contains { $0.contains(words) }, "\(comment)")
            }
        }
    }
}

private func document(_ address: String, _ moment: Timestamp, _ quakes: [Quake]) -> Data {
    FeedText.document(address, generated: moment, features: quakes.map { FeedText.feature($0) })
}

import Foundation
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

/// Programs that follow a cache report every later change, whatever happens to the files, or report why they cannot.
@Suite("Files changed underneath a follower", .endsInTime, .scratch) struct ActsUnderneathTests {
    @Test(
        "If cache files are moved or truncated, quakes watch prints each new quake or an error",
        .disabled(if: Sanitizer.isActive, "limits and signals of processes"),
        arguments: Thoroughness.seeds(Act.allCases.count, of: 200, orOnly: "QUAKES_ACT"))
    func noSilentFollower(seeds: Range<Int>) async throws {
        let directory = try ScratchDirectory.ofTest()
        let server = try FeedServer.ofTest()
        let story = Story(directory, server)
        try story.begin()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for follower in story.followers { group.addTask { try await follower.run() } }
            group.addTask {
                defer { for follower in story.followers { follower.stop() } }
                try await story.arouse("at the start")
                for seed in seeds { try await story.play(seed) }
            }
            try await group.waitForAll()
        }
    }
}

/// An action that somebody takes on a cache's files or their surroundings.
private enum Act: String, CaseIterable {
    case restore, restoreOther, purge, purgeHistory, compact, fullDisk, pause, lock, allAside, allAsideAndBack
    // These are not promised to work.
    case moveCopyOver, installCopyOver, moveOtherOver, aside, asideAndBack, removeLog, removeLogAndIndex, removeIndex
    case truncate, truncateHalf, truncateLog, folder

    /// Whether every later change must be reported.
    var isPromised: Bool {
        switch self {
        case .restore, .restoreOther, .purge, .purgeHistory, .compact, .fullDisk, .pause, .lock, .allAside,
            .allAsideAndBack:
            true
        default: false
        }
    }
}

/// What a follower must report about a change after an act.
private enum Demand {
    /// The change, or that something happened.
    case first
    /// The change, or the position from which the follower continues.
    case continuing
    /// The change, or the reason why it cannot be delivered.
    case later
    case everything
}

/// A program that follows the cache and is restarted whenever it ends with a message.
private final class Follower: Sendable {
    private struct State {
        var lines: [String] = []
        var process: RunningProcess?
        var runs = 0
        var isOver = false
    }

    let name: String
    private let arguments: [String]
    private let runner: ProcessRunner
    private let state = Mutex(State())

    init(_ name: String, _ runner: ProcessRunner, _ arguments: [String]) {
        self.name = name
        self.arguments = ["-c", "exec \"$@\" 2>&1", "sh", runner.executable] + arguments
        self.runner = ProcessRunner(path: "/bin/sh", environment: runner.environment)
    }

    func run() async throws {
        while !state.withLock(\.isOver) {
            _ = try await runner.whileRunning(arguments) { process in
                let isOver = state.withLock { state in
                    state.process = process
                    state.runs += 1
                    return state.isOver
                }
                if isOver { return }
                while let line = try await process.nextLine() { state.withLock { $0.lines.append(line) } }
                state.withLock { $0.process = nil }
            }
        }
    }

    func stop() {
        state.withLock { state in
            state.isOver = true
            state.process?.send(signal: SIGTERM)
        }
    }

    var process: RunningProcess? { state.withLock(\.process) }
    /// The number of times it was started.
    var runs: Int { state.withLock(\.runs) }
    var lineCount: Int { state.withLock(\.lines.count) }

    func lines(from start: Int) -> ArraySlice<String> { state.withLock { $0.lines[start...] } }

    func hasTold(_ id: String, from start: Int) -> Bool { lines(from: start).contains { $0.contains(id) } }

    /// Whether it has met the `demand` with a message about the cache, not about the server.
    func hasExplained(from start: Int, _ demand: Demand) -> Bool {
        lines(from: start).contains { line in
            guard line.hasPrefix("quakes: "), !line.contains("returned status") else { return false }
            return switch demand {
            case .first: true
            case .continuing: line.contains("continuing")
            case .later: !line.contains(/continuing|can be \w+ again|succeeds again/)
            case .everything: false
            }
        }
    }
}

/// A cache, its followers, and the acts on it.
private final class Story: Sendable {
    let followers: [Follower]
    private let cache: Cache
    private let server: FeedServer
    private let next = Atomic(0)

    init(_ directory: ScratchDirectory, _ server: FeedServer) {
        cache = Cache(in: directory)
        self.server = server
        var runner = cache.quakes
        runner.environment.merge(["QUAKES_BASE_URL": server.base, "QUAKES_CONFIRM_WITH_SERVICE": "0"]) { $1 }
        followers = [
            Follower("watch", runner, ["watch", "--interval", "1s", "--format", "ndjson"]),
            Follower(
                "watch --exec-each", runner,
                ["watch", "--interval", "1s", "--consumer", "each", "--exec-each", "echo $QUAKE_ID"]),
            Follower("follow", runner, ["changes", "--follow"]),
            Follower("follow --consumer", runner, ["changes", "--follow", "--since-token", "--consumer", "follow"]),
        ]
    }

    func begin() throws {
        try cache.insert(0..<1)
        let other = Cache(in: cache.directory, name: "other.db")
        try other.insert(1_000_000..<1_000_003)
    }

    private func file(_ suffix: String) -> String { cache.path + suffix }

    /// Inserts a quake, which every follower must report as the `demand` requires. Throws if the cache cannot be
    /// written.
    private func probe(_ words: String, from starts: [Int], _ demand: Demand) async throws {
        let number = next.add(1, ordering: .relaxed).newValue
        let id = "us70\(number)"
        try cache.insert(number..<number + 1)
        let deadline = ContinuousClock.now + .seconds(100)
        for (follower, start) in zip(followers, starts) {
            while !follower.hasTold(id, from: start), !follower.hasExplained(from: start, demand) {
                guard ContinuousClock.now < deadline else {
                    Issue.record(
                        "\(words): \(follower.name) did not tell \(id), and said \(follower.lines(from: max(0, start - 5)).suffix(12))"
                    )
                    // The other followers are not affected.
                    follower.process?.send(signal: SIGKILL)
                    break
                }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Inserts quakes until every follower has reported one, because a new follower starts with the next change.
    func arouse(_ words: String) async throws {
        let starts = followers.map(\.lineCount)
        let deadline = ContinuousClock.now + .seconds(100)
        while let silent = zip(followers, starts).first(where: { !$0.hasTold("us70", from: $1) })?.0 {
            guard ContinuousClock.now < deadline else {
                Issue.record("\(words): \(silent.name) is silent")
                silent.process?.send(signal: SIGKILL)
                return
            }
            let number = next.add(1, ordering: .relaxed).newValue
            try? cache.insert(number..<number + 1)
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Waits until every follower has noticed the act, then until it reports later changes.
    func settle(_ words: String, isPromised: Bool = true) async throws {
        let starts = followers.map(\.lineCount)
        try await settle(words, from: starts, isPromised: isPromised)
    }

    private func settle(_ words: String, from starts: [Int], isPromised: Bool) async throws {
        try await probe(words, from: starts, isPromised ? .continuing : .first)
        for _ in 1...2 { try await probe(words, from: starts, isPromised ? .everything : .later) }
    }

    func play(_ seed: Int) async throws {
        let all = Act.allCases
        var random = SplitMix64(state: UInt64(seed))
        let act = seed < all.count ? all[seed] : all[random.next(all.count)]
        let words = "\(seed) \(act)"
        let (starts, runs) = (followers.map(\.lineCount), followers.map(\.runs))
        do {
            try await carryOut(act)
            try await settle(words, from: starts, isPromised: act.isPromised)
        } catch {
            #expect(!act.isPromised, "\(words): \(error)")
        }
        if act.isPromised { #expect(followers.map(\.runs) == runs, "\(words)") }
        // Whatever is left, moving all files aside allows a fresh start.
        if !act.isPromised {
            rmdir(cache.path)
            for suffix in ["", "-wal", "-shm"] { try move(suffix, to: ".aside") }
            try await arouse("\(words), and all files aside")
        }
    }

    /// Waits until a watch has sent a request to the server, unless it is honoring a pause.
    private func waitForRequest() {
        let (count, end) = (server.requests.count, ContinuousClock.now + .seconds(3))
        while server.requests.count == count, ContinuousClock.now < end { usleep(5000) }
    }

    private func run(_ arguments: String...) async throws {
        while true {
            let result = try await cache.quakes.run(arguments)
            // A watch's refresh may be using the cache.
            if result.exitStatus == 75 { continue }
            guard result.exitStatus == 0 else { throw Failure(words: "\(arguments): \(result.errorOutput)") }
            return
        }
    }

    private struct Failure: Error { var words: String }

    private func move(_ suffix: String, to end: String) throws {
        guard rename(file(suffix), file(suffix + end)) == 0 || errno == ENOENT else {
            throw Failure(words: "rename \(suffix): \(errno)")
        }
    }

    private func carryOut(_ act: Act) async throws {
        let other = cache.directory.path("other.db")
        switch act {
        case .restore:
            try await run("backup", "--force", cache.directory.path("backup.db"))
            try await settle("before \(act)")
            try await run("restore", "-q", cache.directory.path("backup.db"))
        case .restoreOther: try await run("restore", "-q", "--force", other)
        case .purge: try await run("purge", "-q", "--yes", "--min-mag", "0")
        case .purgeHistory: try await run("purge", "-q", "--history", "--all", "--force")
        case .compact: try await run("purge", "-q", "--compact")
        case .fullDisk:
            // A command that has just run may fail to save its position, which is reported once.
            let starts = followers.map(\.lineCount)
            try await limit("0")
            try await settle("while \(act)", from: starts, isPromised: false)
            try await limit("unlimited")
        case .pause:
            server.serveEverything(ServedAnswer(status: 503, headers: ["Retry-After": "3600"]))
            waitForRequest()
            server.serveEverything(ServedAnswer(status: 404))
        case .lock:
            try cache.edit { [self] _ in waitForRequest() }
        case .allAside: for suffix in ["", "-wal", "-shm"] { try move(suffix, to: ".aside") }
        case .allAsideAndBack, .asideAndBack:
            let suffixes = act == .asideAndBack ? [""] : ["", "-wal", "-shm"]
            for suffix in suffixes { try move(suffix, to: ".aside") }
            usleep(300_000)
            for suffix in suffixes.reversed() {
                guard rename(file(suffix + ".aside"), file(suffix)) == 0 else { throw Failure(words: "\(errno)") }
            }
        case .moveCopyOver, .installCopyOver, .moveOtherOver:
            let source = act == .moveOtherOver ? other : cache.directory.path("copy.db")
            if act != .moveOtherOver { try await run("backup", "--force", source) }
            let draft = cache.directory.path("draft.db")
            try? FileManager.default.removeItem(atPath: draft)
            try FileManager.default.copyItem(atPath: source, toPath: draft)
            if act == .installCopyOver { unlink(cache.path) }
            guard rename(draft, cache.path) == 0 else { throw Failure(words: "\(errno)") }
        case .aside: try move("", to: ".aside")
        case .removeLog: unlink(file("-wal"))
        case .removeLogAndIndex: for suffix in ["-wal", "-shm"] { unlink(file(suffix)) }
        case .removeIndex: unlink(file("-shm"))
        case .truncate: truncate(cache.path, 0)
        case .truncateHalf:
            let size = try FileManager.default.attributesOfItem(atPath: cache.path)[.size] as? Int ?? 0
            truncate(cache.path, size / 2)
        case .truncateLog: truncate(file("-wal"), 0)
        case .folder:
            try move("", to: ".aside")
            guard mkdir(cache.path, 0o700) == 0 else { throw Failure(words: "\(errno)") }
        }
    }

    private func limit(_ size: String) async throws {
        for process in followers.compactMap(\.process?.processID) {
            _ = try await ProcessRunner(path: "/usr/bin/prlimit").run("--pid=\(process)", "--fsize=\(size):")
        }
    }
}

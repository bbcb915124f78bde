import QuakeStore
import QuakeSystem

/// Delivers changes: reads a page of the history, hands each record to a sink, and saves the position once the sink has
/// received everything before it.
struct Delivery {
    let request: DeliveryRequest
    let environment: CommandEnvironment
    let reporter: Reporter
    let interruption: FollowInterruption
    /// Called while a command runs. With `--exec-each`, the arguments are the id of the quake and the running time of
    /// its command. With `--exec`, they are nil and the time since the last record.
    var whileRunning: (String?, Duration) -> Void = { _, _ in }

    init(_ request: DeliveryRequest, in environment: CommandEnvironment, _ reporter: Reporter) {
        self.request = request
        self.environment = environment
        self.reporter = reporter
        interruption = FollowInterruption(reporter)
    }

    /// Delivers all changes committed so far and returns the number of records. Throws if another process is delivering
    /// to the same reader.
    func deliverOnce(in context: QuakeContext) throws -> Int {
        try context.requireFilled()
        let lock = ReaderLock(request.start.position, cacheAt: context.cache.path)
        try lock.take()
        defer { lock.release() }
        // A signal must not end this program between the success of a command and the saving of the position.
        let signals = request.runsCommands ? HeldSignals() : nil
        signals?.hold()
        defer { signals?.release() }
        return try deliver(in: context)
    }

    /// Delivers all changes committed after the last delivery, and returns the number of records that the sink has
    /// received. If the position is unusable, follows ``DeliveryRequest/unusableStartAction``.
    ///
    /// - Parameter followed: The sink of an ongoing delivery, which continues after what its reader has read; nil for a
    ///   new sink that begins at the start of the request.
    func deliver(in context: QuakeContext, to followed: FollowedOutput? = nil) throws -> Int {
        do {
            let start = try followed?.delivered.map { .token($0) } ?? start(in: context)
            let sink: any ChangeSink = try followed ?? sink(startingAt: start, in: context)
            try deliverPages(to: sink, from: start, in: context)
            return sink.takenCount
        } catch StoreError.token(let fault) {
            guard
                request.unusableStartAction == .resume
                    || request.unusableStartAction == .resumeUnlessExpired && fault != .expired,
                let resumed = try request.start.position?.resume(in: context)
            else { throw StoreError.token(fault) }
            followed?.resume(after: resumed.token)
            interruption.end(resumed.words)
            return try deliver(in: context, to: followed)
        }
    }

    private func start(in context: QuakeContext) throws -> HistoryDescriptor.Start {
        switch request.start {
        case .given(let start): try start(context)
        case .kept(let position): try position.start(in: context, startsNow: request.startsNow, reporter)
        }
    }

    private func sink(startingAt start: HistoryDescriptor.Start, in context: QuakeContext) throws -> any ChangeSink {
        var style = request.style
        style.now = environment.now()
        style.idOfKey = { key in try? context.quake(key: key)?.quake.id }
        let position = request.start.position
        switch request.receiver {
        case .output(let rendering):
            let savesToken = position?.savesAfterDelivery ?? false
            style.startText = start.words(in: style.display.timeZone)
            style.tokenWriter = savesToken ? nil : ByteWriter(environment.standardError)
            let writer = environment.writer(forPeople: rendering.isForPeople)
            return OutputSink(rendering.renderer(writer, style), confirming: savesToken ? environment : nil)
        case .command(let command, let rendering):
            // The command gets the original TZ, which the time zone of the output has replaced in this process.
            let variables = style.display.timeZone.isUTC ? nil : environment.variables
            let savesToken = position?.saved != nil && position?.savesAfterDelivery == true
            return CommandSink(
                command, variables: variables, savesToken: savesToken, rendering: rendering, style: style,
                whileRunning: whileRunning)
        case .eachChange(let command):
            return EachChangeSink(
                command, variables: environment.variables, style: style, after: try position?.lastChange(in: context),
                save: { try position?.save($0, in: context) }, whileRunning: whileRunning)
        }
    }

    private func deliverPages(
        to sink: any ChangeSink, from start: HistoryDescriptor.Start, in context: QuakeContext
    ) throws {
        let limit = request.changes.limit
        let age = request.changes.maximumOriginAge
        var start = start
        var read = 0
        while true {
            var end: HistoryEnd?
            try context.snapshot {
                var page = try request.descriptor(from: start, in: context)
                page.limit = [limit.map { $0 - read }, sink.pageSize].compactMap(\.self).min()
                try context.history.fetch(page, resyncs: request.unusableStartAction == .resync) { event in
                    if case .end(let last) = event { end = last }
                    try sink.take(event)
                }
            }
            guard let end else { return }
            // A sink with pages saves the position after each change, so report skipped changes before a saved position
            // is past them.
            if sink.pageSize != nil { reporter.remark(on: end.skipped, olderThan: age) }
            let receipt = try sink.finish(end)
            reporter.remark(on: end.skipped, olderThan: age)
            do {
                if let receipt { try request.start.position?.save(receipt, in: context) }
            } catch StoreError.token {
                throw CommandError("The cache was replaced while its changes were being read.", "Try again.", .tryLater)
            }
            read += end.count
            guard end.hasMore, limit.map({ read < $0 }) ?? true else { return }
            start = .token(end.token)
        }
    }
}

extension HistoryDescriptor.Start {
    /// The start time in words, such as `recorded since 2021-07-21 00:00 UTC`; nil if the start is not a time.
    fileprivate func words(in zone: DisplayTimeZone) -> String? {
        switch self {
        case .committed(let moment): "recorded since \(zone.minuteAndZone(moment))"
        case .published(let moment): "published since \(zone.minuteAndZone(moment))"
        case .nothing, .beginning, .oldest, .token, .transaction: nil
        }
    }
}

extension Reporter {
    /// Reports, once, the changes that `--max-origin-age` skipped.
    fileprivate func remark(on skipped: SkippedChanges, olderThan age: Duration?) {
        guard let age, let largest = skipped.largest, rememberIfNew(skipped) else { return }
        remark(
            "skipped \(skipped.count.counted("change")) recorded more than \(age.words) after the quake; "
                + "largest quake: " + TerminalText.sanitized(largest.headline))
    }
}

import QuakeStore

/// One run of `quakes changes`, or of `quakes watch`, which delivers changes in the same way.
struct ChangesRun {
    let command: ChangesCommand
    let position: ReadPosition
    let display: DisplayStyle
    let environment: CommandEnvironment
    let reporter: Reporter

    /// Returns the history query that the options describe, without the start position.
    func descriptor(in context: QuakeContext) throws -> HistoryDescriptor {
        let filter = try command.filters.filter(from: display.sites)
        var descriptor = try command.relevance.descriptor(filter: filter, in: context)
        (descriptor.limit, descriptor.isCoalesced) = (command.limit, command.coalesces)
        return descriptor
    }

    /// Writes the changes of `descriptor`, or passes them to the command of `--exec` or `--exec-each`, and saves the
    /// token. Returns their number.
    ///
    /// - Parameter whileRunning: Called while a command runs, with the id of its quake (nil for `--exec`) and its
    ///   running time (for `--exec`, the time since its last record).
    func deliver(
        _ descriptor: HistoryDescriptor, in context: QuakeContext,
        whileRunning: @escaping (String?, Duration) -> Void = { _, _ in }
    ) throws -> Int? {
        if let command = command.delivery.eachCommand {
            var style = OutputStyle(display: display)
            style.now = environment.now()
            style.idOfKey = { key in try? context.quake(forKey: key)?.quake.id }
            return try EachChange(
                command: command, descriptor: descriptor, position: position, context: context,
                variables: environment.variables, style: style, reporter: reporter, whileRunning: whileRunning
            ).deliver()
        }
        let rendering = command.rendering(in: environment)
        let compared = try command.compared.properties(for: command.chosenFormat)
        guard let program = command.delivery.command else {
            var style = OutputStyle(environment, command.global, display: display, context: context)
            style.comparedProperties = compared
            style.start = descriptor.start.words(in: display.time)
            style.tokenAside = position.keepsToken ? nil : ByteWriter(environment.standardError)
            let renderer = rendering.renderer(environment.writer(forPeople: rendering.isForPeople), style)
            return try deliver(descriptor, in: context, to: renderer.write) {
                try renderer.finish()
                if position.keepsToken { try environment.standardOutput.confirmDelivery() }
                return nil
            }
        }
        var style = OutputStyle(display: display)
        style.now = environment.now()
        style.comparedProperties = compared
        // Commands get the original TZ. In this process, the output's time zone has replaced it.
        let variables = display.time.isUTC ? nil : environment.variables
        let output = CommandOutput(
            program, variables: variables, rendering: rendering, style: style, whileRunning: whileRunning)
        return try deliver(descriptor, in: context, to: output.write, finish: output.finish)
    }

    /// Passes the changes from one snapshot to `write`, and saves the token after `finish`. Returns their number.
    private func deliver(
        _ descriptor: HistoryDescriptor, in context: QuakeContext, to write: (HistoryEvent) throws -> Void,
        finish: () throws -> FinishedCommand?
    ) throws -> Int? {
        let end = try context.snapshot {
            var end: HistoryEnd?
            let resyncs = command.start.remedy(command.delivery) == .resync
            try context.history.fetch(descriptor, resyncs: resyncs) { event in
                if case .end(let last) = event { end = last }
                try write(event)
            }
            return end
        }
        let finished = try finish()
        if let end {
            reporter.remark(on: end.skipped, olderThan: descriptor.maximumOriginAge)
            do {
                try position.keep(end.token, after: finished, in: context)
            } catch StoreError.token {
                throw CommandError("The cache was replaced while its changes were read.", "Try again.", .tryLater)
            }
        }
        return end?.count
    }
}

extension HistoryDescriptor.Start {
    /// The start time in words, such as `recorded since 2021-07-21 00:00 UTC`; nil if the start is not a time.
    fileprivate func words(in zone: LocalTime) -> String? {
        switch self {
        case .committed(let moment): "recorded since \(zone.minuteAndZone(moment))"
        case .published(let moment): "published since \(zone.minuteAndZone(moment))"
        case .nothing, .beginning, .floor, .token, .transaction: nil
        }
    }
}

extension Reporter {
    /// Reports the changes that `--max-origin-age` skipped. Call this before the reader's position moves past them.
    func remark(on skipped: SkippedChanges, olderThan age: Duration?) {
        guard let age, let largest = skipped.largest, isUnreported(skipped) else { return }
        remark(
            "skipped \(skipped.count.counted("change")) that arrived more than \(age.words) after the quake; "
                + "largest quake: " + TerminalText.sanitized(largest.headline))
    }
}

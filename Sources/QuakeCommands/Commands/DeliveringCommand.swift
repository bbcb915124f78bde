import QuakeStore

/// A command that delivers changes: `changes` or `watch`.
protocol DeliveringCommand: FilteringCommand {
    var relevance: RelevanceOptions { get }
    var lines: ChangeTemplateOption { get }
    var display: DisplayOptions { get }
}

extension DeliveringCommand {
    /// Returns the style of lengths and times, with the sites for distances.
    func displayStyle(in environment: CommandEnvironment) throws -> DisplayStyle {
        let sites = try filters.sites(in: environment, global)
        try lines.requireSite(in: sites)
        return try display.style(in: environment, sites: sites)
    }

    /// Checks the filters against the cache, if there is one. Reports ids, and values such as networks, that the cache
    /// lacks.
    func check(_ context: QuakeContext?, in environment: CommandEnvironment) throws {
        global.remark(try filters.checkValues(in: context), in: environment)
        global.remark(try relevance.unknownIDs(in: context), in: environment)
    }

    /// Returns the request to deliver the selected changes: to `eachCommand` or `command`, if given, otherwise to
    /// standard output.
    ///
    /// - Parameters:
    ///   - format: The chosen format. By default (nil), NDJSON for `command` and for endless output that does not go to
    ///     a terminal, otherwise a table.
    ///   - isEndless: Whether the delivery continues until it is stopped.
    func request(
        from start: DeliveryRequest.Start, to command: String?, orEach eachCommand: String?, format: ChangesFormat?,
        isEndless: Bool, display: DisplayStyle, in environment: CommandEnvironment
    ) throws -> DeliveryRequest {
        let isForProgram = command != nil || isEndless && !environment.standardOutput.isTerminal
        let format = ChangesOutputForm.format(format ?? (isForProgram ? .ndjson : .table))
        let rendering = lines.template.map { .template($0, remarks: environment.standardError) } ?? format
        let changes = relevance.descriptor(filter: try filters.filter(from: display.sites))
        var request = DeliveryRequest(
            start: start, changes: changes, ids: relevance.quakeIDs, receiver: .output(rendering),
            style: OutputStyle(display: display))
        if let eachCommand {
            request.receiver = .eachChange(eachCommand)
        } else if let command {
            request.receiver = .command(command, rendering)
        } else {
            request.style = OutputStyle(environment, global, display: display)
        }
        return request
    }
}

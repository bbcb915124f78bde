import ArgumentParser

/// How changes reach the reader, and when its place moves.
struct DeliveryOptions: ParsableArguments {
    @Option(
        name: .customLong("ack"),
        help: ArgumentHelp("Show nothing; set the remembered token by hand.", valueName: "token"))
    var acknowledged: String?

    @Flag(name: .customLong("no-ack"), help: "Leave the remembered token where it is.")
    var leavesToken = false

    @Option(
        name: .customLong("exec"),
        help: ArgumentHelp(
            "Give the records, if any, to this shell command; the token moves only when it exits with status 0.",
            valueName: "command"))
    var command: String?

    @Flag(name: .customLong("follow"), help: "Go on with what is committed from now on, until INT or TERM (ndjson).")
    var follows = false

    @Option(
        name: .customLong("heartbeat"),
        help: ArgumentHelp("With --follow: a heartbeat record after this long without another.", valueName: "duration"),
        transform: DurationArgument.parse)
    var heartbeat: DurationArgument?

    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp("With --follow: end after this long.", valueName: "duration"),
        transform: DurationArgument.parse)
    var timeout: DurationArgument?

    func validate() throws {
        if !follows, heartbeat != nil || timeout != nil {
            throw ValidationError("--heartbeat and --timeout go with --follow.")
        }
        if heartbeat?.duration == .zero { throw ValidationError("--heartbeat must be longer than 0s.") }
        if [acknowledged != nil, command != nil, follows].count(where: { $0 }) > 1 {
            throw ValidationError("--ack, --exec and --follow exclude each other.")
        }
        if acknowledged != nil, leavesToken { throw ValidationError("--ack and --no-ack exclude each other.") }
        if command?.isEmpty == true { throw ValidationError("--exec needs a command.") }
    }
}

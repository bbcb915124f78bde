import ArgumentParser
import QuakeModel

/// Options that say how changes are delivered and when the saved token advances.
struct DeliveryOptions: ParsableArguments {
    @Option(
        "--ack <token>", "Save this token for the consumer and print nothing.", completion: .token, visibility: .hidden)
    var acknowledged: String?

    @Flag("--no-ack", "Do not advance the saved token.", visibility: .hidden) var leavesToken = false
    @Flag("--mark-read", "Advance the saved token even when writing to a terminal.")
    var marksRead = false

    @Option(
        "--exec <command>",
        """
        Pipe the changes, if there are any, to this shell command; advance the saved token only if it succeeds. \
        To run a command for each change, use --exec-each instead.
        """, transform: DeliveryOptions.commandForAll)
    var command: String?

    @Option(
        "--exec-each <command>",
        """
        Run this shell command for each change, with the change's values in $QUAKE_TITLE, $QUAKE_ID, $QUAKE_MAG and \
        so on; stop at the first failure. A new consumer skips everything recorded so far.
        """, transform: DeliveryOptions.command)
    var eachCommand: String?

    @Flag("--follow", "Keep running and print new changes as they are recorded, until interrupted.")
    var follows = false

    @Option(
        "--heartbeat <duration>",
        "With --follow, write a heartbeat record when nothing has been written for this long, such as 30s.",
        visibility: .hidden, transform: Duration.parse)
    var heartbeat: Duration?

    @Option(
        "--timeout <duration>", "With --follow, stop after this long, such as 1h.", visibility: .hidden,
        transform: Duration.parse)
    var timeout: Duration?

    /// Returns the command for `--exec-each`. Throws if the command is blank, because a shell would report success.
    /// Also throws if it contains a template placeholder such as `{mag}`, which the shell would not replace, unless the
    /// command uses jq, where braces build an object.
    static func command(_ text: String) throws -> String {
        guard !text.isBlank else { throw ValidationError("The command is empty. Give one, or omit the option.") }
        let fields = text.matches(of: /(?:^|[^$])\{([a-z]\w*)\}/).compactMap {
            QuakeProperty(rawValue: String($0.output.1))
        }
        if let field = fields.first, !text.contains("jq") {
            throw ValidationError(
                "Braces such as {\(field.rawValue)} are for --template; --exec-each sets the variable "
                    + "$QUAKE_\(field.rawValue.uppercased()).")
        }
        return text
    }

    /// Returns the command for `--exec`. Throws if `--exec-each` would reject the command, or if it uses variables such
    /// as `$QUAKE_ID`, which only `--exec-each` sets. A variable with a default, such as `${QUAKE_ID:-0}`, is accepted.
    static func commandForAll(_ text: String) throws -> String {
        guard try command(text).contains(/\$QUAKE_|\$\{QUAKE_\w+\}/) else { return text }
        throw ValidationError("Only --exec-each sets $QUAKE_ID and so on; --exec pipes all changes to one command.")
    }

    /// The names of the options that were given out of `--ack`, `--exec`, `--exec-each` and `--follow`.
    var chosen: [String] {
        let options = [
            (acknowledged != nil, "--ack"), (command != nil, "--exec"), (eachCommand != nil, "--exec-each"),
            (follows, "--follow"),
        ]
        return options.filter(\.0).map(\.1)
    }

    func validate() throws {
        if !follows, heartbeat != nil || timeout != nil {
            throw ValidationError("--heartbeat and --timeout need --follow.")
        }
        if heartbeat == .zero { throw ValidationError("--heartbeat must be longer than 0s.") }
        guard chosen.count < 2 else {
            let way = " To run a command for each change as it is recorded, use `quakes watch --exec-each COMMAND`."
            throw ValidationError(
                "\(chosen.joined(separator: " and ")) cannot be combined."
                    + (follows && eachCommand != nil ? way : ""))
        }
        if marksRead, leavesToken { throw ValidationError("--mark-read and --no-ack cannot be combined.") }
        if acknowledged != nil, leavesToken { throw ValidationError("--ack and --no-ack cannot be combined.") }
    }
}

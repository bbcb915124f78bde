import ArgumentParser
import QuakeMirror

/// When doubtful news is believed, and how much a document may be wrong.
struct BeliefOptions: ParsableArguments {
    @Option(
        name: .customLong("confirm-snapshots"),
        help: ArgumentHelp(
            "Believe doubtful news, such as a missing quake, once so many snapshots carry it (6); also $QUAKES_CONFIRM_SNAPSHOTS.",
            valueName: "count"))
    var confirmSnapshots: Int?

    @Option(
        name: .customLong("confirm-after"),
        help: ArgumentHelp(
            "… and so much time lies between the first of them and the last (1h); also $QUAKES_CONFIRM_AFTER.",
            valueName: "duration"),
        transform: BeliefOptions.duration)
    var confirmAfter: DurationArgument?

    @Flag(
        name: .customLong("strict"),
        help: "Refuse a document with a feature that cannot be read, instead of skipping it.")
    var isStrict = false

    func validate() throws {
        if let confirmSnapshots, confirmSnapshots < 1 {
            throw ValidationError("--confirm-snapshots must be at least 1.")
        }
    }

    /// The mirror's settings: what was given, else the environment, else the mirror's own.
    func settings(in environment: CommandEnvironment) throws -> MirrorSettings {
        var settings = MirrorSettings(isStrict: isStrict)
        if let confirmSnapshots {
            settings.confirmSnapshots = confirmSnapshots
        } else if let text = environment.variable("QUAKES_CONFIRM_SNAPSHOTS") {
            guard let count = Int(text), count >= 1 else {
                throw ValidationError("$QUAKES_CONFIRM_SNAPSHOTS must be a whole number of at least 1.")
            }
            settings.confirmSnapshots = count
        }
        if let confirmAfter {
            settings.confirmAfter = confirmAfter.duration
        } else if let text = environment.variable("QUAKES_CONFIRM_AFTER") {
            settings.confirmAfter = try BeliefOptions.duration(text).duration
        }
        return settings
    }

    /// A duration; a bare 0 is one too.
    private static func duration(_ text: String) throws -> DurationArgument {
        text == "0" ? DurationArgument(.zero) : try DurationArgument.parse(text)
    }
}

import ArgumentParser
import QuakeModel
import QuakeOutput

/// How text for people writes lengths and times. Machine formats stay with kilometres and UTC (decision 0064).
struct DisplayOptions: ParsableArguments {
    @Option(
        name: .customLong("units"),
        help: ArgumentHelp("Lengths for people in kilometres or miles; else $QUAKES_UNITS, else km.", valueName: "unit")
    )
    var unit: LengthUnit?

    @Option(
        name: .customLong("tz"),
        help: ArgumentHelp(
            "Times for people in this zone: local, UTC, or a name such as Europe/Berlin; else $QUAKES_TZ, else UTC.",
            valueName: "zone"),
        completion: .timeZone)
    var timeZone: String?

    /// The choices of the command line, else of the environment.
    func style(in environment: CommandEnvironment, reference: ReferencePoint? = nil) throws -> DisplayStyle {
        var style = DisplayStyle(
            unit: try unit(in: environment), time: try localTime(in: environment), reference: reference)
        style.hasTimeZoneForPrograms = timeZone != nil
        return style
    }

    private func unit(in environment: CommandEnvironment) throws -> LengthUnit {
        if let unit { return unit }
        guard let text = environment.variable("QUAKES_UNITS") else { return .km }
        guard let unit = LengthUnit(rawValue: text) else {
            throw ValidationError("$QUAKES_UNITS is \"\(TerminalText.sanitized(text))\". It must be km or mi.")
        }
        return unit
    }

    private func localTime(in environment: CommandEnvironment) throws -> LocalTime {
        guard let name = timeZone ?? environment.variable("QUAKES_TZ") else { return .utc }
        let origin = timeZone == nil ? "$QUAKES_TZ: " : ""
        do throws(TimeZoneFault) {
            return try TimeZoneDatabase(environment).localTime(name)
        } catch {
            switch error {
            case .unknown(let suggestion):
                let remedy =
                    suggestion.map { "Did you mean \($0)?" } ?? "Names look like Europe/Berlin; also local and UTC."
                throw ValidationError(
                    "\(origin)There is no time zone \"\(TerminalText.sanitized(name))\". \(remedy)")
            case .noDatabase(let directory):
                throw ValidationError(
                    "\(origin)This machine has no time zones in \(directory). Install tzdata, or use local or UTC.")
            }
        }
    }
}

/// A length on the command line: `20`, `20km` or `12mi`.
enum LengthArgument {
    /// The kilometres in `text`. Throws a usage error if it is not a length or is negative.
    static func parse(_ text: String) throws -> Double {
        let unit = LengthUnit.allCases.first { text.lowercased().hasSuffix($0.rawValue) }
        let number = text.dropLast(unit?.rawValue.count ?? 0).trimmingSpaces
        guard let amount = try? FiniteNumber.parse(number) else {
            throw ValidationError("A length is a number with km or mi: 20km, 12mi; without a unit it is km.")
        }
        guard amount >= 0 else { throw ValidationError("A length cannot be negative.") }
        return amount * (unit ?? .km).kilometers
    }
}

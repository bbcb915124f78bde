import ArgumentParser
import QuakeMirror

extension WebAddress {
    /// Returns `value`, which was given with `option`, otherwise the value of `variable`, otherwise nil. Throws a usage
    /// error for text that is not an http(s) URL; the error omits secrets in the text.
    static func chosen(
        _ value: String?, _ option: String, else variable: String, in environment: CommandEnvironment
    ) throws -> String? {
        let address = value ?? environment.variable(variable)
        guard let address, !WebAddress.isAddress(address) else { return address }
        let name = value == nil ? "$\(variable)" : option
        throw ValidationError(
            "\(name) is not an http(s) URL: \(WebAddress.shortened(address))\(WebAddress.portFault(in: address)).")
    }
}

extension EventEndpoint {
    /// Returns the event service at the URL `option`, otherwise at `$QUAKES_SERVICE_URL`; nil if neither is given.
    static func named(_ option: String?, in environment: CommandEnvironment) throws -> EventEndpoint? {
        let endpoint = try WebAddress.chosen(option, "--service-url", else: "QUAKES_SERVICE_URL", in: environment)
            .map { EventEndpoint(base: $0) }
        try endpoint?.requireQuery()
        return endpoint
    }
}

import Foundation

/// Parses a JSON document.
public func parsedJSON(_ text: some StringProtocol) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
}

/// The name of a JSON member that is written often, encoded once with its quotes and colon. The name must not come from
/// the network, because it is not escaped for markup.
package struct JSONName {
    let bytes: [UInt8]

    package init(_ name: String) { bytes = Array("\(JSONText.quoted(name)):".utf8) }
}

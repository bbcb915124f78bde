/// A member's name that is written often, as a JSON string with its colon; not for names from the network.
package struct JSONName {
    let bytes: [UInt8]

    package init(_ name: String) { bytes = Array("\(JSONText.quoted(name)):".utf8) }
}

extension KeyedDecodingContainer {
    /// Replaces `value` by the member with this key; leaves it alone if there is no such member, as in a document from
    /// a version that did not know the member.
    package func read<Value: Decodable>(_ value: inout Value, _ key: Key) throws {
        if let new = try decodeIfPresent(Value.self, forKey: key) { value = new }
    }
}

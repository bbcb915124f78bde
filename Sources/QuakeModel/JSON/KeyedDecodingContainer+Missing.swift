extension KeyedDecodingContainer {
    /// Sets `value` to the member with this key. If the member is missing, as in JSON from an earlier version, `value`
    /// stays as it is.
    package func read<Value: Decodable>(_ value: inout Value, _ key: Key) throws {
        if let new = try decodeIfPresent(Value.self, forKey: key) { value = new }
    }
}

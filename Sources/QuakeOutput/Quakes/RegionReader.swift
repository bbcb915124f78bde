import QuakeModel

/// Finds the regions of places. Each last part of a name is looked up once, as most quakes of a list share a few.
final class RegionReader {
    /// The regions of the last parts seen so far, as bytes that fields may point to.
    private var known: [String: UnsafeMutableBufferPointer<UInt8>] = [:]

    deinit {
        for bytes in known.values { bytes.deallocate() }
    }

    /// The regions of the place called `place`.
    func regions(of place: FieldValue) -> FieldValue {
        guard case .text(let name) = place else { return .null }
        let part = Region.lastPart(of: String(decoding: name, as: UTF8.self))
        if let bytes = known[part] { return field(bytes) }
        let text = Array(Region.names(ofPart: part).joined(separator: ", ").utf8)
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = bytes.initialize(from: text)
        known[part] = bytes
        return field(bytes)
    }

    private func field(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> FieldValue {
        bytes.isEmpty ? .null : .text(UnsafeBufferPointer(bytes))
    }
}

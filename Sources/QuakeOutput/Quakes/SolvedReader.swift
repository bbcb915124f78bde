import QuakeModel

/// What the preferred solution of a quake says and the feed does not, under the names of the output.
package enum SolvedField: String, CaseIterable, Sendable {
    /// The uncertainty of the epicenter in kilometers.
    case horizontalError = "horizontal_error"
    /// The uncertainty of the depth in kilometers.
    case depthError = "depth_error"
    case magError = "mag_error"
    /// How many stations the magnitude is computed from.
    case magNst = "mag_nst"
    /// The network that located the quake.
    case locationSource = "location_source"
    /// The network that computed the magnitude.
    case magSource = "mag_source"

    /// The value in a version of the origin.
    fileprivate var solution: SolutionField {
        switch self {
        case .horizontalError: .horizontalError
        case .depthError: .verticalError
        case .magError: .magError
        case .magNst: .magNst
        case .locationSource: .locationSource
        case .magSource: .magSource
        }
    }

    var isText: Bool { solution.kind == .text }
}

/// Reads values of the preferred solutions of quakes, one quake after the other.
final class SolvedReader {
    private let solutions: (String) -> SolutionHistory?
    private let texts = HeldTexts()
    private var id = ""
    private var preferred: SolutionVersion?

    init(_ solutions: @escaping (String) -> SolutionHistory?) { self.solutions = solutions }

    func value(of field: SolvedField, id bytes: FieldValue) -> FieldValue {
        guard case .text(let bytes) = bytes else { return .null }
        if !id.utf8.elementsEqual(bytes) {
            id = String(decoding: bytes, as: UTF8.self)
            preferred = solutions(id)?[.origins].preferred
        }
        return switch preferred?[field.solution] ?? .null {
        case .text(let text): texts.field(text)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .null: .null
        }
    }
}

/// Texts that fields point to for as long as this lives; each is held once.
final class HeldTexts {
    private var held: [String: UnsafeMutableBufferPointer<UInt8>] = [:]

    deinit {
        for bytes in held.values { bytes.deallocate() }
    }

    /// The field for `text`; null for an empty one.
    func field(_ text: String) -> FieldValue {
        guard !text.isEmpty else { return .null }
        if let bytes = held[text] { return .text(UnsafeBufferPointer(bytes)) }
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        held[text] = bytes
        return .text(UnsafeBufferPointer(bytes))
    }
}

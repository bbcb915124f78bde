extension ChangeKind {
    /// The number for this kind in the column `changes.kind`.
    var code: Int64 {
        switch self {
        case .insert: 0
        case .update: 1
        case .delete: 2
        }
    }

    init?(code: Int64) {
        guard let kind = ChangeKind.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }
}

/// A column of a table for people.
struct TextColumn<Row> {
    let title: String
    /// The width in terminal columns if there is enough room.
    var width: Int
    /// The minimum useful width. Text is shortened only in columns whose `minimumWidth` is below `width`.
    let minimumWidth: Int
    /// On a narrow terminal, columns with the lowest priority are omitted first. Columns with the default priority
    /// (`.max`) are never omitted.
    let priority: Int
    /// Whether the column is right-aligned.
    let isNumber: Bool
    let color: (Row) -> String?
    let text: (Row) -> String

    init(
        _ title: String, _ width: Int = 0, minimumWidth: Int = .max, priority: Int = .max, isNumber: Bool = false,
        color: @escaping (Row) -> String? = { _ in nil }, text: @escaping (Row) -> String
    ) {
        self.title = title
        self.width = max(width, title.count)
        self.minimumWidth = minimumWidth
        self.priority = priority
        self.isNumber = isNumber
        self.color = color
        self.text = text
    }

    var isCuttable: Bool { minimumWidth < width }
}

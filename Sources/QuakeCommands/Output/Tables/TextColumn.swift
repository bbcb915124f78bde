/// A column of a table for people.
struct TextColumn<Row> {
    let title: String
    /// The width in terminal columns if there is enough room.
    var width: Int
    /// The minimum useful width. Text is shortened only in columns whose `least` is below `width`.
    let least: Int
    /// On a narrow terminal, columns with the lowest rank are omitted first. Columns with the default rank (`.max`) are
    /// never omitted.
    let rank: Int
    /// Whether the column is right-aligned.
    let isNumber: Bool
    let color: (Row) -> String?
    let text: (Row) -> String

    init(
        _ title: String, _ width: Int = 0, least: Int = .max, rank: Int = .max, isNumber: Bool = false,
        color: @escaping (Row) -> String? = { _ in nil }, text: @escaping (Row) -> String
    ) {
        self.title = title
        self.width = max(width, title.count)
        self.least = least
        self.rank = rank
        self.isNumber = isNumber
        self.color = color
        self.text = text
    }

    var isCut: Bool { least < width }
}

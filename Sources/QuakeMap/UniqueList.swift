/// A list of distinct values in the order of their first use.
struct UniqueList<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var indices: [Element: Int] = [:]

    mutating func index(of element: Element) -> Int {
        if let index = indices[element] { return index }
        indices[element] = elements.count
        elements.append(element)
        return elements.count - 1
    }
}

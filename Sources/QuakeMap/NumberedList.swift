/// Values in the order of their first use.
struct NumberedList<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var places: [Element: Int] = [:]

    mutating func index(of element: Element) -> Int {
        if let place = places[element] { return place }
        places[element] = elements.count
        elements.append(element)
        return elements.count - 1
    }
}

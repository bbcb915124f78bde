import QuakeStore

/// `count-quakes CACHE MAGNITUDE`: prints the number of quakes in a cache with at least that magnitude.
let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first, let magnitude = arguments.last.flatMap(Double.init) else {
    print("usage: count-quakes CACHE MAGNITUDE")
    throw CancellationError()
}
let context = try QuakeContext(QuakeCache(path: path), access: .reading)
print(try context.fetchCount(QuakeFilter(minimumMagnitude: magnitude)))

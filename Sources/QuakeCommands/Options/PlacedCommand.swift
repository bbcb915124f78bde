import QuakeStore

/// A command whose `--near` may refer to a quake in the cache.
protocol PlacedCommand: QuakesSubcommand { var centers: [PlaceArgument] { get set } }

extension PlacedCommand {
    mutating func prepare(in environment: CommandEnvironment) throws {
        if centers.contains(where: { $0.quakeID != nil }) {
            let context = try context(in: environment, .reading)
            for index in centers.indices { try centers[index].locate(in: context) }
        }
        centers = centers.distinct(by: \.point)
    }
}

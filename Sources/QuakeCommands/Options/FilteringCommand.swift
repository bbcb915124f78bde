/// A command that accepts all filters.
protocol FilteringCommand: PlacedCommand { var filters: FilterOptions { get set } }

extension FilteringCommand {
    var centers: [PlaceArgument] {
        get { filters.common.centers }
        set { filters.common.centers = newValue }
    }
}

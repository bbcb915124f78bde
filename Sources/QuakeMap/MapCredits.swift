/// The authors of the data on a map.
enum MapCredits {
    static let sentence =
        "Quakes: USGS. Cities: GeoNames (CC BY 4.0). Plate boundaries: P. Bird 2003, G-cubed 4(3) 1027; GeoJSON by "
        + "H. Ahlenius, Nordpil (ODC-By). Coastlines, borders, state lines: Natural Earth (public domain)."
}

/// Some properties of a quake.
struct PartialQuake: RecordValue {
    private let quake: Quake
    private let properties: [QuakeProperty]

    init(_ quake: Quake, _ properties: [QuakeProperty]) {
        self.quake = quake
        self.properties = properties
    }

    func write(to json: JSONWriter) { json.object { json.members(properties, of: quake) } }

    func encodeRecord(to encoder: any Encoder) throws { try quake.encode(properties, to: encoder) }
}

/// Region names that cannot be derived from the text of a place name.
enum RegionNames {
    /// Postal codes of the United States, and the code for Mexico used by the Southern California network.
    static let postalCodes: [String: String] = [
        "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
        "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
        "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas",
        "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan",
        "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada",
        "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina",
        "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania",
        "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas",
        "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin",
        "WY": "Wyoming", "AS": "American Samoa", "GU": "Guam", "MP": "Northern Mariana Islands", "PR": "Puerto Rico",
        "VI": "U.S. Virgin Islands", "MX": "Mexico",
    ]

    /// The regions for other spellings, islands and provinces, keyed by name in lowercase without accents. A name that
    /// must keep a leading word such as `northern` maps to itself.
    static let spellings: [String: [String]] = {
        var regions = ["ecuador-colombia": ["Ecuador", "Colombia"]]
        for (region, names) in table(otherNames) + table(parts) {
            for name in names { regions[name] = [region] }
        }
        return regions
    }()

    /// The names of islands and provinces, which are only parts of regions, in lowercase without accents.
    static let ofParts = Set(table(parts).flatMap(\.names))

    private static func table(_ text: String) -> [(region: String, names: [String])] {
        text.replacing("; ", with: "\n").split(separator: "\n").map { line in
            let region = line.prefix { $0 != ":" }
            return (String(region), line.dropFirst(region.count + 2).split(separator: ", ").map(String.init))
        }
    }

    /// Regions and their other names. The first lines contain countries with their names in other languages.
    private static let otherNames = """
        Albania: shqiperi, shqiperia; Algeria: algerie; Armenia: hayastan; Austria: osterreich
        Belgium: belgie, belgique; Bosnia and Herzegovina: bosna i hercegovina; Brazil: brasil; China: zhongguo
        Croatia: hrvatska; Cyprus: kypros, kibris; Denmark: danmark; Dominican Republic: republica dominicana
        Finland: suomi; France: frankreich; Germany: deutschland; Greece: ellada, hellas, griechenland
        Hungary: magyarorszag; Iceland: islandia; India: bharat; Italy: italia, italien; Japan: nippon, nihon, japon
        Lebanon: lubnan; Morocco: maroc; Netherlands: nederland; New Zealand: aotearoa; Norway: norge; Poland: polska
        Serbia: srbija; Slovakia: slovensko; Slovenia: slovenija; South Korea: hanguk; Spain: espana, spanien
        Sweden: sverige; Switzerland: schweiz, suisse, svizzera; Ukraine: ukraina
        Cape Verde: cabo verde, cape verde islands
        Central African Republic: central african republic
        Central America: central america
        Czechia: czech republic, cesko
        Democratic Republic of the Congo: dr congo
        District of Columbia: d.c., dc, washington d.c.
        Eswatini: swaziland
        Fiji: fiji islands
        \(Region.georgiaInTheCaucasus): georgia (country), georgia (sak'art'velo), sakartvelo
        Hawaii: hawaiian islands
        Ivory Coast: cote d'ivoire
        Micronesia: federated states of micronesia
        Myanmar: burma, burma (myanmar), myanmar (burma)
        North Atlantic Ocean: northern atlantic ocean
        North Macedonia: macedonia
        North Pacific Ocean: northern pacific ocean
        Northern Ireland: northern ireland
        Northern Mariana Islands: northern mariana islands
        Philippines: philippine islands, pilipinas
        Reunion: reunion, reunion island
        Russia: russian federation, rossiya
        South Atlantic Ocean: southern atlantic ocean
        South Pacific Ocean: southern pacific ocean, southeast central pacific ocean
        Southern Ocean: southern ocean
        Timor Leste: timor-leste, east timor
        Turkey: turkiye, turkei
        U.S. Virgin Islands: us virgin islands
        Vanuatu: vanuatu islands
        Vietnam: viet nam
        Western Sahara: western sahara
        """

    /// Each line contains a region and names of islands or provinces in it.
    private static let parts = """
        Alaska: aleutian islands, alaska peninsula, andreanof islands, fox islands, rat islands, near islands, \
        kodiak island, unimak island
        Australia: western australia, south australia, northern territory, new south wales, queensland, tasmania
        California: san francisco, san francisco bay area
        Canada: british columbia, vancouver island, queen charlotte islands, haida gwaii, yukon, yukon territory, \
        alberta, saskatchewan, manitoba, ontario, quebec, nunavut, northwest territories, newfoundland, labrador, \
        new brunswick, nova scotia, baffin island
        Chile: easter island
        China: xizang, tibet, xinjiang, sichuan, yunnan, qinghai, gansu, nei mongol, hebei, shanxi, guangxi
        Greece: crete, dodecanese islands, peloponnese
        Hawaii: island of hawaii
        Indonesia: sumatra, java, bali, flores, sumba, sumbawa, sulawesi, halmahera, seram, buru, minahasa peninsula, \
        papua, irian jaya, kepulauan mentawai, kepulauan talaud, kepulauan tanimbar
        Italy: sicily, sardinia
        Japan: honshu, hokkaido, kyushu, shikoku, ryukyu islands, izu islands, bonin islands, volcano islands
        Massachusetts: cape ann
        Mexico: baja california, baja california sur, guerrero, oaxaca, chiapas, jalisco, michoacan, colima, veracruz
        New Zealand: north island of new zealand, south island of new zealand, north island, south island
        Papua New Guinea: new britain, new ireland, bougainville, admiralty islands, d'entrecasteaux islands
        Philippines: mindanao, luzon, samar, leyte, mindoro, panay, negros, cebu, palawan
        Russia: kamchatka, kamchatka peninsula, sakhalin, siberia
        Svalbard and Jan Mayen: svalbard, jan mayen, jan mayen island
        """
}

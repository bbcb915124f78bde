import Glibc
import HelperStart

extension FetchProcess {
    /// The path of the helper that belongs to `executable`, by default to the program that runs.
    ///
    /// It lies beside the program, as the build leaves it, or in `../libexec/quakes`, as it is installed.
    public static func locate(besides executable: String? = nil) throws(TransportError) -> String {
        let places = places(besides: executable)
        guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
            throw .helperMissing(searched: places)
        }
        return found
    }

    private static func places(besides executable: String?) -> [String] {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { path in
            var places: [String] = []
            guard let start = path.baseAddress else { return places }
            while helper_path(Int32(places.count), executable, start, path.count) {
                places.append(String(cString: start))
            }
            return places
        }
    }
}

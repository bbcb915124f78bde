// Declarations that only the package's own modules share.
import QuakeStore

let identity: FeatureIdentity  // error: cannot find type 'FeatureIdentity' in scope
let record: FeedRecord  // error: cannot find type 'FeedRecord' in scope
func sources(of context: QuakeContext) { _ = context.sources }  // error: 'sources' is inaccessible
func walk(_ context: QuakeContext) throws {
    try context.forEachRow(QuakeDescriptor(), fields: []) { _ in }  // error: 'forEachRow' is inaccessible
}

// A mirror's internals are not an interface: an app refreshes through FeedMirror.
import QuakeMirror

let rules: SnapshotRules  // error: cannot find type 'SnapshotRules' in scope
let scanner: FeatureScanner  // error: cannot find type 'FeatureScanner' in scope
let snapshot: FeedSnapshot  // error: cannot find type 'FeedSnapshot' in scope

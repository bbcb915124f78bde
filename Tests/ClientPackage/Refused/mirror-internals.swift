// A mirror's internals are not an interface: an app refreshes through FeedMirror.
import QuakeMirror

let reconciler: Reconciler  // error: cannot find type 'Reconciler' in scope
let scanner: FeatureScanner  // error: cannot find type 'FeatureScanner' in scope
let snapshot: FeedSnapshot  // error: cannot find type 'FeedSnapshot' in scope

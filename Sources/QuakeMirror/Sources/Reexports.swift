// For a program that mirrors and reads a cache, `import QuakeMirror` is enough.
@_exported public import QuakeHTTP
@_exported public import QuakeModel
@_exported public import QuakeStore

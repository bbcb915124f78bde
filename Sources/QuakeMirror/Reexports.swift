// `import QuakeMirror` is enough for a program that mirrors and reads.
@_exported public import QuakeHTTP
@_exported public import QuakeModel
@_exported public import QuakeStore

// A program that mirrors and reads only needs `import QuakeMirror`.
@_exported public import QuakeHTTP
@_exported public import QuakeModel
@_exported public import QuakeStore

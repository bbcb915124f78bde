// For a program that mirrors and reads a cache, `import QuakeDownload` is enough.
@_exported public import QuakeMirror

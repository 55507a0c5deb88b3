// What a command may use of its process. Tests give their own.

export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isColourWanted: boolean
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

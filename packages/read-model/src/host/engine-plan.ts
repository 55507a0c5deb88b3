// The argument of the process that becomes the engine: one JSON document, without a secret in it.

export interface EnginePlan {
  /** Folders of the engine: its tables; its configuration, read once; what it writes beside its tables and does not read (log, port). */
  readonly folders: EngineFolders
  /** The engine itself. */
  readonly libchdb: string
  readonly httpPort: number
  /** Confine the process before it becomes the engine. */
  readonly confine: boolean
}

export interface EngineFolders {
  readonly data: string
  readonly config: string
  readonly run: string
}

/** Descriptor of the pipe to the parent: the launcher reports on it, and its end means that the parent is gone. */
export const PARENT = 3
/** The launcher's report when the process is confined; any other text is the reason why it is not. */
export const CONFINED = 'confined'
/** File in the configuration folder with the statements that the engine begins with. */
export const START_FILE = 'start.sql'
/** Named pipe in the configuration folder, to which nothing is written: the engine reads statements from it, and ends when the parent closes it. */
export const KEEPER_PIPE = 'keeper'
/** File in the run folder that the engine writes its port to. */
export const PORT_FILE = 'port'

export function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

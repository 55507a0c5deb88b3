// The servers of a connection: several that have the same tables, of which one is used until it fails.

import type { ClickHouseClient } from '@clickhouse/client'
import type { RowReader } from './select-rows.ts'

/**
 * What statements need of the client, `select` for the rows of small ones, and `insertSmall` for small inserts. Each call goes to the server that is
 * used at that moment.
 */
export type StatementClient = Pick<ClickHouseClient, 'query' | 'insert' | 'command' | 'exec' | 'ping'> &
  Pick<RowReader, 'select'> & { readonly insertSmall: RowReader['insert'] }

export interface Server {
  readonly client: ClickHouseClient
  readonly rows: RowReader
  /** Host and port. */
  readonly where: string
}

export interface Servers {
  readonly count: number
  readonly client: StatementClient
  current(): Server
  /** Later calls go to the next server, unless they do already. */
  avoid(server: Server): void
  /** Ends the idle sockets of all. */
  close(): Promise<void>
}

/** @param urls At least one, the preferred one first. */
export function openServers(urls: readonly string[], open: (url: string) => Pick<Server, 'client' | 'rows'>): Servers {
  const servers = urls.map((url): Server => ({ ...open(url), where: new URL(url).host }))
  let used = 0
  const current = (): Server => servers[used] as Server
  const avoid = (server: Server): void => {
    // Statements that run at the same time fail at the same time: only the first of them moves on.
    if (current() === server) used = (used + 1) % servers.length
  }
  const ping: ClickHouseClient['ping'] = async (params) => {
    const server = current()
    const result = await server.client.ping(params)
    if (!result.success) avoid(server)
    return result
  }
  const client: StatementClient = {
    query: ((params) => current().client.query(params)) as ClickHouseClient['query'],
    insert: (params) => current().client.insert(params),
    command: (params) => current().client.command(params),
    exec: (params) => current().client.exec(params),
    ping,
    select: (selection) => current().rows.select(selection),
    insertSmall: (query, rows, headers) => current().rows.insert(query, rows, headers),
  }
  const close = async (): Promise<void> => {
    for (const { rows } of servers) rows.close()
    await Promise.all(servers.map(({ client }) => client.close()))
  }
  return { count: servers.length, client, current, avoid, close }
}

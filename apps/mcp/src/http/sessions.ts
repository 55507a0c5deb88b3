// The sessions of clients over HTTP. A session belongs to the key that began it.

import { randomUUID } from 'node:crypto'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Logger } from '@orrery/service-kit'
import { LRUCache } from 'lru-cache'
import { openApiClient } from '../open-api-client.ts'
import type { Tools } from '../tool.ts'
import { createToolServer } from '../tool-server.ts'
import { isSameKey } from './caller-key.ts'

/** Beyond it, the session that was used least recently ends. Its client gets a 404 and begins another. */
const MAX_SESSIONS = 256

export interface SessionOptions {
  readonly url: string
  readonly version: string
  readonly tools: Tools
  readonly logger: Logger
}

export interface Session {
  readonly key: string
  readonly transport: StreamableHTTPServerTransport
  readonly close: () => Promise<void>
}

export class Sessions {
  readonly #options: SessionOptions
  readonly #byId: LRUCache<string, Session>

  constructor(options: SessionOptions) {
    this.#options = options
    const ended = (error: unknown) => options.logger.warn({ err: error }, 'A session could not be closed')
    this.#byId = new LRUCache({ max: MAX_SESSIONS, dispose: (session) => void session.close().catch(ended) })
  }

  /** A session that its first request initializes. It is kept from then on. */
  async begin(key: string): Promise<Session> {
    const { url, version, tools, logger } = this.#options
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#byId.set(id, session),
    })
    const client = openApiClient(url, key)
    // A cancelled request gets no response, so nothing else would end its stream.
    const { mcp } = createToolServer({ url, version, tools, client, logger, onCancelled: (id) => transport.closeSSEStream(id) })
    const session: Session = { key, transport, close: () => mcp.close() }
    mcp.server.onclose = () => void (transport.sessionId !== undefined && this.#byId.delete(transport.sessionId))
    await mcp.connect(transport as Transport) // it is one, but its optional members are declared as possibly undefined
    return session
  }

  /** Null if there is none with this id that the key began. */
  find(id: string, key: string): Session | null {
    const session = this.#byId.get(id)
    return session !== undefined && isSameKey(session.key, key) ? session : null
  }

  /** Ends all of them, with their running calls. */
  close(): void {
    this.#byId.clear()
  }
}

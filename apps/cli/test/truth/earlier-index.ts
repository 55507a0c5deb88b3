// The whole recording as an index shows it that ends at a ledger: the same engine and the same API, with a watermark
// that the test moves. So answers that exist only for the present can be tested at every past ledger.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccess, startApi } from '@orrery/api'
import { keptTokenKeys, openEmbedded, openIdentity } from '@orrery/identity'
import { protocolsOf } from '@orrery/protocols'
import type { IndexTip, LedgerTime, ReadModel } from '@orrery/read-model'
import { createLogger, createMetrics, systemClock } from '@orrery/service-kit'
import { type Answer, askData } from '../indexed-network.ts'
import type { WholeNetwork } from './whole-network.ts'

export class EarlierIndex implements AsyncDisposable {
  readonly #readModel: EarlierReadModel
  readonly #at: { readonly url: string; readonly apiKey: string }
  readonly #stack: AsyncDisposableStack

  private constructor(readModel: EarlierReadModel, at: { readonly url: string; readonly apiKey: string }, stack: AsyncDisposableStack) {
    this.#readModel = readModel
    this.#at = at
    this.#stack = stack
  }

  static async of({ network, readModel: whole }: WholeNetwork): Promise<EarlierIndex> {
    await using starting = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'orrery-earlier-'))
    starting.defer(() => rmSync(folder, { recursive: true, force: true }))
    const identity = starting.use(await openIdentity(`sqlite:${join(folder, 'identity.db')}`))
    const { apiKey, adminToken, cursorKey } = await openEmbedded(identity, folder)
    const tokenKeys = await keptTokenKeys(join(folder, 'token-keys.pem'))
    const logger = createLogger({ name: 'test', level: 'silent', json: true })
    const metrics = createMetrics()
    const webhooks = { key: null, allowPrivate: false }
    const access = starting.use(openAccess({ identity, tokenKeys, adminToken, webhooks, redis: null, clock: systemClock, logger, metrics }))
    const readModel = new EarlierReadModel(whole)
    const protocols = protocolsOf(network)
    const api = await startApi({ network, protocols, readModel: readModel.model, access, cursorKey, logger, metrics, port: 0 })
    starting.defer(() => api.stop())
    return new EarlierIndex(readModel, { url: api.url, apiKey }, starting.move())
  }

  /** From now on `at` is the last indexed ledger. */
  moveTo(at: LedgerTime): void {
    this.#readModel.moveTo(at)
  }

  get(path: string): Promise<Answer> {
    return askData(this.#at, path)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

/** A read model with all partitions at one ledger. */
class EarlierReadModel {
  readonly model: ReadModel
  #tip: Promise<IndexTip> | null = null
  #at: LedgerTime = { ledger: 0, closeTimeSeconds: 0 }

  constructor(whole: ReadModel) {
    const tip = (): Promise<IndexTip> => {
      this.#tip ??= whole.tip().then(({ adapters }) => ({
        adapters: adapters.map((adapter) => ({ ...adapter, checkpoints: adapter.checkpoints.map(() => this.#at) })),
        ledgers: this.#at,
      }))
      return this.#tip
    }
    this.model = { ...whole, tip, watermark: async () => this.#at }
  }

  moveTo(at: LedgerTime): void {
    this.#at = at
    this.#tip = null
  }
}

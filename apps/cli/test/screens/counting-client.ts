// A client that counts its requests, as a screen makes them.

import type { Answer } from '../indexed-network.ts'
import type { CsvAnswer, WholeNetwork } from '../truth/whole-network.ts'

export class CountingClient {
  readonly #network: WholeNetwork
  count = 0

  constructor(network: WholeNetwork) {
    this.#network = network
  }

  get(path: string): Promise<Answer> {
    this.count++
    return this.#network.get(path)
  }

  getCsv(path: string): Promise<CsvAnswer> {
    this.count++
    return this.#network.csv(path)
  }
}

// Registries, read with the protocols that this build has.

import type { Network } from '@orrery/protocol-kit'
import * as registry from '@orrery/registry'
import { PROTOCOLS } from './protocols.ts'

/** `loadNetwork` of `@orrery/registry`: a network that ships by its name, or a registry file by its path. */
export function loadNetwork(nameOrFile: string): Promise<Network> {
  return registry.loadNetwork(PROTOCOLS, nameOrFile)
}

/** `networkFromJson` of `@orrery/registry`. */
export function networkFromJson(json: unknown, origin?: string): Network {
  return registry.networkFromJson(PROTOCOLS, json, origin)
}

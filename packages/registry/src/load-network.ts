// Loads the registry of a network: one that ships with Orrery, by its name, or a file.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { OrreryError } from '@orrery/errors'
import type { Network, ProtocolFacts } from '@orrery/protocol-kit'
import { invalidRegistry, networkFromJson } from './network-from-json.ts'

/** Registries that ship. `demo` is the recorded network; its registry is in the folder of the recording. */
const SHIPPED = {
  demo: new URL('../../../recordings/forge-a/registry.json', import.meta.url),
  mainnet: new URL('../networks/mainnet.json', import.meta.url),
  testnet: new URL('../networks/testnet.json', import.meta.url),
} as const

const SHIPPED_NAMES = Object.keys(SHIPPED).join(', ')

/**
 * @param protocols Those that the registry may name. The network keeps them.
 * @param nameOrFile `demo`, `mainnet`, `testnet`, or the path of a registry file. A shipped name wins over a file of that name: write `./mainnet`.
 * @throws OrreryError `invalid`/`registry_not_found`, `invalid`/`invalid_registry`.
 */
export async function loadNetwork(protocols: readonly ProtocolFacts[], nameOrFile: string): Promise<Network> {
  const file = Object.hasOwn(SHIPPED, nameOrFile) ? fileURLToPath(SHIPPED[nameOrFile as keyof typeof SHIPPED]) : nameOrFile
  return networkFromJson(protocols, parse(await read(file), file), file)
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const why =
      (cause as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'The file does not exist'
        : `The file cannot be read (${(cause as Error).message})`
    throw new OrreryError(
      'invalid',
      'registry_not_found',
      `No network registry at ${file}. ${why}, and no network of that name ships with Orrery.\nUse one of ${SHIPPED_NAMES}, or the path of a registry file.`,
      { context: { file }, cause },
    )
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidRegistry(file, [`it is not JSON: ${(cause as Error).message}`, `networks that ship: ${SHIPPED_NAMES}`], cause)
  }
}

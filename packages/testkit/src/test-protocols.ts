// Ids and numbers of protocols for tests of what stores them and loads no protocol: the event log, the read model.

import { declareProtocolNumber } from '@orrery/protocol-kit'

/** As they are stored: a protocol that is loaded declares the same. */
const NUMBERS = { blend: 1, aquarius: 2, soroswap: 3, fxdao: 4 } as const

for (const [protocol, number] of Object.entries(NUMBERS)) declareProtocolNumber(protocol, number)

export const TEST_PROTOCOLS = Object.keys(NUMBERS)

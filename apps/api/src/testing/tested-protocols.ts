// The protocols that the tests of the API have fixtures of. A further one of the list brings a built network of its own instead.

import { aquarius } from '@orrery/aquarius'
import { blend } from '@orrery/blend'
import { fxdao } from '@orrery/fxdao'
import type { Protocol } from '@orrery/protocol-kit'
import { soroswap } from '@orrery/soroswap'

export const TESTED_PROTOCOLS: readonly Protocol<unknown>[] = [blend, aquarius, soroswap, fxdao]

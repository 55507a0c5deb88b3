// The contract of every fold about a token's own instance.

import { tokenContract } from '@orrery/testkit/token-contract'
import { soroswap } from '../src/protocol.ts'
import { network } from './fold-fixture.ts'

tokenContract(soroswap, network)
